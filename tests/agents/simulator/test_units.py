"""Cores own units: what a domain can hold, how it changes, and when it waits for a reboot."""

from collections.abc import Callable

import pytest

from tests.support.simulated import Simulated

DELIVERED = {"primary": [0, 1], "ldg1": [2], "ldg2": [3], "ldg3": [], "ldg4": []}


@pytest.mark.parametrize("edition", ["t5120", "t5120-ldoms11", "t5120-ldoms12", "t5120-ldoms13"])
def test_a_t5120_holds_what_an_administrator_expects(
    simulated: Callable[[str], Simulated], edition: str
) -> None:
    machine = simulated(edition)
    assert machine.units() == DELIVERED
    free = [s for s in range(64) if not machine.world.owner_of_strand(s)]
    assert free == list(range(32, 64))


def test_a_unit_is_taken_at_once_where_units_are_dynamic(t5120: Simulated) -> None:
    assert t5120.run("ldm set-crypto 1 primary").returncode == 0
    assert t5120.units()["primary"] == [0]


def test_a_domain_without_a_strand_on_the_core_cannot_hold_its_unit(t5120: Simulated) -> None:
    t5120.out("ldm set-crypto 1 primary")
    refused = t5120.run("ldm set-crypto 2 ldg1")
    assert refused.returncode == 1
    assert "Resource modification failed" in refused.stderr
    assert t5120.units()["ldg1"] == [2]


def test_two_domains_on_one_core_share_one_unit(t5120: Simulated) -> None:
    t5120.out("ldm set-crypto 0 ldg2")
    assert t5120.run("ldm add-crypto 1 ldg2").returncode == 0
    t5120.out("ldm stop ldg3")
    assert t5120.run("ldm set-crypto 1 ldg3").returncode == 1
    t5120.out("ldm rm-crypto 1 ldg2")
    assert t5120.run("ldm set-crypto 1 ldg3").returncode == 0
    assert t5120.units()["ldg3"] == [3]


def test_an_old_guest_takes_units_only_while_it_is_stopped(t5120: Simulated) -> None:
    t5120.out("ldm set-crypto 0 ldg2")
    assert "dynamic reconfiguration" in t5120.run("ldm set-crypto 1 ldg3").stderr
    assert t5120.out("ldm stop-domain ldg3") == "LDom ldg3 stopped\n"
    t5120.out("ldm set-crypto 1 ldg3")
    assert t5120.out("ldm start-domain ldg3") == "LDom ldg3 started\n"
    assert t5120.units()["ldg3"] == [3]


def test_cpus_do_not_leave_before_their_units(t5120: Simulated) -> None:
    refused = t5120.run("ldm set-vcpu 8 primary")
    assert refused.returncode == 1
    assert "remove the crypto" in refused.stderr.replace("\n", " ")
    t5120.out("ldm set-crypto 1 primary")
    t5120.out("ldm set-vcpu 8 primary")
    assert t5120.world.control.strands == list(range(8))


def test_cpus_of_the_own_core_come_first(t5120: Simulated) -> None:
    t5120.out("ldm set-vcpu 2 ldg2")
    t5120.out("ldm set-vcpu 4 ldg2")
    assert t5120.world.domains["ldg2"].strands == [24, 25, 26, 27]


def test_binding_gives_all_or_nothing(t5120: Simulated) -> None:
    t5120.out("ldm bind ldg4")
    ldg4 = t5120.world.domains["ldg4"]
    assert (ldg4.state, ldg4.strands, ldg4.maus) == ("bound", list(range(32, 40)), [4])
    t5120.out("ldm unbind ldg4")
    t5120.out("ldm set-crypto 3 ldg4")
    assert t5120.run("ldm bind ldg4").returncode == 1
    assert t5120.world.domains["ldg4"].strands == []


def test_on_ldoms_1_1_every_running_domain_waits_for_its_reboot(ldoms11: Simulated) -> None:
    assert "Initiating delayed reconfigure operation on LDom ldg1" in ldoms11.out(
        "ldm set-mau 0 ldg1"
    )
    assert ldoms11.units()["ldg1"] == [2]
    ldoms11.reboot("ldg1")
    assert ldoms11.units()["ldg1"] == []


