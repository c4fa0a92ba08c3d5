"""The one command that makes a machine a host, and what the console's key is pinned with."""

import shlex
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from agents.wire.names import PATH_INSTALL_SCRIPT
from console.core.tls import is_loopback_address, key_pin

TOKEN_VARIABLE = "KEYRACK_ENROLMENT_TOKEN"  # noqa: S105 - a name


@dataclass(frozen=True, slots=True)
class InstallCommand:
    """What to run on the new host, and what to know about it. No command where none is safe."""

    command: str
    note: str


def console_pin() -> str:
    """Return the pin of the console's public key as curl takes it; "" without TLS."""
    if settings.TLS_PIN:
        return str(settings.TLS_PIN)
    if not settings.TLS_CERTIFICATE:
        return ""
    path = Path(settings.TLS_CERTIFICATE)
    return _pin_of(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _pin_of(path: Path, _changed_ns: int) -> str:
    return key_pin(path.read_text(encoding="ascii"))


def install_command(secret: str) -> InstallCommand:
    """Return the line that installs and enrols with the enrolment token `secret`.

    The token goes to the shell as the script's first line, by way of a builtin: no process has it
    in its arguments, with sudo or without.
    """
    parts = urlsplit(settings.PUBLIC_URL)
    fetch = curl_line()
    if not fetch:
        return InstallCommand("", _no_command(parts.scheme))
    first = shlex.quote(f"{TOKEN_VARIABLE}={secret}")
    # Where curl fails (another key, no route) the shell must not call an empty script a success.
    command = f"{{ echo {first}; {fetch} || echo exit 1; }} | sudo sh"
    if parts.scheme == "https":
        note = "Needs curl and python3-venv. As root leave sudo out. curl trusts this key alone."
    else:
        note = "For this machine only: without TLS the console speaks to loopback alone."
    return InstallCommand(command, note)


def curl_line(path: str = PATH_INSTALL_SCRIPT) -> str:
    """Return the curl command that fetches `path` from the console safely, "" when nothing can.

    With a pin curl refuses every other key, whoever signed it: so --insecure (a console may sign
    its certificate itself) takes nothing away.
    """
    parts = urlsplit(settings.PUBLIC_URL)
    url = shlex.quote(f"{settings.PUBLIC_URL}{path}")
    if parts.scheme == "https" and console_pin():
        return f"curl -fsS --insecure --pinnedpubkey {shlex.quote(console_pin())} {url}"
    if parts.scheme == "http" and is_loopback_address(parts.hostname or ""):
        return f"curl -fsS {url}"
    return ""


def _no_command(scheme: str) -> str:
    if scheme == "https":
        return (
            "The console does not know its own certificate: set KEYRACK_TLS_CERT, or "
            "KEYRACK_TLS_PIN to the pin of the key that the proxy in front of it uses."
        )
    return (
        "Agents accept plain HTTP on loopback only: give the console a certificate "
        "(KEYRACK_TLS_CERT, KEYRACK_TLS_KEY) and an https address (KEYRACK_PUBLIC_URL)."
    )
