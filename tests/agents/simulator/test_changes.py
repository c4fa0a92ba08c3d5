"""The whole way on a simulated machine: read, plan, apply phase by phase, undo; faults between."""

from collections.abc import Callable
from typing import Any

import pytest

from agents.changes.base import ChangeRefused
from tests.agents.simulator.engine import ChangeOnSimulated
from tests.support.simulated import Simulated

Make = Callable[[str], Simulated]
MOVE: dict[str, Any] = {
    "counts": {"primary": 1, "ldg1": 2},
    "vcpus": {"primary": 8, "ldg1": 16},
}
"""One of primary's units goes to ldg1, and its core with it."""


def move(machine: Simulated) -> ChangeOnSimulated:
    return ChangeOnSimulated(machine, "unit.assign", MOVE)


def test_a_unit_moves_at_once_where_units_are_dynamic(simulated: Make) -> None:
    change = move(simulated("t5120"))
    plan = change.plan()
    assert change.apply_all(plan) == ["succeeded"]
    assert change.machine.units()["ldg1"] == [1, 2]
    assert change.plan().is_noop


def test_a_unit_moves_in_phases_where_each_reboot_comes_in_between(simulated: Make) -> None:
    machine = simulated("t5120-ldoms11")
    change = move(machine)
    plan = change.plan()
    assert [phase.waits_for for phase in plan.phases] == [["primary"], ["ldg1"]]
    assert change.apply_all(plan) == ["waiting_reboot", "waiting_reboot", "succeeded"]
    assert (machine.units()["primary"], machine.units()["ldg1"]) == ([0], [1, 2])


def test_on_1_2_the_guest_is_stopped_and_started(simulated: Make) -> None:
    machine = simulated("t5120-ldoms12")
    change = move(machine)
    plan = change.plan()
    assert change.apply_all(plan) == ["waiting_reboot", "succeeded"]
    assert machine.units()["ldg1"] == [1, 2]
    assert machine.world.domains["ldg1"].is_active


def test_and_it_is_rolled_back(simulated: Make) -> None:
    machine = simulated("t5120")
    change = move(machine)
    plan = change.plan()
    change.apply_all(plan)
    assert plan.rollback is not None
    back = ChangeOnSimulated(machine, plan.rollback.kind, plan.rollback.parameters)
    assert back.apply_all(back.plan()) == ["succeeded"]
    assert (machine.units()["primary"], machine.units()["ldg1"]) == ([0, 1], [2])


def test_plans_say_the_real_programs_and_that_they_are_simulated(simulated: Make) -> None:
    plan = move(simulated("t5120")).plan()
    assert plan.is_simulated
    assert {step.argv[0] for phase in plan.phases for step in phase.steps} == {
        "/opt/SUNWldm/bin/ldm"
    }


@pytest.mark.parametrize(
    ("kind", "ends"),
    [("error", "failed"), ("nothing", "failed"), ("half", "rolled_back")],
)
def test_what_fails_is_undone_or_never_stood(simulated: Make, kind: str, ends: str) -> None:
    machine = simulated("t5120")
    change = ChangeOnSimulated(machine, "unit.assign", {"counts": {"primary": 0}})
    plan = change.plan()
    machine.fault(kind, "ldm", "set-crypto")
    assert change.apply(plan, 0).state == ends
    assert machine.units()["primary"] == [0, 1]


def test_a_tool_that_fails_having_done_all_is_judged_by_what_is_read(simulated: Make) -> None:
    machine = simulated("t5120")
    change = ChangeOnSimulated(machine, "unit.assign", {"counts": {"primary": 0}})
    plan = change.plan()
    machine.fault("lie", "ldm", "set-crypto")
    result = change.apply(plan, 0)
    assert (result.state, machine.units()["primary"]) == ("succeeded", [])
    assert result.steps[0].exit_code == 1


def test_a_second_admin_in_between_makes_the_plan_stale(simulated: Make) -> None:
    machine = simulated("t5120")
    change = ChangeOnSimulated(machine, "unit.assign", {"counts": {"primary": 1}})
    plan = change.plan()
    machine.out("ldm set-crypto 0 primary")
    result = change.apply(plan, 0)
    assert result.state == "stale"
    assert machine.units()["primary"] == []


def test_with_ldmd_down_nothing_is_planned(simulated: Make) -> None:
    machine = simulated("t5120")
    change = move(machine)
    machine.fault("down", "ldm", times=0)
    with pytest.raises(ChangeRefused, match="Failed to connect to logical domain manager"):
        change.plan()


@pytest.mark.parametrize(
    ("kind", "parameters", "show", "expected"),
    [
        ("metaslot.disable", {}, "cryptoadm list metaslot", "Status: disabled"),
        (
            "mechanism.policy",
            {"provider": "aes", "disable": ["CKM_AES_ECB"]},
            "cryptoadm list -p provider=aes",
            "except CKM_AES_ECB",
        ),
        ("provider.unload", {"provider": "md5"}, "cryptoadm list", "md5 (inactive)"),
        ("spconfig.save", {"name": "tuesday"}, "ldm list-spconfig", "tuesday [next poweron]"),
    ],
)
def test_other_kinds_reach_the_machine(
    simulated: Make, kind: str, parameters: dict[str, Any], show: str, expected: str
) -> None:
    machine = simulated("t5120")
    change = ChangeOnSimulated(machine, kind, parameters)
    assert change.apply_all(change.plan()) == ["succeeded"]
    assert expected in machine.out(show)


def test_driver_settings_reach_the_simulated_root(simulated: Make) -> None:
    machine = simulated("t5440")
    settings = {"driver": "n2cp", "settings": {"n2cp-sync-threads": 8}}
    change = ChangeOnSimulated(machine, "driver.configure", settings)
    assert change.apply_all(change.plan()) == ["succeeded"]
    text = machine.file("/platform/sun4v/kernel/drv/n2cp.conf").read_text()
    assert "n2cp-sync-threads=8;" in text