def test_the_seed_of_it_all_one_unit_of_primarys_goes_after_its_reboot(ldoms11: Simulated) -> None:
    ldoms11.out("ldm set-mau 1 primary")
    assert "-ndcv-" in ldoms11.lines("ldm list primary")[1]
    assert "in the process of a delayed" in ldoms11.out("ldm set-mau 0 primary")
    ldoms11.out("ldm set-mau 1 primary")
    ldoms11.reboot("primary")
    assert ldoms11.units()["primary"] == [0]
    assert "-n-cv-" in ldoms11.lines("ldm list primary")[1]


def test_others_cannot_be_changed_while_a_reconfiguration_stands(ldoms11: Simulated) -> None:
    ldoms11.out("ldm set-mau 1 primary")
    refused = ldoms11.run("ldm set-mau 0 ldg1")
    assert refused.returncode == 1
    assert "delayed reconfiguration" in refused.stderr.replace("\n", " ")
    ldoms11.turn("ldm.blocks_others", "no")
    assert ldoms11.run("ldm set-mau 0 ldg1").returncode == 0


def test_a_dropped_reconfiguration_changes_nothing(ldoms11: Simulated) -> None:
    ldoms11.out("ldm set-mau 0 primary")
    ldoms11.out("ldm remove-reconf primary")
    ldoms11.reboot("primary")
    assert ldoms11.units() == DELIVERED


def test_ldoms_1_2_delays_the_control_domain_and_refuses_running_guests(
    simulated: Callable[[str], Simulated],
) -> None:
    machine = simulated("t5120-ldoms12")
    assert machine.run("ldm set-mau 0 ldg1").returncode == 1
    machine.out("ldm set-mau 1 primary")
    machine.out("ldm cancel-operation reconf primary")
    assert machine.world.pending() is None


def test_start_reconf_is_for_the_control_domain(t5120: Simulated) -> None:
    said = t5120.run("ldm start-reconf ldg1").stderr
    assert said == "Delayed reconfiguration of LDom ldg1 is not permitted\n"
    t5120.out("ldm start-reconf primary")
    t5120.out("ldm set-crypto 0 primary")
    assert t5120.units()["primary"] == [0, 1]
    t5120.reboot("primary")
    assert t5120.units()["primary"] == []


def test_a_t4_has_no_units_to_give(simulated: Callable[[str], Simulated]) -> None:
    machine = simulated("t4-1")
    assert machine.run("ldm set-crypto 1 primary").returncode == 1
    assert "MAU" not in machine.out("ldm list-devices -a")


def test_a_t5440_has_32_units_and_256_strands(simulated: Callable[[str], Simulated]) -> None:
    rows = simulated("t5440").lines("ldm list-devices -a -p")
    assert sum(row.startswith("|pid=") for row in rows) == 256
    assert sum(row.startswith("|id=") for row in rows) == 32


def test_what_was_not_saved_is_lost_at_a_power_cycle(t5120: Simulated) -> None:
    t5120.out("ldm set-crypto 1 primary")
    t5120.power_cycle()
    assert t5120.units() == DELIVERED


def test_what_was_saved_comes_back(t5120: Simulated) -> None:
    t5120.out("ldm set-crypto 1 primary")
    t5120.out("ldm add-spconfig one-unit")
    expected = ["factory-default", "initial [current]", "one-unit [next poweron]"]
    assert t5120.lines("ldm list-spconfig") == expected
    t5120.out("ldm set-crypto 0 ldg1")
    t5120.power_cycle()
    assert t5120.units() == {**DELIVERED, "primary": [0]}
    assert "one-unit [current]" in t5120.lines("ldm list-spconfig")


def test_factory_default_gives_primary_everything(t5120: Simulated) -> None:
    t5120.out("ldm set-spconfig factory-default")
    t5120.power_cycle()
    assert t5120.units() == {"primary": list(range(8))}


def test_memory_is_taken_in_steps_of_256_mib(t5120: Simulated) -> None:
    refused = t5120.run("ldm set-memory 3G ldg2")
    assert refused.returncode == 0
    refused = t5120.run("ldm set-memory 1000M ldg1")
    assert refused.returncode == 1
    assert "to ensure a 256MB alignment." in refused.stderr
