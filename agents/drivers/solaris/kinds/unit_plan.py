"""The pure planner of `unit.assign`: from what is asked for and one look at ldm to a plan."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.changes.base import ChangeRefused, Seen
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds.ldm_state import SETTLED_STATES, LdmState
from agents.drivers.solaris.kinds.matching import Wish, check_assignment
from agents.drivers.solaris.kinds.unit_phases import Move, unit_moves, unit_phases, vcpu_moves
from agents.drivers.solaris.kinds.unit_words import consequences, risk, sentence, warnings
from agents.wire.changes import ChangeRequest, Plan
from agents.wire.inventory import Attribute

KIND = "unit.assign"


@dataclass(frozen=True, slots=True)
class _Asked:
    wish: Wish
    offline: frozenset[str]


def plan_units(parameters: Mapping[str, Any], seen: Seen[LdmState]) -> Plan:
    """Return the plan. Raises ChangeRefused with what the parameters or the host do not allow."""
    state = seen.state
    # 1. What is asked for, checked against the domains that there are.
    if not state.units:
        raise _no_units()
    asked = _asked(parameters, state)
    # 2. Whether the host is in a state in which it can be changed at all.
    check_pending(state)
    units = unit_moves(state, asked.wish, asked.offline)
    vcpus = vcpu_moves(state, asked.wish)
    _check_states(units, vcpus)
    # 3. Only what the cores allow.
    _check_vcpus(state, asked.wish)
    notes = check_assignment(state, asked.wish)
    # 4. The plan.
    return _plan(parameters, seen, asked.wish, units, vcpus, notes)


def _plan(
    parameters: Mapping[str, Any],
    seen: Seen[LdmState],
    wish: Wish,
    units: list[Move],
    vcpus: list[Move],
    notes: list[str],
) -> Plan:
    state = seen.state
    phases = unit_phases(state, units, vcpus)
    ends: dict[str, Attribute] = {parts.unit_count(d): n for d, n in wish.counts.items()}
    ends |= {parts.domain_vcpu(d): n for d, n in wish.vcpus.items()}
    return Plan(
        request=ChangeRequest(kind=KIND, parameters=dict(parameters)),
        sentence=sentence(units, vcpus),
        parts=_looked_at(seen, wish),
        phases=phases,
        ends=ends,
        consequences=consequences(state, units, vcpus),
        risk=risk(units, vcpus),
        is_noop=not phases,
        warnings=warnings(state, units, vcpus) + notes if phases else [],
        rollback=_rollback(parameters, units, vcpus) if phases else None,
        rollback_reason="" if phases else "There is nothing to undo.",
    )


def _looked_at(seen: Seen[LdmState], wish: Wish) -> dict[str, Attribute]:
    """Return the preconditions: the domains named, and who holds the units within their reach."""
    state = seen.state
    names = sorted({*wish.counts, *wish.vcpus})
    wanted = []
    for name in names:
        wanted += [parts.unit_count(name), parts.domain_vcpu(name), parts.domain_state(name)]
        wanted.append(parts.domain_reconfiguration(name))
    strands = {s for name in names for s in state.domains[name].strands}
    wanted += [parts.unit_owner(u.key) for u in state.units if not strands.isdisjoint(u.cpuset)]
    return {part: seen.parts[part] for part in wanted}


def _rollback(parameters: Mapping[str, Any], units: list[Move], vcpus: list[Move]) -> ChangeRequest:
    back: dict[str, Any] = {}
    if units:
        back["counts"] = {move.domain.name: move.before for move in units}
    if vcpus:
        back["vcpus"] = {move.domain.name: move.before for move in vcpus}
    if "offline" in parameters:
        back["offline"] = list(parameters["offline"])
    return ChangeRequest(kind=KIND, parameters=back)


def _asked(parameters: Mapping[str, Any], state: LdmState) -> _Asked:
    validation.only_keys(parameters, ("counts", "vcpus", "units", "offline", "force"))
    validation.flag(parameters, "force")
    if "units" in parameters:
        raise _addressed(validation.mapping(parameters, "units"), state)
    counts = _numbers(parameters, "counts", state, low=0)
    vcpus = _numbers(parameters, "vcpus", state, low=1)
    if not counts and not vcpus:
        raise validation.invalid("counts", "names no domain", 'Write {"ldg1": 1}.')
    offline = parameters.get("offline", [])
    if not isinstance(offline, list):
        raise validation.invalid("offline", "must be a list of domains")
    names = [_known(name, f"offline[{i}]", state) for i, name in enumerate(offline)]
    return _Asked(Wish(counts=counts, vcpus=vcpus), frozenset(names))


def _numbers(
    parameters: Mapping[str, Any], key: str, state: LdmState, *, low: int
) -> dict[str, int]:
    return {
        _known(name, f"{key}.{name}", state): validation.whole_number(
            number, f"{key}.{name}", low=low
        )
        for name, number in sorted(validation.mapping(parameters, key).items())
    }


def _known(name: Any, path: str, state: LdmState) -> str:
    domain = validation.domain_name(name, path)
    if domain not in state.domains:
        raise ChangeRefused(
            "domain.unknown",
            f"There is no domain {domain} here.",
            f"Domains: {', '.join(sorted(state.domains))}.",
            domain,
        )
    return domain


def _addressed(units: Mapping[str, Any], state: LdmState) -> ChangeRefused:
    owners = {unit.key: unit.owner for unit in state.units}
    unknown = sorted(set(units) - set(owners))
    if unknown:
        return ChangeRefused("unit.unknown", f"There is no unit {unknown[0]} here.")
    wanted = Counter({**owners, **units}.values())
    changed = {owners[key] for key in units} | set(units.values())
    counts = {name: wanted[name] for name in sorted(map(str, changed)) if name}
    return ChangeRefused(
        "unit.not_addressable",
        "ldm counts crypto units and picks them itself; a certain unit cannot be asked for.",
        f"Ask for numbers: counts {counts}.",
    )


def check_pending(state: LdmState) -> None:
    """Refuse while any delayed reconfiguration stands."""
    name = state.pending()
    if name:
        raise ChangeRefused(
            "reconf.pending",
            f"A delayed reconfiguration of {name} waits for its reboot; until then ldm refuses "
            "changes to all other domains.",
            f"Reboot {name}, or drop the reconfiguration with reconf.cancel.",
            name,
        )


def _check_states(units: list[Move], vcpus: list[Move]) -> None:
    for move in (*units, *vcpus):
        name, state = move.domain.name, move.domain.state
        if state not in SETTLED_STATES:
            raise ChangeRefused(
                "domain.busy", f"{name} is {state}.", "Plan again when that is over.", name
            )
        if state == "inactive":
            raise ChangeRefused(
                "unit.domain_inactive",
                f"{name} is inactive: no CPUs are bound to it, so no core's unit can be.",
                f"Bind it first (ldm bind-domain {name}).",
                name,
            )


def _check_vcpus(state: LdmState, wish: Wish) -> None:
    free = len(state.free_strands)
    grows = 0
    for name, domain in state.domains.items():
        number = wish.vcpus.get(name, domain.vcpu)
        grows += number - domain.vcpu
        units = wish.counts.get(name, state.count(name))
        if name in wish.vcpus and units > number:
            raise ChangeRefused(
                "unit.core_not_owned",
                f"{name} is to have {number} virtual CPUs and {units} crypto units; each unit "
                "needs a strand on its core.",
                f"Ask for at most {number} units.",
                name,
            )
    if grows > free:
        raise ChangeRefused(
            "vcpu.not_free",
            f"{grows} more virtual CPUs are asked for and {free} strands are free.",
            "Take them from another domain in the same change.",
        )


def _no_units() -> ChangeRefused:
    return ChangeRefused(
        "unit.none",
        "This machine has no crypto units to assign. From SPARC T4 on they became instructions in "
        "the core, which every domain may use.",
    )
