"""Setting a machine up: private, idempotent, fast to call, and the same from any directory."""

import json
import stat
import subprocess
import time
from pathlib import Path

import pytest

from agents.drivers.simulator.editions import UnknownEdition
from agents.drivers.simulator.entry import PROGRAMS
from agents.drivers.simulator.install import install, reset
from tests.support.simulated import Simulated

CALL_SECONDS = 0.06


def test_every_program_is_there_and_private(t5120: Simulated) -> None:
    files = {path.name: path for path in (t5120.directory / "bin").iterdir()}
    assert files.keys() == PROGRAMS.keys()
    assert {stat.S_IMODE(path.stat().st_mode) for path in files.values()} == {0o700}
    assert stat.S_IMODE((t5120.directory / "state.json").stat().st_mode) == 0o600


def test_installing_again_keeps_the_state(t5120: Simulated) -> None:
    t5120.out("ldm set-crypto 1 primary")
    install(t5120.state_dir, "t5120")
    assert t5120.units()["primary"] == [0]


def test_another_edition_replaces_the_machine(t5120: Simulated) -> None:
    t5120.out("ldm set-crypto 1 primary")
    install(t5120.state_dir, "t5120-ldoms11")
    assert t5120.units()["primary"] == [0, 1]
    assert t5120.world.edition.ldm == (1, 1)


def test_a_reset_machine_is_as_delivered(t5120: Simulated) -> None:
    t5120.out("cryptoadm disable metaslot")
    t5120.out("ldm set-crypto 1 primary")
    reset(t5120.state_dir)
    assert t5120.units()["primary"] == [0, 1]
    assert "Status: enabled" in t5120.out("cryptoadm list metaslot")


def test_an_unknown_edition_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownEdition, match="t5120-ldoms11"):
        install(tmp_path, "t2000")


def test_a_damaged_state_is_replaced_at_the_next_start(t5120: Simulated) -> None:
    (t5120.directory / "state.json").write_text("{")
    install(t5120.state_dir, "t5120")
    assert t5120.units()["primary"] == [0, 1]


def test_a_path_with_blanks_and_quotes_works(tmp_path: Path) -> None:
    machine = Simulated(tmp_path / "a 'b' \"c\" ü", "t5120")
    assert machine.out("zonename") == "global\n"


def test_a_call_is_fast(t5120: Simulated) -> None:
    argv = [str(t5120.directory / "bin" / "ldm"), "list-bindings", "-p"]
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run(argv, check=True, capture_output=True, env={})
        seconds.append(time.perf_counter() - started)
    # The best of five: what the program itself costs, whatever else the machine does meanwhile.
    assert min(seconds) < CALL_SECONDS * 2


def test_calls_at_once_do_not_lose_changes(t5120: Simulated) -> None:
    program = str(t5120.directory / "bin" / "ldm")
    lines = [["add-vcpu", "1", "ldg4"] for _ in range(12)]
    running = [subprocess.Popen([program, *line], env={}) for line in lines]
    assert [process.wait(timeout=30) for process in running] == [0] * 12
    assert t5120.world.domains["ldg4"].vcpu == 20
    json.loads((t5120.directory / "state.json").read_text())
