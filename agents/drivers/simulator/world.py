"""The state of a simulated machine: domains, configurations, services; one JSON file, one lock.

Every stand-in program opens it, works on it and writes it back whole. Imports must stay light:
this is loaded at every call of a program.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from agents.drivers.simulator.editions import Edition, edition_get

STATE_FILE = "state.json"
LOCK_FILE = "state.lock"


@dataclass(slots=True)
class Domain:
    """One logical domain. `strands` and `maus` are what is bound, in the order in which they came;
    `vcpu` and `units` are asked for.

    `pending`: a delayed reconfiguration stands; it holds `vcpu`, `units` and `memory` as wanted
    after the reboot. None: none stands.
    """

    name: str
    state: str
    vcpu: int
    units: int
    memory: int
    strands: list[int] = field(default_factory=list)
    maus: list[int] = field(default_factory=list)
    is_control: bool = False
    is_service: bool = False
    has_drd: bool = True
    cons: str = ""
    booted_at: float = 0.0
    mac: str = ""
    hostid: str = ""
    uuid: str = ""
    pending: dict[str, int] | None = None

    @property
    def is_active(self) -> bool:
        """Whether it runs."""
        return self.state == "active"

    @property
    def is_bound(self) -> bool:
        """Whether resources are bound to it."""
        return self.state != "inactive"

    def wants(self) -> dict[str, int]:
        """Return its constraints; those of a delayed reconfiguration where one stands."""
        wanted = {"vcpu": self.vcpu, "units": self.units, "memory": self.memory}
        return {**wanted, **(self.pending or {})}


@dataclass(slots=True)
class World:
    """Everything of one simulated machine."""

    directory: Path
    edition: Edition
    domains: dict[str, Domain]
    powered_at: float
    configs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    current: str = "factory-default"
    next_config: str = ""
    """The configuration of the next power-on, where it is not the current one."""
    variants: dict[str, str] = field(default_factory=dict)
    faults: list[dict[str, Any]] = field(default_factory=list)
    services: dict[str, dict[str, Any]] = field(default_factory=dict)
    unloaded: list[str] = field(default_factory=list)
    """Kernel software providers that were unloaded."""
    kernel_policy: dict[str, list[str]] = field(default_factory=dict)
    """Disabled mechanisms (and `random`) per kernel provider, as the running kernel has them."""
    counters: dict[str, float] = field(default_factory=dict)
    loads: list[dict[str, Any]] = field(default_factory=list)
    """Which load held from when on; before the first, the one that it was delivered with."""

    @property
    def root(self) -> Path:
        """What the simulated host's files hang off."""
        return self.directory / "root"

    @property
    def control(self) -> Domain:
        """The control domain, in which all programs run."""
        return next(domain for domain in self.domains.values() if domain.is_control)

    def pending(self) -> Domain | None:
        """Return the domain whose delayed reconfiguration stands."""
        return next((d for d in self.domains.values() if d.pending is not None), None)

    def owner_of_unit(self, unit: int) -> str:
        """Return who holds a unit; empty: nobody."""
        return next((d.name for d in self.domains.values() if unit in d.maus), "")

    def owner_of_strand(self, strand: int) -> str:
        """Return who holds a strand; empty: nobody."""
        return next((d.name for d in self.domains.values() if strand in d.strands), "")

    def can_hold(self, domain: Domain, unit: int) -> bool:
        """Return whether a domain has a strand on the unit's core."""
        return not set(self.edition.core_set(unit)).isdisjoint(domain.strands)


def now() -> float:
    """Return the time that the simulated clock shows: the real one, in seconds."""
    return time.time()


def world_to_plain(world: World) -> dict[str, Any]:
    """Return what the state file holds."""
    return {
        "edition": world.edition.name,
        "domains": [asdict(domain) for domain in world.domains.values()],
        "powered_at": world.powered_at,
        "configs": world.configs,
        "current": world.current,
        "next_config": world.next_config,
        "variants": world.variants,
        "faults": world.faults,
        "services": world.services,
        "unloaded": world.unloaded,
        "kernel_policy": world.kernel_policy,
        "counters": world.counters,
        "loads": world.loads,
    }


def world_from_plain(directory: Path, plain: dict[str, Any]) -> World:
    """Return the world that a state file holds. Raises UnknownEdition, KeyError and TypeError."""
    rest = {k: v for k, v in plain.items() if k not in ("edition", "domains")}
    return World(
        directory=directory,
        edition=edition_get(plain["edition"]),
        domains={d["name"]: Domain(**d) for d in plain["domains"]},
        **rest,
    )


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the simulated machine's lock; waits for whoever has it."""
    descriptor = os.open(directory / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def world_read(directory: Path) -> World:
    """Return the state as it is on disk. Raises FileNotFoundError where none was installed."""
    return world_from_plain(directory, json.loads((directory / STATE_FILE).read_bytes()))


def world_write(world: World) -> None:
    """Replace the state file in one step; readers see the old or the new one."""
    text = json.dumps(world_to_plain(world), indent=1)
    write_atomically(world.directory / STATE_FILE, text)


def write_atomically(path: Path, text: str, mode: int = 0o600) -> None:
    """Replace a file in one step."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.chmod(draft, mode)
    os.replace(draft, path)
