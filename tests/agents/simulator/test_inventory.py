"""The real driver reads every edition and every variant of the simulated machine."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents.config import AgentConfig, Config
from agents.drivers.base import ScanContext
from agents.drivers.registry import NoDriver, choose_driver
from agents.drivers.simulator.editions import EDITIONS
from agents.drivers.simulator.variants import VARIANTS
from agents.wire.inventory import Facts
from tests.support.simulated import Simulated

Make = Callable[[str], Simulated]
TELLING = frozenset(
    ("cryptoadm.kernel_slots", "cryptoadm.fips", "metaslot.actual", "psrinfo.cores")
)
"""What these variants change is no matter of form: other facts are right."""


def facts_of(machine: Simulated) -> Facts:
    config = Config(state_dir=machine.state_dir, simulate=machine.world.edition.name)
    return choose_driver(config).inventory(ScanContext()).facts


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_is_read_without_a_blind_spot(simulated: Make, edition: str) -> None:
    machine = simulated(edition)
    facts = facts_of(machine)
    assert {finding.code for finding in facts.findings} <= {"unit.free"}
    assert facts.host.blind_spots == []
    assert {domain.name for domain in facts.domains} == machine.world.domains.keys()
    units = [unit for unit in facts.units if unit.is_assignable]
    assert len(units) == len(machine.world.edition.unit_ids())
    owners = sorted(unit.domain_key for unit in units if unit.domain_key)
    held = [d.name for d in machine.world.domains.values() for _ in d.maus]
    assert owners == sorted(held)


def test_everything_is_labelled_simulated(simulated: Make) -> None:
    host = facts_of(simulated("t5120")).host
    assert (host.is_simulated, host.source, host.platform) == (True, "simulator", "solaris")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("place", [1, 2])
def test_no_variant_of_a_format_changes_what_is_read(
    simulated: Make, edition: str, place: int
) -> None:
    machine = simulated(edition)
    expected = facts_of(machine)
    for name, known in VARIANTS.items():
        if name not in TELLING:
            machine.turn(name, known.choices[min(place, len(known.choices) - 1)])
    found = facts_of(machine)
    for field in ("units", "domains", "providers", "parts", "findings", "settings"):
        assert getattr(found, field) == getattr(expected, field), field
    # kstat.nostats: the one thing that nobody can see then, said in a sentence.
    spots = found.host.blind_spots
    assert len(spots) == ("n2cp/0" in {provider.name for provider in found.providers})
    assert all("tell no counters" in sentence for sentence in spots)


@pytest.mark.parametrize("edition", ["t5120", "t4-1"])
@pytest.mark.parametrize("name", sorted(TELLING))
def test_variants_that_tell_other_facts_are_read_without_a_blind_spot(
    simulated: Make, edition: str, name: str
) -> None:
    machine = simulated(edition)
    for value in VARIANTS[name].choices:
        machine.turn(name, value)
        facts = facts_of(machine)
        assert facts.host.blind_spots == []
        assert len(facts.units) == len(machine.world.edition.unit_ids()) + 1


def test_a_pending_reconfiguration_is_seen(simulated: Make) -> None:
    machine = simulated("t5120-ldoms11")
    machine.out("ldm set-mau 1 primary")
    facts = facts_of(machine)
    assert facts.parts["domain.reconfiguration/primary"] == "pending"
    assert facts.parts["unit.count/primary"] == 2


def test_a_scan_survives_every_fault_of_every_program(simulated: Make) -> None:
    machine = simulated("t5120")
    for kind in ("error", "garbled", "locale", "nothing", "down", "unauthorised"):
        for program in ("ldm", "cryptoadm", "uname", "isainfo", "psrinfo", "kstat"):
            machine.fault(kind, program, nth=1, times=2)
    for _ in range(3):
        assert facts_of(machine).host.is_simulated


def test_no_other_driver_looks_at_the_machine_below(tmp_path: Path) -> None:
    config = Config(state_dir=tmp_path, simulate="t5120", agent=AgentConfig(driver="linux"))
    with pytest.raises(NoDriver, match="A simulated host has no driver 'linux'"):
        choose_driver(config)
