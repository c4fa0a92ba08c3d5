"""The Solaris driver on simulated hosts: the real driver, kinds and tools, stand-in programs."""

from pathlib import Path

import pytest

from agents.changes.base import ChangeRefused
from agents.changes.planning import kind_facts, make_plan
from agents.config import AgentConfig, Config
from agents.drivers.base import ScanContext
from agents.drivers.registry import choose_driver
from agents.drivers.simulator.editions import EDITIONS
from agents.drivers.solaris.driver import SolarisDriver
from agents.wire.changes import ChangeRequest
from agents.wire.codec import facts_digest
from agents.wire.inventory import Facts, UnitFacts


def driver_of(tmp_path: Path, edition: str = "t5120") -> SolarisDriver:
    driver = choose_driver(Config(state_dir=tmp_path, simulate=edition))
    assert isinstance(driver, SolarisDriver)
    return driver


def facts_of(tmp_path: Path, edition: str = "t5120") -> Facts:
    return driver_of(tmp_path, edition).facts(ScanContext())


def assignable(facts: Facts) -> list[UnitFacts]:
    return [unit for unit in facts.units if unit.is_assignable]


def test_a_machine_that_is_no_solaris_is_left_to_other_drivers() -> None:
    answer = SolarisDriver.from_config(Config()).probe()
    assert not answer.applies
    assert "not Solaris" in answer.reason


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_every_edition_is_read_and_labelled(tmp_path: Path, edition: str) -> None:
    facts = facts_of(tmp_path, edition)
    assert (facts.host.is_simulated, facts.host.source) == (True, "simulator")
    assert {"primary"} <= {domain.name for domain in facts.domains}
    assert not [f for f in facts.findings if f.code == "host.unreadable"], facts.findings


def test_units_have_owners_and_domains_their_cores(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    owners = {unit.attributes["core"]: unit.domain_key for unit in assignable(facts)}
    assert (owners[0], owners[1], owners[2], owners[7]) == ("primary", "primary", "ldg1", None)
    primary = next(domain for domain in facts.domains if domain.name == "primary")
    assert (primary.attributes["vcpu"], primary.attributes["units"]) == (16, 2)
    assert facts.parts["unit.count/primary"] == 2


def test_since_the_t4_nothing_is_assignable_and_it_says_why(tmp_path: Path) -> None:
    units = facts_of(tmp_path, "t4-1").units
    assert [unit.is_assignable for unit in units] == [False]
    assert "instructions in the core" in units[0].reason


def test_two_scans_with_nothing_changed_are_equal(tmp_path: Path) -> None:
    assert facts_digest(facts_of(tmp_path)) == facts_digest(facts_of(tmp_path))


def test_hardware_providers_and_metaslot_are_found(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    kinds = {provider.name: provider.kind for provider in facts.providers}
    assert kinds["n2cp/0"] == "kernel_hardware"
    assert facts.settings["metaslot.status"] == facts.settings["metaslot.actual"] == "enabled"


def test_only_what_the_hosts_admin_allows_is_accepted(tmp_path: Path) -> None:
    kinds = kind_facts(driver_of(tmp_path), AgentConfig(allow=("unit.*",)))
    assert {kind.name for kind in kinds if kind.is_accepted} == {"unit.assign"}


def test_a_plan_reads_true_to_life(tmp_path: Path) -> None:
    request = ChangeRequest(kind="unit.assign", parameters={"counts": {"primary": 1}})
    plan = make_plan(driver_of(tmp_path), request, is_simulated=True)
    assert plan.phases[0].steps[0].argv == ["/opt/SUNWldm/bin/ldm", "set-crypto", "1", "primary"]
    assert plan.is_simulated
    with pytest.raises(ChangeRefused):
        make_plan(driver_of(tmp_path), ChangeRequest(kind="unit.melt"), is_simulated=True)
