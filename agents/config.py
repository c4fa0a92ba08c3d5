"""The agent's configuration: one TOML file turned into frozen dataclasses.

Errors name the file, the key, what is wrong and what to do. docs/agent.md lists every key.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agents.drivers.simulator.editions import EDITIONS
from agents.wire.changes import CHANGE_KINDS
from agents.wire.names import WorkKind

DEFAULT_CONFIG_PATH = Path("/etc/keyrack/agent.toml")
DEFAULT_STATE_DIR = Path("/var/lib/keyrack-agent")
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})
PIN_PREFIX = "sha256//"
SIMULATE_VARIABLE = "KEYRACK_AGENT_SIMULATE"
"""Overrides `simulate`; `--simulate` sets it, so that the agent's own children see it too."""

_MIB = 1 << 20
_KINDS = (WorkKind.JOB_RUN.value, WorkKind.INVENTORY_SCAN.value, *CHANGE_KINDS)
_ALLOW_WORDS = (*_KINDS, *(f"{kind.partition('.')[0]}.*" for kind in _KINDS), "*")


class ConfigError(Exception):
    """The configuration cannot be used. The text names file, key, fault and remedy."""

    def __init__(self, path: Path | None, key: str, fault: str, remedy: str) -> None:
        place = f"{path}: " if path else ""
        super().__init__(f"{place}{key + ': ' if key else ''}{fault}. {remedy}")
        self.key = key


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleConfig:
    """Where the console is. Enrolment stores both values, so the file may leave them out."""

    url: str = ""
    pin: str = ""
    """`sha256//<base64>` of the console's public key, as `curl --pinnedpubkey` takes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """What this host's own admin decides about the agent."""

    name: str = ""
    """Wanted display name; empty: the host name."""
    allow: tuple[str, ...] = (WorkKind.JOB_RUN.value, WorkKind.INVENTORY_SCAN.value)
    """Kinds of work and of change that are accepted: by name, as `unit.*`, or `*` for all.

    An empty list makes the host read-only; planning a change only reads and is always allowed.
    """
    driver: str = "auto"
    """Platform driver by name; `auto` takes the first one that applies."""
    log_level: str = "info"
    outbox_max_bytes: int = 64 * _MIB
    """Disk that unsent reports may use; beyond it the oldest output is dropped, and said so."""
    scan_timeout_seconds: int = 120
    """Hard limit for one inventory scan."""

    def allows(self, kind: str) -> bool:
        """Return whether work, or a change, of that kind is accepted here."""
        noun = kind.partition(".")[0]
        return any(word in self.allow for word in (kind, f"{noun}.*", "*"))

    def allow_words(self) -> list[str]:
        """Return `allow` as consoles know it: work that `*` and the like stand for is named too."""
        work = (WorkKind.JOB_RUN.value, WorkKind.INVENTORY_SCAN.value)
        return list(dict.fromkeys([*self.allow, *filter(self.allows, work)]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PinReference:
    """Where a token's PIN can be read on this host. The PIN itself is never in the configuration.

    A token is chosen by label, serial or both. `source` is an RFC 7512 pin-source: `file:/path`.
    """

    token: str = ""
    serial: str = ""
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pkcs11Config:
    """PKCS#11 libraries to look at."""

    modules: tuple[str, ...] = ()
    """Paths besides those that p11-kit's registry names."""
    use_p11_kit: bool = True
    module_timeout_seconds: int = 20
    """Hard limit for the child that probes one module."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables for the children that load modules (SOFTHSM2_CONF and the like)."""
    pins: tuple[PinReference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinuxConfig:
    """The Linux driver's own settings."""

    root: Path = Path("/")
    """Where /proc, /sys and /etc are looked for: `/`, or a recorded tree that stands in for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole configuration. `warnings` are sentences about keys that nothing reads."""

    console: ConsoleConfig = field(default_factory=ConsoleConfig)
    agent: AgentConfig = field(default_factory=AgentConfig)
    pkcs11: Pkcs11Config = field(default_factory=Pkcs11Config)
    linux: LinuxConfig = field(default_factory=LinuxConfig)
    state_dir: Path = DEFAULT_STATE_DIR
    simulate: str = ""
    """Edition of a simulated SPARC host that this agent looks at instead of this machine."""
    path: Path | None = None
    """The file it was read from; None: defaults only."""
    warnings: tuple[str, ...] = ()

    @property
    def is_simulated(self) -> bool:
        """Whether stand-ins or a recorded tree, and not this machine, are looked at."""
        return bool(self.simulate) or self.linux.root != Path("/")


def load_config(path: Path | None = None) -> Config:
    """Read the configuration; without `path` the default file, which need not exist.

    Raises ConfigError, also for a `path` that was asked for and cannot be read.
    """
    if path is None and not DEFAULT_CONFIG_PATH.exists():
        return parse_config({})
    wanted = path or DEFAULT_CONFIG_PATH
    try:
        data = tomllib.loads(wanted.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(
            wanted, "", f"cannot be read: {error.strerror}", "Check --config and its permissions."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(wanted, "", f"is not TOML: {error}", "Correct that line.") from error
    return parse_config(data, wanted)


def parse_config(data: Mapping[str, Any], path: Path | None = None) -> Config:
    """Build the configuration from decoded TOML. Raises ConfigError."""
    top = _Table(data, path, "")
    parts: dict[str, Any] = {
        "console": _console(top.table("console")),
        "agent": _agent(top.table("agent")),
        "pkcs11": _pkcs11(top.table("pkcs11")),
        "linux": LinuxConfig(root=top.table("linux").absolute_path("root", Path("/"))),
        "state_dir": top.absolute_path("state_dir", DEFAULT_STATE_DIR),
        "simulate": _simulate(top),
        "path": path,
    }
    top.close()
    return Config(**parts, warnings=tuple(top.warnings))


def check_console(url: str, pin: str, path: Path | None = None) -> None:
    """Raise ConfigError unless both go together: https with a pin, plain http on loopback only."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            path, "console.url", f"{url!r} is no http(s) address", "Write https://console.example."
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK_HOSTS:
        raise ConfigError(
            path,
            "console.url",
            f"plain http to {parts.hostname} would show credentials to the network",
            "Use https and the console's pin; http is accepted on loopback only.",
        )
    if parts.scheme == "https" and not pin:
        raise ConfigError(
            path,
            "console.pin",
            "is missing",
            "Copy it from the console's page 'Enrol host'; it begins with sha256//.",
        )
    if pin:
        _check_pin(pin, path)


def _check_pin(pin: str, path: Path | None) -> None:
    digest = pin.removeprefix(PIN_PREFIX)
    if digest == pin or len(digest) != 44 or not digest.endswith("="):
        raise ConfigError(
            path,
            "console.pin",
            "is not sha256// and 44 base64 characters",
            "Copy it from the console's page 'Enrol host'.",
        )


def _console(table: "_Table") -> ConsoleConfig:
    console = ConsoleConfig(url=table.text("url", "").rstrip("/"), pin=table.text("pin", ""))
    if console.url:
        check_console(console.url, console.pin, table.path)
    return console


def _simulate(table: "_Table") -> str:
    known = ("", *EDITIONS)
    written = table.word("simulate", "", known)
    wanted = os.environ.get(SIMULATE_VARIABLE, written)
    if wanted not in known:
        fault = f"{wanted!r} is not one of {', '.join(EDITIONS)}"
        raise ConfigError(None, SIMULATE_VARIABLE, fault, "Take one.")
    return wanted


def _agent(table: "_Table") -> AgentConfig:
    default = AgentConfig()
    return AgentConfig(
        name=table.text("name", ""),
        allow=table.texts("allow", default.allow, known=_ALLOW_WORDS),
        driver=table.text("driver", default.driver),
        log_level=table.word("log_level", default.log_level, ("debug", "info", "warning", "error")),
        outbox_max_bytes=table.number("outbox_max_bytes", default.outbox_max_bytes, low=_MIB),
        scan_timeout_seconds=table.number("scan_timeout_seconds", default.scan_timeout_seconds),
    )


def _pkcs11(table: "_Table") -> Pkcs11Config:
    default = Pkcs11Config()
    modules = table.texts("modules", ())
    for index, module in enumerate(modules):
        if not module.startswith("/"):
            raise table.error(f"modules[{index}]", f"{module!r} is relative", "Write a full path.")
    return Pkcs11Config(
        modules=modules,
        use_p11_kit=table.flag("use_p11_kit", default.use_p11_kit),
        module_timeout_seconds=table.number(
            "module_timeout_seconds", default.module_timeout_seconds
        ),
        environment=table.text_map("environment"),
        pins=tuple(_pin_reference(entry) for entry in table.tables("pin")),
    )


def _pin_reference(table: "_Table") -> PinReference:
    reference = PinReference(
        token=table.text("token", ""),
        serial=table.text("serial", ""),
        source=table.text("source", ""),
    )
    if not reference.token and not reference.serial:
        raise table.error("token", "is missing, and so is serial", "Name the token by either.")
    if not reference.source.startswith("file:/"):
        raise table.error(
            "source",
            "must be file:/<full path>",
            "Put the PIN alone into a file that only the agent can read, and name that file.",
        )
    return reference


class _Table:
    """One TOML table being read: typed getters, and a warning for every key nobody asked for."""

    def __init__(self, data: Mapping[str, Any], path: Path | None, prefix: str) -> None:
        self.path = path
        self.warnings: list[str] = []
        self._data = data
        self._prefix = prefix
        self._asked: set[str] = set()
        self._children: list[_Table] = []

    def error(self, key: str, fault: str, remedy: str) -> ConfigError:
        return ConfigError(self.path, f"{self._prefix}{key}", fault, remedy)

    def table(self, key: str) -> "_Table":
        return self._child(key, self._get(key, {}, dict, "a table"))

    def tables(self, key: str) -> list["_Table"]:
        entries = self._get(key, [], list, "an array of tables")
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise self.error(f"{key}[{index}]", "must be a table", f"Write [[… {key}]].")
        return [self._child(f"{key}[{index}]", entry) for index, entry in enumerate(entries)]

    def text(self, key: str, default: str) -> str:
        return str(self._get(key, default, str, "a string"))

    def flag(self, key: str, default: bool) -> bool:
        return bool(self._get(key, default, bool, "true or false"))

    def number(self, key: str, default: int, *, low: int = 1) -> int:
        value = self._get(key, default, int, "a whole number")
        if isinstance(value, bool) or value < low:
            raise self.error(key, f"must be a whole number of at least {low}", f"Try {default}.")
        return int(value)

    def word(self, key: str, default: str, known: tuple[str, ...]) -> str:
        value = self.text(key, default)
        if value not in known:
            raise self.error(key, f"{value!r} is not one of {', '.join(known)}", "Take one.")
        return value

    def texts(
        self, key: str, default: tuple[str, ...], *, known: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        values = self._get(key, list(default), list, "a list of strings")
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise self.error(f"{key}[{index}]", "must be a string", "Put it in quotes.")
            if known and value not in known:
                self._warn(f"{key}[{index}]: {value!r} is no kind of work known to this agent")
        return tuple(values)

    def text_map(self, key: str) -> dict[str, str]:
        values = self._get(key, {}, dict, "a table of strings")
        for name, value in values.items():
            if not isinstance(value, str):
                raise self.error(f"{key}.{name}", "must be a string", "Put it in quotes.")
        return dict(values)

    def absolute_path(self, key: str, default: Path) -> Path:
        value = Path(self.text(key, str(default)))
        if not value.is_absolute():
            raise self.error(key, f"{str(value)!r} is relative", "Write a full path.")
        return value

    def close(self) -> None:
        """Warn of every key that nobody asked for, here and in the tables below."""
        for key in self._data:
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, n=1)
                hint = f"; did you mean {self._prefix}{near[0]}?" if near else ""
                self._warn(f"{key}: nothing reads this key{hint}")
        for child in self._children:
            child.close()
            self.warnings += child.warnings

    def _warn(self, text: str) -> None:
        place = f"{self.path}: " if self.path else ""
        self.warnings.append(f"{place}{self._prefix}{text}")

    def _child(self, key: str, data: Mapping[str, Any]) -> "_Table":
        child = _Table(data, self.path, f"{self._prefix}{key}.")
        self._children.append(child)
        return child

    def _get(self, key: str, default: Any, kind: type[Any], words: str) -> Any:
        self._asked.add(key.partition("[")[0])
        value = self._data.get(key, default)
        if not isinstance(value, kind):
            raise self.error(key, f"must be {words}, not {type(value).__name__}", "Correct it.")
        return value
