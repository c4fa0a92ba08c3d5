"""Whether the cores allow an assignment: one unit serves one domain with strands on its core."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agents.changes.base import ChangeRefused
from agents.drivers.solaris.kinds.ldm_state import Domain, LdmState, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Units and virtual CPUs that each domain is to have; domains left out keep theirs."""

    counts: Mapping[str, int]
    vcpus: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Problem:
    state: LdmState
    wish: Wish
    served: dict[str, list[int]]
    """Per domain that wants units: the units (by index) that its strands can reach."""
    most: dict[str, int]
    """Per domain that wants units: how many it can reach at once."""
    owner: dict[int, str]
    """Per unit, who has it in the assignment found so far."""


def check_assignment(state: LdmState, wish: Wish) -> list[str]:
    """Raise ChangeRefused naming core and domain where no assignment exists; return warnings.

    ldm picks the unit itself. Where only one of its choices leads on, a warning says so.
    """
    if not _try(state, wish, is_strict=True):
        return []
    refusal = _try(state, wish, is_strict=False)
    if refusal:
        raise refusal
    givers = [name for name, count in wish.counts.items() if 0 < count < state.count(name)]
    return [
        f"ldm picks which unit of {name} it frees. If that is not the one which is needed, the "
        "next step fails and all is undone."
        for name in givers
    ]


def _try(state: LdmState, wish: Wish, *, is_strict: bool) -> ChangeRefused | None:
    """Match; strict: what a domain that keeps some of its units frees is counted on by nobody."""
    served = _reachable(state, wish)
    problem = _Problem(state, wish, served, _most(state, wish, served), {})
    kept: dict[str, int] = {}
    for index, unit in enumerate(state.units):
        if not unit.owner:
            continue
        wanted = wish.counts.get(unit.owner, -1)
        gives = 0 <= wanted < state.count(unit.owner)
        if not gives or (is_strict and wanted > 0):
            problem.owner[index] = unit.owner
        elif wanted > 0:
            kept[unit.owner] = wanted
    demands = [(name, kept[name], _own(state, name)) for name in kept]
    demands += _growth(problem)
    for name, count in wish.counts.items():
        if count > max(problem.most[name], state.count(name)):
            return _refusal(problem, name)
    return _match(problem, demands)


def _match(
    problem: _Problem, demands: Sequence[tuple[str, int, list[int]]]
) -> ChangeRefused | None:
    fixed = set(problem.owner)
    candidates = {name: [u for u in units if u not in fixed] for name, _, units in demands}
    for name, number, _ in demands:
        for _ in range(number):
            if not _augment(name, candidates, problem.owner):
                return _refusal(problem, name)
    return None


def _own(state: LdmState, name: str) -> list[int]:
    return [index for index, unit in enumerate(state.units) if unit.owner == name]


def _growth(problem: _Problem) -> list[tuple[str, int, list[int]]]:
    state, counts = problem.state, problem.wish.counts
    return [
        (name, count - state.count(name), problem.served[name])
        for name, count in counts.items()
        if count > state.count(name)
    ]


def _augment(start: str, candidates: Mapping[str, list[int]], owner: dict[int, str]) -> bool:
    """Give `start` one more unit, moving others' provisional ones along a path if need be."""
    came: dict[str, tuple[str, int] | None] = {start: None}
    seen: set[int] = set()
    queue = [start]
    for name in queue:
        for unit in candidates[name]:
            if unit in seen:
                continue
            seen.add(unit)
            holder = owner.get(unit)
            if holder is None:
                _move(name, unit, came, owner)
                return True
            if holder not in came:
                came[holder] = (name, unit)
                queue.append(holder)
    return False


def _move(
    name: str, unit: int, came: Mapping[str, tuple[str, int] | None], owner: dict[int, str]
) -> None:
    owner[unit] = name
    before = came[name]
    while before is not None:
        taker, given = before
        owner[given] = taker
        before = came[taker]


def _reachable(state: LdmState, wish: Wish) -> dict[str, list[int]]:
    """Return, per domain that is to have units, those whose core it has strands on.

    A domain that gets virtual CPUs may also reach cores with a strand that is free, or that a
    domain gives up; which strands ldm picks is not known beforehand.
    """
    by_strand: dict[int, list[int]] = {}
    for index, unit in enumerate(state.units):
        for strand in unit.cpuset:
            by_strand.setdefault(strand, []).append(index)
    loose = set(state.free_strands)
    for name, number in wish.vcpus.items():
        if number < state.domains[name].vcpu:
            loose |= state.domains[name].strands
    reachable = {}
    for name in wish.counts:
        domain = state.domains[name]
        grows = wish.vcpus.get(name, domain.vcpu) > domain.vcpu
        strands = domain.strands | loose if grows else domain.strands
        reachable[name] = sorted({u for s in strands for u in by_strand.get(s, ())})
    return reachable


def _most(state: LdmState, wish: Wish, served: Mapping[str, list[int]]) -> dict[str, int]:
    """Return how many units each domain reaches at once.

    Whichever strands ldm adds, they lie on at least as many further cores as they fill.
    """
    width = max((len(unit.cpuset) for unit in state.units), default=1)
    most = {}
    for name, units in served.items():
        domain = state.domains[name]
        own = sum(not domain.strands.isdisjoint(state.units[u].cpuset) for u in units)
        added = max(0, wish.vcpus.get(name, domain.vcpu) - domain.vcpu)
        most[name] = min(len(units), own + -(-added // width))
    return most


def _refusal(problem: _Problem, name: str) -> ChangeRefused:
    domain, units = problem.state.domains[name], problem.state.units
    wanted, reached = problem.wish.counts[name], [units[u] for u in problem.served[name]]
    cores = _words([f"core {unit.core}" for unit in reached])
    if not reached:
        return ChangeRefused(
            "unit.core_not_owned",
            f"{name} has no strand on a core with a crypto unit ({_strands(domain)}), and a unit "
            "serves only a domain with strands on its core.",
            f"Give {name} virtual CPUs of a core whose unit is free.",
            name,
        )
    most = problem.most[name]
    if wanted > most:
        return ChangeRefused(
            "unit.core_not_owned",
            f"{name} can have at most {most} crypto unit{'s'[: most != 1]}: its strands "
            f"{'can ' if most < len(reached) else ''}lie on {cores}, with one unit for each core; "
            f"{wanted} asked for.",
            f"Give {name} virtual CPUs of a further core whose unit is free.",
            name,
        )
    return _taken(problem, name, reached)


def _taken(problem: _Problem, name: str, reached: list[Unit]) -> ChangeRefused:
    holders: dict[str, list[int]] = {}
    for index in problem.served[name]:
        holder = problem.owner.get(index, "")
        if holder and holder != name:
            holders.setdefault(holder, []).append(problem.state.units[index].core)
    others = _words(sorted(holders))
    cores = sorted({core for held in holders.values() for core in held})
    place = _words([f"core {core}" for core in cores])
    return ChangeRefused(
        "unit.core_shared",
        f"{name} cannot have {problem.wish.counts[name]}: the crypto unit of {place} is to serve "
        f"{others}, which has strands there too, and one unit serves one domain.",
        f"Take it from {others} in the same change, or give {name} virtual CPUs of another core.",
        name,
    )


def _strands(domain: Domain) -> str:
    if not domain.strands:
        return "it is not bound to any"
    return f"its strands: {min(domain.strands)} to {max(domain.strands)}"


def _words(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
