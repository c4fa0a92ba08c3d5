"""The answer from end to end: a simulated machine's kstat, the real driver, a heartbeat."""

import time
from pathlib import Path
from typing import Any

import pytest

from agents.config import Config
from agents.drivers.base import ScanContext
from agents.drivers.registry import choose_driver
from agents.wire.codec import encode
from console.accounts.actors import SYSTEM
from console.fleet.models import Host
from console.fleet.pulse import pulse_beat
from console.inventory import counter_readings
from console.inventory.crypto_use import crypto_use_of
from tests.console.hosts import heartbeat, host_with
from tests.support.simulated import Simulated

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]


@pytest.fixture(autouse=True)
def _short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter_readings, "MIN_SECONDS", 0.5)


def scan(machine: Simulated) -> Host:
    """The agent scans and sends what it found, as its daemon does."""
    config = Config(state_dir=machine.state_dir, simulate=machine.world.edition.name)
    found = choose_driver(config).inventory(ScanContext())
    host = host_with(found.facts, "sparc")
    body = encode(heartbeat(gauges=found.gauges))
    pulse_beat(str(host.pk), body, time.time(), has_gauges=True)
    return host


def use(machine: Simulated) -> Any:
    """Two scans, and what the console says of them."""
    scan(machine)
    time.sleep(0.8)
    return crypto_use_of(actor=SYSTEM, host=scan(machine))


@pytest.mark.parametrize(
    ("load", "answer", "words"),
    [
        ("busy", "yes", " by n2cp/0"),
        ("software", "no", "The crypto units of primary did nothing"),
        ("idle", "idle", "were idle"),
        ("overload", "yes", "software did"),
    ],
)
def test_a_simulated_t5120_answers_by_its_load(
    tmp_path: Path, load: str, answer: str, words: str
) -> None:
    machine = Simulated(tmp_path, "t5120")
    machine.load(load)
    found = use(machine)
    assert (found["answer"], found["why_unknown"]) == (answer, "")
    assert words in found["sentence"]
    assert found["sentence"].endswith("simulated host.")
    assert bool(found["warnings"]) == (load == "overload")


def test_instructions_in_the_core_count_nothing_and_it_says_so(tmp_path: Path) -> None:
    found = use(Simulated(tmp_path, "t4-1"))
    assert found["answer"] == "unknown"
    assert "instructions of the CPU, which count nothing" in found["sentence"]


def test_switched_off_counters_leave_what_the_kernel_counts(tmp_path: Path) -> None:
    machine = Simulated(tmp_path, "t5120")
    machine.turn("kstat.nostats", "yes")
    found = use(machine)
    assert found["answer"] == "yes"
    assert {unit["kind"] for unit in found["units"]} == {"kernel_hardware"}
