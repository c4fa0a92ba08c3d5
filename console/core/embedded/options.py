"""What one start of the embedded console was asked for, read from the environment once."""

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

from console.config import env
from console.core.embedded.layout import VarLayout
from console.core.embedded.tls import certificate_ensure
from console.core.tls import is_loopback_address

DEFAULT_EDITION = "t5120"
EDITION_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


@dataclass(frozen=True)
class Options:
    """Address, folder, certificate and simulated host of this start."""

    layout: VarLayout
    bind: str
    port: int
    certificate: Path | None
    key: Path | None
    simulate: str = ""
    """Edition of the simulated host whose agent starts beside this host's; empty: none does."""

    @property
    def local_url(self) -> str:
        """Where this host itself reaches the console."""
        scheme = "https" if self.certificate else "http"
        everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - compared, not bound
        host = everywhere.get(self.bind, self.bind)
        if ":" in host and not host.startswith("["):
            host = f"[{host}]"
        return f"{scheme}://{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address for people and agents: KEYRACK_PUBLIC_URL, else where we listen.

        A console that listens everywhere is known by this machine's name.
        """
        here = f"https://{_machine_name()}:{self.port}" if self._is_everywhere else self.local_url
        return env.text("KEYRACK_PUBLIC_URL", here).rstrip("/")

    @property
    def _is_everywhere(self) -> bool:
        return self.bind in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound

    def environment(self) -> dict[str, str]:
        """Return the environment of the console's programs: ours, with this start's settings."""
        settings = {
            "DJANGO_SETTINGS_MODULE": "console.config.settings.embedded",
            "KEYRACK_VAR": str(self.layout.root),
            "KEYRACK_PORT": str(self.port),
            "KEYRACK_BIND": self.bind,
            "PYTHONUNBUFFERED": "1",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        if self._is_everywhere and not env.text("KEYRACK_PUBLIC_URL"):
            # Nobody said how others call this machine: the name is a guess, any other is welcome.
            settings["KEYRACK_PUBLIC_URL"] = self.url
            settings["KEYRACK_ALLOWED_HOSTS"] = env.text("KEYRACK_ALLOWED_HOSTS", "*")
        if self.certificate and self.key:
            settings["KEYRACK_TLS_CERT"] = str(self.certificate)
            settings["KEYRACK_TLS_KEY"] = str(self.key)
        return {**os.environ, **settings}


def _machine_name() -> str:
    full = socket.getfqdn()
    return socket.gethostname() if full.startswith("localhost") else full


def options_read(layout: VarLayout) -> Options:
    """Read KEYRACK_BIND, KEYRACK_PORT, KEYRACK_TLS_CERT, KEYRACK_TLS_KEY and KEYRACK_SIMULATE.

    Off loopback a certificate is required; without one given, a self-signed one is made under var.
    Raises InvalidSetting for half a pair and for files that cannot be read.
    """
    bind = env.bind_address()
    certificate, key = env.text("KEYRACK_TLS_CERT"), env.text("KEYRACK_TLS_KEY")
    pair: tuple[Path | None, Path | None] = (None, None)
    if bool(certificate) != bool(key):
        raise env.InvalidSetting("Set both KEYRACK_TLS_CERT and KEYRACK_TLS_KEY, or neither")
    for name, file in (("KEYRACK_TLS_CERT", certificate), ("KEYRACK_TLS_KEY", key)):
        if file and not os.access(file, os.R_OK):
            raise env.InvalidSetting(f"{name}={file} cannot be read")
    if certificate and key:
        pair = (Path(certificate).resolve(), Path(key).resolve())
    elif not is_loopback_address(bind):
        pair = certificate_ensure(layout, bind)
    simulate = env.text("KEYRACK_SIMULATE", DEFAULT_EDITION).removeprefix("none")
    if not set(simulate) <= EDITION_SIGNS:
        raise env.InvalidSetting(f"KEYRACK_SIMULATE={simulate!r} is no edition; none switches off")
    return Options(layout, bind, env.port(), *pair, simulate)
