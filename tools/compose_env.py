"""`python3 -m tools.compose_env ADDRESS`: make .env and a certificate for docker compose.

Existing files stay as they are: secrets once made are kept.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

from console.core.tls import key_pin

ROOT = Path(__file__).resolve().parents[1]
ENV = ROOT / ".env"
TLS = ROOT / "deploy" / "tls"


def main(arguments: list[str]) -> int:
    """Make what is missing for the console at `https://ADDRESS`; return the exit code.

    Agents pin the certificate's key: a certificate of one's own goes into deploy/tls before the
    first run.
    """
    if len(arguments) != 1:
        print(
            "usage: python3 -m tools.compose_env ADDRESS   (console.example:8443)", file=sys.stderr
        )
        return 2
    address = arguments[0]
    if not (TLS / "console.crt").exists():
        _certificate(address.partition(":")[0])
        print(f"made a self-signed certificate in {TLS.relative_to(ROOT)}")
    if not ENV.exists():
        _write_private(ENV, _environment(address))
        print(f"made {ENV.relative_to(ROOT)}")
    return 0


def _environment(address: str) -> str:
    certificate = (TLS / "console.crt").read_text(encoding="ascii")
    values = {
        "KEYRACK_PUBLIC_URL": f"https://{address}",
        "KEYRACK_PORT": address.partition(":")[2] or "443",
        "KEYRACK_TLS_PIN": key_pin(certificate),
        "KEYRACK_SECRET_KEY": secrets.token_urlsafe(64),
        "POSTGRES_PASSWORD": secrets.token_hex(24),
        "REDIS_PASSWORD": secrets.token_hex(24),
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


def _certificate(name: str) -> None:
    TLS.mkdir(parents=True, exist_ok=True)
    argv = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    argv += ["-noenc", "-days", "825", "-subj", f"/CN={name}"]
    argv += ["-addext", f"subjectAltName=DNS:{name}"]
    argv += ["-keyout", str(TLS / "console.key"), "-out", str(TLS / "console.crt")]
    subprocess.run(argv, check=True, capture_output=True)
    (TLS / "console.key").chmod(0o600)


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
