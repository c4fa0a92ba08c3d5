"""Planning `unit.assign`: order, phases by edition, what the cores allow, words of refusals."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.changes.base import ChangeRefused, Seen
from agents.changes.plans import sealed
from agents.drivers.solaris.kinds.ldm_state import LdmState, unit_parts
from agents.drivers.solaris.kinds.unit_plan import plan_units
from agents.wire.changes import Plan
from tests.agents.drivers.solaris.domains import LDM, after_phase, after_step, t5120


def plan(state: LdmState, **parameters: Any) -> Plan:
    return sealed(plan_units(parameters, Seen(state, unit_parts(state))))


def commands(planned: Plan) -> list[list[str]]:
    return [[" ".join(step.argv[1:]) for step in phase.steps] for phase in planned.phases]


def refused(state: LdmState, **parameters: Any) -> tuple[str, str]:
    with pytest.raises(ChangeRefused) as caught:
        plan(state, **parameters)
    return caught.value.refusal.code, caught.value.refusal.message


MOVE = {"counts": {"primary": 1, "web": 2}, "vcpus": {"web": 16}}


def test_units_leave_before_their_cpus_and_come_after_them() -> None:
    asked = {
        "counts": {"primary": 1, "web": 2},
        "vcpus": {"primary": 8, "web": 16},
    }
    assert commands(plan(t5120(), **asked)) == [
        [
            "set-crypto 1 primary",
            "set-vcpu 8 primary",
            "set-vcpu 16 web",
            "set-crypto 2 web",
        ]
    ]


def test_ldoms_1_1_waits_for_a_reboot_after_each_domain() -> None:
    planned = plan(t5120((1, 1)), **MOVE)
    assert commands(planned) == [["set-mau 1 primary"], ["set-vcpu 16 web", "set-mau 2 web"]]
    assert [phase.waits_for for phase in planned.phases] == [["primary"], ["web"]]


def test_ldoms_1_2_reboots_primary_and_restarts_the_guest() -> None:
    planned = plan(t5120((1, 2)), **MOVE)
    assert commands(planned) == [
        ["set-mau 1 primary"],
        ["set-vcpu 16 web", "stop-domain web", "set-mau 2 web", "start-domain web"],
    ]
    assert [phase.waits_for for phase in planned.phases] == [["primary"], []]


@pytest.mark.parametrize("version", [(1, 3), (2, 0), (3, 4)])
def test_later_versions_do_it_at_once(version: tuple[int, int]) -> None:
    planned = plan(t5120(version), **MOVE)
    assert [phase.waits_for for phase in planned.phases] == [[]]


def test_a_domain_that_cannot_take_it_dynamically_is_stopped_or_reconfigured() -> None:
    planned = plan(t5120((3, 2)), **MOVE, offline=["primary", "web"])
    assert commands(planned)[0] == ["start-reconf primary", "set-crypto 1 primary"]
    assert commands(planned)[1][1:] == ["stop-domain web", "set-crypto 2 web", "start-domain web"]


def test_the_reboot_of_primary_names_the_guests_that_it_stalls() -> None:
    planned = plan(t5120((1, 2)), **MOVE)
    assert planned.risk == "high"
    found = {(one.kind, one.subject) for one in planned.consequences}
    assert {("reboot", "primary"), ("outage", "mail"), ("domain_restart", "web")} <= found
    assert ("unsaved", "host") in found


@pytest.mark.parametrize(
    ("version", "undo"),
    [
        ((1, 1), [LDM, "remove-reconf", "primary"]),
        ((1, 2), [LDM, "cancel-operation", "reconf", "primary"]),
    ],
)
def test_a_delayed_step_is_undone_by_cancelling(version: Any, undo: list[str]) -> None:
    assert plan(t5120(version), counts={"primary": 1}).phases[0].steps[0].undo_argv == undo


def test_the_one_unit_of_a_shared_core_is_refused_with_both_names() -> None:
    code, message = refused(t5120(), counts={"cache": 1})
    assert code == "unit.core_shared"
    assert "cache" in message
    assert "mail" in message
    assert "core 3" in message


def test_the_unit_of_a_shared_core_changes_hands_when_both_are_asked() -> None:
    planned = plan(t5120(), counts={"mail": 0, "cache": 1})
    assert planned.sentence == "Move 1 crypto unit from mail to cache."
    assert commands(planned) == [["set-crypto 0 mail", "set-crypto 1 cache"]]


def test_a_domain_gets_no_unit_of_a_core_on_which_it_has_no_strand() -> None:
    code, message = refused(t5120(), counts={"web": 2})
    assert code == "unit.core_not_owned"
    assert "core 2" in message
    assert refused(t5120(), counts={"spare": 1})[0] == "unit.domain_inactive"


def test_while_a_reconfiguration_stands_nothing_is_planned() -> None:
    state = t5120((1, 2))
    pending = after_step(state, plan(state, counts={"primary": 1}).phases[0].steps[0])
    for counts in ({"web": 0}, {"primary": 1}):
        assert refused(pending, counts=counts)[0] == "reconf.pending"


def test_what_is_there_already_is_a_noop() -> None:
    planned = plan(t5120(), counts={"primary": 2, "web": 1})
    assert planned.is_noop
    assert planned.phases == []


def test_the_rollback_asks_for_the_counts_as_they_were() -> None:
    rollback = plan(t5120(), **MOVE).rollback
    assert rollback is not None
    assert rollback.parameters == {"counts": {"primary": 2, "web": 1}, "vcpus": {"web": 8}}


def test_a_certain_unit_cannot_be_asked_for() -> None:
    assert refused(t5120(), units={"mau:0-7": ""})[0] == "unit.not_addressable"
    assert refused(t5120(), units={"mau:900-907": "web"})[0] == "unit.unknown"


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"counts": {}},
        {"counts": {"-f": 1}},
        {"counts": {"web": True}},
        {"counts": {"web": -1}},
        {"counts": ["web"]},
        {"vcpus": {"web": 0}},
        {"counts": {"web": 1}, "offline": "web"},
        {"counts": {"web": 1}, "colour": "blue"},
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters: dict[str, Any]) -> None:
    assert refused(t5120(), **parameters)[0] == "parameters.invalid"


def test_a_machine_without_units_says_why() -> None:
    state = t5120()
    bare = LdmState(program=LDM, version=(3, 4), domains=state.domains)
    assert refused(bare, counts={"web": 1})[0] == "unit.none"


def test_cpus_that_nobody_has_are_refused() -> None:
    assert refused(t5120(), vcpus={"web": 50})[0] == "vcpu.not_free"
    assert refused(t5120(), vcpus={"primary": 1})[0] == "unit.core_not_owned"


VERSIONS = st.sampled_from([(1, 0), (1, 1), (1, 2), (1, 3), (2, 1), (3, 4)])
OWNERS = st.fixed_dictionaries(
    {
        0: st.sampled_from(["", "primary"]),
        1: st.sampled_from(["", "primary"]),
        2: st.sampled_from(["", "web"]),
        3: st.sampled_from(["", "mail", "cache"]),
    }
)
COUNTS = st.dictionaries(
    st.sampled_from(["primary", "web", "mail", "cache"]), st.integers(0, 3), min_size=1
)


def feasible(owners: dict[int, str], counts: dict[str, int]) -> bool:
    """By looking at it: primary alone on cores 0 and 1, web on 2, mail and cache share 3."""
    have = {name: list(owners.values()).count(name) for name in ("primary", "web", "mail", "cache")}
    wanted = {**have, **counts}
    return wanted["primary"] <= 2 and wanted["web"] <= 1 and wanted["mail"] + wanted["cache"] <= 1


@given(VERSIONS, OWNERS, COUNTS)
def test_exactly_what_the_cores_allow_is_planned(
    version: Any, owners: dict[int, str], counts: dict[str, int]
) -> None:
    state = t5120(version, owners)
    if feasible(owners, counts):
        plan(state, counts=counts)
    else:
        assert refused(state, counts=counts)[0] in ("unit.core_not_owned", "unit.core_shared")


@settings(deadline=None)
@given(VERSIONS, OWNERS, COUNTS, st.fixed_dictionaries({}, optional={"web": st.integers(1, 20)}))
def test_each_phase_leaves_the_phases_that_remain_and_the_last_one_a_noop(
    version: Any, owners: dict[int, str], counts: dict[str, int], vcpus: dict[str, int]
) -> None:
    state, asked = t5120(version, owners), {"counts": counts, "vcpus": vcpus}
    try:
        first = plan(state, **asked)
    except ChangeRefused:
        return
    for number, phase in enumerate(first.phases, start=1):
        state = after_phase(state, phase)
        again = plan(state, **asked)
        assert [p.digest for p in again.phases] == [p.digest for p in first.phases[number:]]
    assert plan(state, **asked).is_noop
    assert {part: unit_parts(state)[part] for part in first.ends} == first.ends
