"""What the planners know of a control domain: domains, units, and what its ldm version can do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from agents.drivers.solaris import parts
from agents.wire.inventory import Attribute

ACTIVE = "active"
SETTLED_STATES = ("active", "bound", "inactive")
"""Others (`starting`, `stopping`, `binding` …) pass by themselves; ldm refuses changes in them."""

Version = tuple[int, int]


class UnitMode(StrEnum):
    """How a domain's number of crypto units is changed."""

    DIRECT = "direct"
    """At once: the domain is not running, or takes it dynamically."""
    DELAYED = "delayed"
    """ldm starts a delayed reconfiguration, which its reboot ends."""
    STARTED_DELAYED = "started_delayed"
    """The delayed reconfiguration has to be started first (`ldm start-reconf`)."""
    STOPPED = "stopped"
    """The domain has to be stopped for it and started again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """One logical domain. `strands` are the physical CPUs bound to it."""

    name: str
    state: str
    strands: frozenset[int] = frozenset()
    vcpu: int = 0
    memory_bytes: int | None = None
    cores: frozenset[int] = frozenset()
    """The cores of its strands, where ldm names cores (from 2.0 on)."""
    is_control: bool = False
    is_service: bool = False
    """Serves other domains' virtual disks and networks."""
    is_pending: bool = False
    """A delayed reconfiguration of it waits for its reboot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One crypto unit and the strands of its core. `owner`: the domain it is bound to, or empty."""

    key: str
    core: int
    cpuset: tuple[int, ...]
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LdmState:
    """One fresh look through ldm. `version` is the manager's: (1, 2), (3, 4)."""

    program: str
    version: Version
    domains: Mapping[str, Domain]
    units: tuple[Unit, ...] = ()
    free_strands: frozenset[int] = frozenset()
    core_count: int | None = None
    """Cores of the machine; None: this ldm names none."""
    strand_count: int = 0

    def count(self, domain: str) -> int:
        """Return the number of units bound to a domain."""
        return sum(unit.owner == domain for unit in self.units)

    def pending(self) -> str:
        """Return the domain whose delayed reconfiguration stands, empty where none does."""
        return next((d.name for d in self.domains.values() if d.is_pending), "")


def unit_parts(state: LdmState) -> dict[str, Attribute]:
    """Return the parts that kinds of change see in one look through ldm."""
    seen: dict[str, Attribute] = {parts.unit_owner(unit.key): unit.owner for unit in state.units}
    counts: dict[str, int] = {}
    for unit in state.units:
        counts[unit.owner] = counts.get(unit.owner, 0) + 1
    for domain in state.domains.values():
        name = domain.name
        seen[parts.unit_count(name)] = counts.get(name, 0)
        seen[parts.domain_state(name)] = domain.state
        seen[parts.domain_vcpu(name)] = domain.vcpu
        seen[parts.domain_reconfiguration(name)] = (
            parts.PENDING if domain.is_pending else parts.NONE
        )
    return seen


def unit_mode(version: Version, domain: Domain, is_offline: bool = False) -> UnitMode:
    """Return how units of a domain change with this ldm version.

    1.0 and 1.1 delay it for every running domain (inferred from a T5120 that had to be rebooted);
    1.2 delays it for the control domain and refuses it for running guests; from 1.3 on it is
    dynamic. `is_offline`: the domain cannot take it dynamically (no drd, or older than 10 1/13).
    """
    if domain.state != ACTIVE:
        return UnitMode.DIRECT
    if version < (1, 2):
        return UnitMode.DELAYED
    if version < (1, 3):
        return UnitMode.DELAYED if domain.is_control else UnitMode.STOPPED
    if not is_offline:
        return UnitMode.DIRECT
    if not domain.is_control:
        return UnitMode.STOPPED
    return UnitMode.STARTED_DELAYED if version >= (2, 0) else UnitMode.DELAYED


def set_units_command(version: Version) -> str:
    """Return `set-crypto`, documented from 1.2/1.3 on, or `set-mau`, which every version knows."""
    return "set-crypto" if version >= (1, 3) else "set-mau"


def cancel_reconf_argv(program: str, version: Version, domain: str) -> list[str]:
    """Return the command that drops a delayed reconfiguration; its name changed twice."""
    if version < (1, 2):
        return [program, "remove-reconf", domain]
    if version < (2, 0):
        return [program, "cancel-operation", "reconf", domain]
    return [program, "cancel-reconf", domain]
