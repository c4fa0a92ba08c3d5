"""What the cores allow, against every assignment tried one by one on small machines."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from agents.changes.base import ChangeRefused
from agents.drivers.solaris.kinds.ldm_state import Domain, LdmState, Unit
from agents.drivers.solaris.kinds.matching import Wish, check_assignment

NAMES = ("a", "b", "c")
CORES = 4


@st.composite
def machines(draw: st.DrawFn) -> LdmState:
    """Four cores of two strands, each strand with some domain or free; units held by neighbours."""
    holder = [draw(st.sampled_from(["", *NAMES])) for _ in range(2 * CORES)]
    domains = {
        name: Domain(
            name=name,
            state="active",
            strands=frozenset(s for s, h in enumerate(holder) if h == name),
            vcpu=holder.count(name),
        )
        for name in NAMES
    }
    units = tuple(
        Unit(
            key=f"mau:{core}",
            core=core,
            cpuset=(2 * core, 2 * core + 1),
            owner=draw(st.sampled_from(sorted({"", holder[2 * core], holder[2 * core + 1]}))),
        )
        for core in range(CORES)
    )
    return LdmState(program="ldm", version=(2, 0), domains=domains, units=units)


def exists(state: LdmState, counts: dict[str, int]) -> bool:
    """Try every owner for every unit; a domain that does not give keeps the very units it has."""
    wanted = {name: counts.get(name, state.count(name)) for name in NAMES}
    keeps = {name for name in NAMES if wanted[name] >= state.count(name)}
    for owners in product(("", *NAMES), repeat=CORES):
        pairs = list(zip(state.units, owners, strict=True))
        if (
            all(owners.count(name) == wanted[name] for name in NAMES)
            and all(unit.owner not in keeps or unit.owner == o for unit, o in pairs)
            and all(
                not o or unit.owner == o or state.domains[o].strands & set(unit.cpuset)
                for unit, o in pairs
            )
            and all(unit.owner == o or not o or o in keeps for unit, o in pairs)
        ):
            return True
    return False


@given(machines(), st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), min_size=1))
def test_an_assignment_is_found_exactly_where_there_is_one(
    state: LdmState, counts: dict[str, int]
) -> None:
    try:
        check_assignment(state, Wish(counts=counts))
        is_found = True
    except ChangeRefused:
        is_found = False
    assert is_found == exists(state, counts)
