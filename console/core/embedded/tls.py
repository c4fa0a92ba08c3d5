"""A self-signed certificate for a console that is not on loopback alone."""

import ipaddress
import os
import socket
import subprocess
from pathlib import Path

from console.core.embedded.layout import VarLayout

VALID_DAYS = 825
"""The longest that browsers accept for a certificate the user trusts by hand."""


def certificate_ensure(layout: VarLayout, address: str) -> tuple[Path, Path]:
    """Return (certificate, key), made with openssl where they are missing.

    Agents pin the key, so it is kept: delete var/tls for a new one and enrol the agents again.
    """
    certificate, key = layout.tls / "console.crt", layout.tls / "console.key"
    if certificate.exists() and key.exists():
        return certificate, key
    layout.tls.mkdir(mode=0o700, exist_ok=True)
    fields = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    fields += ["-noenc", "-days", str(VALID_DAYS), "-subj", f"/CN={socket.gethostname()}"]
    fields += ["-addext", f"subjectAltName={','.join(_names(address))}"]
    fields += ["-keyout", str(key), "-out", str(certificate)]
    environment = {"LC_ALL": "C", "PATH": os.environ.get("PATH", os.defpath)}
    subprocess.run(fields, check=True, capture_output=True, timeout=60, env=environment)
    key.chmod(0o600)
    return certificate, key


def _names(address: str) -> list[str]:
    names = {f"DNS:{socket.gethostname()}", f"DNS:{socket.getfqdn()}", "DNS:localhost"}
    names |= {"IP:127.0.0.1", "IP:::1"}
    try:
        if not ipaddress.ip_address(address).is_unspecified:
            names.add(f"IP:{address}")
    except ValueError:
        names.add(f"DNS:{address}")
    return sorted(names)
