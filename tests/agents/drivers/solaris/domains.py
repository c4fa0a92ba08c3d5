"""A T5120 in memory and a model of ldm that keeps a plan's promises, for the planners' tests."""

from collections.abc import Mapping
from dataclasses import replace

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.ldm_state import Domain, LdmState, Unit, Version
from agents.wire.changes import Phase, StepPlan
from agents.wire.inventory import Attribute

LDM = "/opt/SUNWldm/bin/ldm"


def t5120(version: Version = (2, 1), owners: Mapping[int, str] | None = None) -> LdmState:
    """Eight cores of eight strands: primary on 0 and 1, web on 2, mail and cache share 3."""
    strands = {
        "primary": range(16),
        "web": range(16, 24),
        "mail": range(24, 28),
        "cache": range(28, 32),
    }
    domains = {
        name: Domain(
            name=name,
            state="active",
            strands=frozenset(held),
            vcpu=len(held),
            is_control=name == "primary",
            is_service=name == "primary",
        )
        for name, held in strands.items()
    }
    domains["spare"] = Domain(name="spare", state="inactive", vcpu=4)
    held = owners if owners is not None else {0: "primary", 1: "primary", 2: "web", 3: "mail"}
    units = tuple(
        Unit(
            key=parts.unit_key(range(8 * core, 8 * core + 8)),
            core=core,
            cpuset=tuple(range(8 * core, 8 * core + 8)),
            owner=held.get(core, ""),
        )
        for core in range(8)
    )
    return LdmState(
        program=LDM,
        version=version,
        domains=domains,
        units=units,
        free_strands=frozenset(range(32, 64)),
    )


def after_phase(state: LdmState, phase: Phase) -> LdmState:
    """Return the host after a phase's steps and, where it waits, the reboot."""
    for step in phase.steps:
        state = after_step(state, step)
    return _with(state, phase.settles)


def after_step(state: LdmState, step: StepPlan) -> LdmState:
    """Return the host as the step promises it."""
    return _with(state, step.after)


def _with(state: LdmState, promised: Mapping[str, Attribute]) -> LdmState:
    for part, value in promised.items():
        what, _, name = part.partition("/")
        if what == "unit.count" and isinstance(value, int):
            state = _with_count(state, name, value)
            continue
        domain = state.domains[name]
        if what == "domain.state":
            domain = replace(domain, state=str(value))
        elif what == "domain.reconfiguration":
            domain = replace(domain, is_pending=value == parts.PENDING)
        elif what == "domain.vcpu" and isinstance(value, int):
            state, domain = _with_vcpu(state, domain, value)
        state = replace(state, domains={**state.domains, name: domain})
    return state


def _with_count(state: LdmState, name: str, count: int) -> LdmState:
    units, reach = list(state.units), state.domains[name].strands
    while (now := sum(unit.owner == name for unit in units)) != count:
        wanted = name if now > count else ""
        at = max(
            i
            for i, u in enumerate(units)
            if u.owner == wanted and (now > count or not reach.isdisjoint(u.cpuset))
        )
        units[at] = replace(units[at], owner="" if now > count else name)
    return replace(state, units=tuple(units))


def _with_vcpu(state: LdmState, domain: Domain, number: int) -> tuple[LdmState, Domain]:
    held, free = sorted(domain.strands), sorted(state.free_strands)
    grown = number - len(held)
    held, free = (held + free[:grown], free[grown:]) if grown > 0 else (held[:number], free)
    lost = domain.strands - set(held)
    changed = replace(domain, strands=frozenset(held), vcpu=number)
    return replace(state, free_strands=frozenset(free) | lost), changed
