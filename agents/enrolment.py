"""Who this agent is: its machine id, enrolment with the console, and the identity that it keeps."""

import hashlib
import json
import os
import secrets
import socket
import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agents import __version__
from agents.config import Config, ConfigError, check_console
from agents.files import ensure_private_dir, write_durably
from agents.log import register_secret

if TYPE_CHECKING:
    from agents.client import ConsoleClient

_MACHINE_ID_FILES = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
_IDENTITY_FILE = "identity.json"
_INSTANCE_FILE = "instance"


class NotEnrolled(Exception):
    """There is no identity in the state directory, or it cannot be read."""

    def __init__(self, state_dir: Path, fault: str = "This agent is not enrolled") -> None:
        super().__init__(
            f"{fault} (no usable {_IDENTITY_FILE} in {state_dir}). Make an enrolment token in the "
            "console ('Enrol host') and run the command that it shows."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What enrolment gave this agent. Kept in the state directory, mode 0600."""

    console_url: str
    pin: str
    host_id: str
    host_name: str
    credential: str
    broker_url: str
    heartbeat_seconds: int
    scan_seconds: int


def machine_id(state_dir: Path) -> str:
    """Return the id under which this agent enrols: a hash of the machine's and the instance's id.

    The same state directory on the same machine keeps it, so that enrolling again keeps history;
    two agents on one machine differ. The machine's own id never leaves it, as machine-id(5) asks.
    """
    words = ["keyrack-agent", _machine_word(), _instance_word(state_dir)]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def load_identity(state_dir: Path) -> Identity:
    """Read the identity and hide its secrets from the log. Raises NotEnrolled."""
    path = state_dir / _IDENTITY_FILE
    try:
        data = json.loads(path.read_bytes())
        identity = Identity(**{field.name: data[field.name] for field in fields(Identity)})
    except FileNotFoundError as error:
        raise NotEnrolled(state_dir) from error
    except PermissionError as error:
        raise NotEnrolled(state_dir, f"{path} is not readable for this user") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotEnrolled(state_dir, f"{path} is damaged") from error
    _hide(identity)
    return identity


def save_identity(state_dir: Path, identity: Identity) -> None:
    """Store the identity durably, mode 0600."""
    ensure_private_dir(state_dir)
    data = json.dumps(asdict(identity), indent=1).encode()
    write_durably(state_dir / _IDENTITY_FILE, data)
    _hide(identity)


def identity_changed_at(state_dir: Path) -> float:
    """Return when the identity was last written (seconds since the epoch; 0: there is none)."""
    try:
        return (state_dir / _IDENTITY_FILE).stat().st_mtime
    except OSError:
        return 0.0


def enrol(
    config: Config,
    *,
    token: str,
    url: str,
    pin: str,
    name: str,
    client: "ConsoleClient | None" = None,
) -> tuple[Identity, bool]:
    """Enrol with an enrolment token and keep the identity; return it and whether it is an old host.

    `url`, `pin` and `name` win over the configuration. Raises ConfigError for what cannot work and
    ConsoleError for the console's refusals.
    """
    from agents.client import ConsoleClient
    from agents.wire.messages import EnrolRequest

    url, pin = (url or config.console.url).rstrip("/"), pin or config.console.pin
    if not url:
        raise ConfigError(config.path, "console.url", "is missing", "Give it here or as --url.")
    check_console(url, pin, config.path)
    register_secret(token)
    ensure_private_dir(config.state_dir)
    client = client or ConsoleClient(url, pin=pin, agent_version=__version__)
    request = EnrolRequest(
        token=token,
        machine_id=machine_id(config.state_dir),
        hostname=socket.gethostname(),
        platform=platform_word(),
        agent_version=__version__,
        name=name or config.agent.name,
    )
    reply = client.enrol(request)
    identity = Identity(
        console_url=url,
        pin=pin,
        host_id=reply.host_id,
        host_name=reply.host_name,
        credential=reply.credential,
        broker_url=reply.broker_url,
        heartbeat_seconds=reply.heartbeat_seconds,
        scan_seconds=reply.scan_seconds,
    )
    save_identity(config.state_dir, identity)
    return identity, reply.is_reenrolment


def platform_word() -> str:
    """Return `linux`, `solaris`, `illumos`, or Python's word for another system."""
    if sys.platform.startswith("sunos"):
        return "solaris" if Path("/etc/release").exists() and _is_oracle() else "illumos"
    return "linux" if sys.platform.startswith("linux") else sys.platform


def _is_oracle() -> bool:
    return "Oracle Solaris" in Path("/etc/release").read_text("utf-8", "replace")


def _hide(identity: Identity) -> None:
    register_secret(identity.credential)
    register_secret(urlsplit(identity.broker_url).password or "")


def _machine_word() -> str:
    for path in _MACHINE_ID_FILES:
        try:
            return path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
    return ""


def _instance_word(state_dir: Path) -> str:
    path = state_dir / _INSTANCE_FILE
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        ensure_private_dir(state_dir)
        word = secrets.token_hex(16)
        write_durably(path, word.encode())
        return word


def runs_as_root() -> bool:
    """Return whether the agent has root's rights."""
    return os.geteuid() == 0
