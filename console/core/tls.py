"""Facts about addresses and certificates that decide how the console may be reached."""

import base64
import hashlib
import ipaddress
import subprocess


def is_loopback_address(address: str) -> bool:
    """Return whether `address` (an IP address or a host name) is reached from this host alone."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def key_pin(certificate_pem: str) -> str:
    """Return the pin of a certificate's public key, as `curl --pinnedpubkey` takes it.

    Raises subprocess.CalledProcessError for text that is no certificate.
    """
    argv = ["openssl", "x509", "-pubkey", "-noout"]
    key = subprocess.run(
        argv, input=certificate_pem, capture_output=True, check=True, timeout=30, text=True
    ).stdout
    body = "".join(line for line in key.splitlines() if not line.startswith("-----"))
    digest = hashlib.sha256(base64.b64decode(body)).digest()
    return f"sha256//{base64.b64encode(digest).decode()}"
