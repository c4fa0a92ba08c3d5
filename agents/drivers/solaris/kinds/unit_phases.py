"""From a wish to phases: what is set in which order, and where a reboot has to come in between."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.ldm_state import (
    ACTIVE,
    Domain,
    LdmState,
    UnitMode,
    cancel_reconf_argv,
    set_units_command,
    unit_mode,
)
from agents.drivers.solaris.kinds.matching import Wish
from agents.wire.changes import Phase, StepPlan
from agents.wire.inventory import Attribute

SET_SECONDS = 120
STOP_SECONDS = 900
"""A guest shuts down its services before it stops; `ldm stop-domain` waits for that."""


@dataclass(frozen=True, slots=True)
class Move:
    """One number that changes: units or virtual CPUs of one domain."""

    domain: Domain
    before: int
    after: int
    mode: UnitMode = UnitMode.DIRECT


def unit_moves(state: LdmState, wish: Wish, offline: frozenset[str]) -> list[Move]:
    """Return the domains whose number of units changes, in the order of their names."""
    moves = []
    for name, count in sorted(wish.counts.items()):
        before, domain = state.count(name), state.domains[name]
        if before != count:
            mode = unit_mode(state.version, domain, name in offline)
            moves.append(Move(domain, before, count, mode))
    return moves


def vcpu_moves(state: LdmState, wish: Wish) -> list[Move]:
    """Return the domains whose number of virtual CPUs changes, in the order of their names."""
    return [
        Move(state.domains[name], state.domains[name].vcpu, number)
        for name, number in sorted(wish.vcpus.items())
        if state.domains[name].vcpu != number
    ]


def unit_phases(state: LdmState, units: list[Move], vcpus: list[Move]) -> list[Phase]:
    """Return the phases, each but the last ending with the reboot that the next one needs.

    Order: units go before the CPUs that carry them, and come after them (Logical Domains 1.3
    guide: set-mau before set-cpu, because CPUs cannot leave without their units). A step that
    starts a delayed reconfiguration ends its phase: no other domain can be changed while it stands.
    """
    phases: list[Phase] = []
    steps: list[StepPlan] = []
    for move, made in _ordered(state, units, vcpus):
        steps += made
        if move.mode in (UnitMode.DELAYED, UnitMode.STARTED_DELAYED):
            phases.append(_waiting(state, move, steps))
            steps = []
    if steps:
        phases.append(Phase(title=steps[0].title, steps=steps))
    return phases


def _ordered(
    state: LdmState, units: list[Move], vcpus: list[Move]
) -> Iterator[tuple[Move, list[StepPlan]]]:
    def is_waiting(move: Move) -> bool:
        return move.mode in (UnitMode.DELAYED, UnitMode.STARTED_DELAYED)

    # What needs no reboot goes first within each rank; the order among equals is by name.
    ranked = sorted(units, key=is_waiting)
    # 1. Fewer units. 2. Fewer CPUs. 3. More CPUs. 4. More units.
    yield from ((m, _unit_steps(state, m)) for m in ranked if m.after < m.before)
    yield from ((m, [_vcpu_step(state, m)]) for m in vcpus if m.after < m.before)
    yield from ((m, [_vcpu_step(state, m)]) for m in vcpus if m.after > m.before)
    yield from ((m, _unit_steps(state, m)) for m in ranked if m.after > m.before)


def _unit_steps(state: LdmState, move: Move) -> list[StepPlan]:
    name = move.domain.name
    count = parts.unit_count(name)
    if move.mode is UnitMode.STOPPED:
        step = _set_units(state, move, {count: move.before}, {count: move.after})
        return [_stop(state, name), step, _start(state, name)]
    if move.mode is UnitMode.DIRECT:
        return [_set_units(state, move, {count: move.before}, {count: move.after})]
    none: dict[str, Attribute] = {parts.domain_reconfiguration(name): parts.NONE}
    pending: dict[str, Attribute] = {parts.domain_reconfiguration(name): parts.PENDING}
    cancel = cancel_reconf_argv(state.program, state.version, name)
    if move.mode is UnitMode.DELAYED:
        return [_set_units(state, move, none, pending, cancel)]
    begin = StepPlan(
        title=f"Start a delayed reconfiguration of {name}",
        argv=[state.program, "start-reconf", name],
        undo_argv=cancel,
        before=none,
        after=pending,
        timeout_seconds=SET_SECONDS,
    )
    return [begin, _set_units(state, move, pending, pending)]


def _set_units(
    state: LdmState,
    move: Move,
    before: dict[str, Attribute],
    after: dict[str, Attribute],
    undo: list[str] | None = None,
) -> StepPlan:
    name, command = move.domain.name, set_units_command(state.version)
    number = abs(move.after - move.before)
    units = f"{number} crypto unit{'s'[: number != 1]}"
    verb = f"Take {units} from" if move.after < move.before else f"Give {units} to"
    return StepPlan(
        title=f"{verb} {name} ({move.before} → {move.after})",
        argv=[state.program, command, str(move.after), name],
        undo_argv=undo or [state.program, command, str(move.before), name],
        before=before,
        after=after,
        timeout_seconds=SET_SECONDS,
    )


def _vcpu_step(state: LdmState, move: Move) -> StepPlan:
    name = move.domain.name
    return StepPlan(
        title=f"Set the virtual CPUs of {name} ({move.before} → {move.after})",
        argv=[state.program, "set-vcpu", str(move.after), name],
        undo_argv=[state.program, "set-vcpu", str(move.before), name],
        before={parts.domain_vcpu(name): move.before},
        after={parts.domain_vcpu(name): move.after},
        timeout_seconds=SET_SECONDS,
    )


def _stop(state: LdmState, name: str) -> StepPlan:
    return StepPlan(
        title=f"Stop {name}",
        argv=[state.program, "stop-domain", name],
        undo_argv=[state.program, "start-domain", name],
        before={parts.domain_state(name): ACTIVE},
        after={parts.domain_state(name): "bound"},
        timeout_seconds=STOP_SECONDS,
    )


def _start(state: LdmState, name: str) -> StepPlan:
    return StepPlan(
        title=f"Start {name}",
        argv=[state.program, "start-domain", name],
        undo_argv=[state.program, "stop-domain", name],
        before={parts.domain_state(name): "bound"},
        after={parts.domain_state(name): ACTIVE},
        timeout_seconds=STOP_SECONDS,
    )


def _waiting(state: LdmState, move: Move, steps: list[StepPlan]) -> Phase:
    name = move.domain.name
    return Phase(
        title=f"{steps[-1].title}, then reboot {name}",
        steps=steps,
        waits_for=[name],
        wait_text=wait_text(state, move.domain),
        wait_commands=[f"shutdown -y -g0 -i6    (typed in {name})"],
        settles={
            parts.unit_count(name): move.after,
            parts.domain_reconfiguration(name): parts.NONE,
        },
    )


def wait_text(state: LdmState, domain: Domain) -> str:
    """Return what to do and what it stalls. Names no state that an earlier phase changes."""
    text = f"Reboot {domain.name}; until then ldm refuses changes to all other domains."
    guests = stalled_guests(state.domains, domain)
    if guests:
        text += (
            f" {domain.name} serves the virtual disks and networks of {', '.join(guests)}: their "
            "I/O waits until it is back."
        )
    return text


def stalled_guests(domains: Mapping[str, Domain], rebooted: Domain) -> list[str]:
    """Return the running guests whose virtual I/O waits while a control or service domain boots."""
    if not (rebooted.is_control or rebooted.is_service):
        return []
    return [d.name for d in domains.values() if d.state == ACTIVE and d.name != rebooted.name]
