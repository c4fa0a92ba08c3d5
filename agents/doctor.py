"""`keyrack-agent doctor`: looks at all that the agent needs, and says what to do about faults."""

import os
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from agents import __version__
from agents.client import (
    ConsoleClient,
    ConsoleError,
    ConsoleUntrusted,
    NotAuthorised,
    WorkConflict,
)
from agents.config import Config, PinReference
from agents.daemon import running_pid
from agents.enrolment import Identity, NotEnrolled, load_identity, runs_as_root
from agents.wire.messages import LeaseRequest

CLOCK_TOLERANCE_SECONDS = 30.0

OK = "ok"
WARNING = "warning"
FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: `state` is ok, warning or failed; `remedy` says what to do then."""

    name: str
    state: str
    message: str
    remedy: str = ""

    def plain(self) -> dict[str, str]:
        """Return it for --json."""
        return asdict(self)


def run_checks(config: Config) -> Iterator[Check]:
    """Yield every check, each as soon as it is done."""
    yield from check_configuration(config)
    yield from check_state_dir(config.state_dir)
    yield check_user()
    yield from check_driver(config)
    yield from check_modules(config)
    try:
        identity = load_identity(config.state_dir)
    except NotEnrolled as error:
        yield Check("enrolment", FAILED, str(error), "Enrol this host; see `keyrack-agent enrol`.")
        return
    yield from check_enrolment(config, identity)
    yield from check_console(identity)
    yield check_broker(identity)
    yield check_daemon(config.state_dir)


def check_configuration(config: Config) -> Iterator[Check]:
    """The file: which one, and what nothing reads in it."""
    yield Check("configuration", OK, str(config.path or "defaults; there is no file"))
    for warning in config.warnings:
        yield Check("configuration", WARNING, warning, "Correct or remove that key.")


def check_state_dir(state_dir: Path) -> Iterator[Check]:
    """The state directory and the files in it: there, ours, private."""
    if not state_dir.is_dir():
        yield Check("state_dir", WARNING, f"{state_dir} is missing", "Enrolment makes it.")
        return
    if not os.access(state_dir, os.R_OK | os.W_OK | os.X_OK):
        yield Check(
            "state_dir",
            FAILED,
            f"{state_dir} is not readable and writable for this user",
            "Run the agent as its owner, or set state_dir.",
        )
        return
    for path in (state_dir, state_dir / "identity.json", state_dir / "instance"):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            mode = "700" if path.is_dir() else "600"
            yield Check(
                "state_dir", FAILED, f"{path} is open to other users", f"chmod {mode} {path}"
            )
            return
    yield Check("state_dir", OK, str(state_dir))


def check_user() -> Check:
    """Root sees everything; an ordinary user not."""
    if runs_as_root():
        return Check("user", OK, "runs as root")
    return Check(
        "user",
        WARNING,
        f"runs as uid {os.geteuid()}: some of the host will not be visible",
        "The host's page lists what (blind spots); run the agent as root to see it.",
    )


def check_driver(config: Config) -> Iterator[Check]:
    """Which driver would look at this host."""
    from agents.drivers.registry import NoDriver, choose_driver

    try:
        yield Check("driver", OK, choose_driver(config).name)
    except NoDriver as error:
        yield Check("driver", FAILED, str(error), "Set agent.driver, or report this platform.")


def check_modules(config: Config) -> Iterator[Check]:
    """Configured PKCS#11 modules and pin-sources: there, readable, private."""
    for module in config.pkcs11.modules:
        if os.access(module, os.R_OK):
            yield Check("pkcs11.modules", OK, module)
        else:
            remedy = "Install it, or remove it from pkcs11.modules."
            yield Check("pkcs11.modules", FAILED, f"{module} cannot be read", remedy)
    for pin in config.pkcs11.pins:
        yield _pin_source(pin)


def check_enrolment(config: Config, identity: Identity) -> Iterator[Check]:
    """Who this agent is, and whether the configuration still means the same console."""
    yield Check("enrolment", OK, f"{identity.host_name} ({identity.host_id})")
    wanted = config.console
    if wanted.url and (wanted.url, wanted.pin) != (identity.console_url, identity.pin):
        yield Check(
            "enrolment",
            WARNING,
            f"enrolled with {identity.console_url}, but console.url or console.pin says otherwise",
            "Enrol again, or correct the configuration; the enrolment counts.",
        )


def check_console(identity: Identity) -> Iterator[Check]:
    """Reach the console, compare keys and clocks, try the credential."""
    url = identity.console_url
    client = ConsoleClient(
        url, pin=identity.pin, credential=identity.credential, agent_version=__version__
    )
    try:
        offset = client.clock_offset_seconds()
    except ConsoleUntrusted as error:
        yield Check("console.pin", FAILED, str(error), "Ask the console's administrator first.")
        return
    except ConsoleError as error:
        remedy = "Check address, name resolution, firewall, and that the console runs."
        yield Check("console", FAILED, str(error), remedy)
        return
    yield Check("console", OK, url)
    if identity.pin:
        yield Check("console.pin", OK, "the console holds the pinned key")
    yield _clock(offset)
    yield _credential(client)


def check_broker(identity: Identity) -> Check:
    """Reach the broker; without it work still arrives, later."""
    slower = "Work still arrives with the next heartbeat; it only starts later."
    if not identity.broker_url:
        return Check("broker", WARNING, "the console named none", slower)
    import redis

    parts = urlsplit(identity.broker_url)
    place = f"{parts.hostname}:{parts.port or 6379}"
    try:
        connection = redis.Redis.from_url(
            identity.broker_url, socket_connect_timeout=5, socket_timeout=5
        )
        connection.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        return Check("broker", WARNING, f"{place}: {error}", f"Check firewall and broker. {slower}")
    return Check("broker", OK, place)


def check_daemon(state_dir: Path) -> Check:
    """Whether the daemon runs."""
    pid = running_pid(state_dir)
    if pid is None:
        return Check("daemon", WARNING, "does not run", "Start it: `keyrack-agent run`.")
    return Check("daemon", OK, f"runs with pid {pid}")


def _clock(offset: float) -> Check:
    message = f"the console's clock is {abs(offset):.0f} s {'ahead' if offset > 0 else 'behind'}"
    if abs(offset) <= CLOCK_TOLERANCE_SECONDS:
        return Check("clock", OK, message)
    remedy = "Set the time (NTP) on this host or the console's; times and doorbells suffer."
    return Check("clock", WARNING, message, remedy)


def _credential(client: ConsoleClient) -> Check:
    # Asking for the lease of an order that is not ours changes nothing and needs the credential.
    try:
        client.lease(LeaseRequest(work_id=str(uuid4()), nonce=uuid4().hex))
    except WorkConflict:
        return Check("credential", OK, "accepted")
    except NotAuthorised as error:
        return Check("credential", FAILED, str(error), "Enrol this host again.")
    except ConsoleError as error:
        return Check("credential", FAILED, str(error), "See the console's log.")
    return Check("credential", OK, "accepted")


def _pin_source(pin: PinReference) -> Check:
    name = pin.token or pin.serial
    path = Path(pin.source.removeprefix("file:"))
    fault = _fault_of_secret_file(path)
    if not fault:
        return Check("pkcs11.pin", OK, f"{name}: {path}")
    return Check("pkcs11.pin", FAILED, f"{name}: {path} {fault}", "Put the PIN there, chmod 600.")


def _fault_of_secret_file(path: Path) -> str:
    if not os.access(path, os.R_OK):
        return "cannot be read"
    return "is open to other users" if stat.S_IMODE(path.stat().st_mode) & 0o077 else ""
