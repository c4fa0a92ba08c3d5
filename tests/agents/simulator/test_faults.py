"""Faults strike the call that they name, and no other."""

import time
from pathlib import Path

import pytest

from agents.drivers.simulator import control
from agents.drivers.simulator.faults import InvalidFault, fault_from_plain
from tests.support.simulated import Simulated


def test_the_nth_matching_call_is_struck(t5120: Simulated) -> None:
    t5120.fault("error", "ldm", "set-crypto", nth=2, contains="ldg")
    assert t5120.run("ldm set-crypto 1 primary").returncode == 0
    assert t5120.run("ldm set-crypto 0 ldg2").returncode == 0
    struck = t5120.run("ldm set-crypto 0 ldg1")
    assert (struck.returncode, struck.stderr) == (1, "Resource modification failed\n")
    assert t5120.units()["ldg1"] == [2]
    assert t5120.run("ldm set-crypto 0 ldg1").returncode == 0


def test_a_message_exit_code_and_stream_of_ones_own(t5120: Simulated) -> None:
    t5120.fault("error", "ldm", message="no more", exit_code=7, stream="stdout")
    done = t5120.run("ldm list")
    assert (done.returncode, done.stdout, done.stderr) == (7, "no more\n", "")


def test_nothing_done_and_exit_0(t5120: Simulated) -> None:
    t5120.fault("nothing", "ldm", "set-crypto")
    done = t5120.run("ldm set-crypto 0 primary")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert t5120.units()["primary"] == [0, 1]


def test_half_done_leaves_one_of_two_units(t5120: Simulated) -> None:
    t5120.fault("half", "ldm", "set-crypto")
    assert t5120.run("ldm set-crypto 0 primary").returncode == 1
    assert t5120.units()["primary"] == [0]


def test_done_and_said_to_have_failed(t5120: Simulated) -> None:
    t5120.fault("lie", "ldm", "set-crypto")
    assert t5120.run("ldm set-crypto 0 primary").returncode == 1
    assert t5120.units()["primary"] == []


@pytest.mark.parametrize(("kind", "left"), [("hang", [0, 1]), ("hang_after", [])])
def test_a_call_that_hangs_holds_up_nobody_else(
    t5120: Simulated, kind: str, left: list[int]
) -> None:
    t5120.fault(kind, "ldm", "set-crypto", seconds=0.5)
    started = time.monotonic()
    t5120.run("ldm set-crypto 0 primary")
    assert time.monotonic() - started >= 0.5
    assert t5120.units()["primary"] == left


def test_ldmd_is_down_from_then_on(t5120: Simulated) -> None:
    t5120.fault("down", "ldm", times=0)
    for _ in range(3):
        done = t5120.run("ldm list")
        assert done.returncode == 1
        assert done.stderr.startswith("Failed to connect to logical domain manager")
    with control.changing(t5120.directory) as world:
        world.faults.clear()
    assert t5120.run("ldm list").returncode == 0


def test_a_held_lock_is_cryptoadms_own_message(t5120: Simulated) -> None:
    t5120.fault("lock", "cryptoadm", "disable")
    done = t5120.run("cryptoadm disable metaslot")
    expected = "failed to lock the configuration - Resource temporarily unavailable"
    assert (done.returncode, done.stderr) == (1, f"cryptoadm: {expected}\n")


def test_garbled_and_foreign_output(t5120: Simulated) -> None:
    clean = t5120.out("cryptoadm list -p provider=aes")
    t5120.fault("locale", "cryptoadm")
    assert t5120.out("cryptoadm list -p provider=aes") == "aes: alle Mechanismen sind aktiviert.\n"
    t5120.fault("garbled", "cryptoadm")
    assert t5120.out("cryptoadm list -p provider=aes") not in ("", clean)
    assert t5120.out("cryptoadm list -p provider=aes") == clean


def test_a_second_admin_acts_after_the_call_that_is_named(t5120: Simulated) -> None:
    t5120.fault("second_admin", "ldm", "list-bindings", nth=2, command="ldm set-mau 0 ldg1")
    t5120.out("ldm list-bindings")
    assert t5120.units()["ldg1"] == [2]
    assert "|id=2|" in t5120.out("ldm list-bindings -p ldg1")
    assert t5120.units()["ldg1"] == []


def test_a_scenario_file_sets_faults_and_variants(t5120: Simulated, tmp_path: Path) -> None:
    file = tmp_path / "scenario.toml"
    text = '[[fault]]\nkind = "error"\nprogram = "kstat"\n[variant]\n"ldm.norm" = "no"\n'
    file.write_text(text)
    with control.changing(t5120.directory) as world:
        assert control.scenario_load(world, file) == 1
    assert t5120.run("kstat -p").returncode == 1
    assert t5120.world.variants == {"ldm.norm": "no"}


@pytest.mark.parametrize(
    "plain",
    [
        {"kind": "bogus", "program": "ldm"},
        {"kind": "error"},
        {"kind": "error", "program": "ldm", "nth": 0},
        {"kind": "error", "program": "ldm", "stream": "stdlog"},
        {"kind": "second_admin", "program": "ldm"},
        {"kind": "error", "program": "ldm", "command": "ldm list"},
        {"kind": "error", "program": "ldm", "frequency": 2},
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(plain: dict[str, object]) -> None:
    with pytest.raises(InvalidFault):
        fault_from_plain(plain)
