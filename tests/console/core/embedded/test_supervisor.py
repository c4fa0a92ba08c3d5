"""The supervisor keeps programs running and, asked to stop, leaves none behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.core.embedded.instance import InstanceLock, InstanceRecord, wait_until
from console.core.embedded.layout import VarLayout
from console.core.embedded.processes import LOG_BYTES, Program, SupervisedProgram

DRIVER = Path(__file__).with_name("supervised.py")
ROOT = Path(__file__).parents[4]


class Supervised:
    """A running supervisor."""

    def __init__(self, var: Path, programs: dict[str, list[str]]) -> None:
        self.lock = InstanceLock(VarLayout(var))
        self.process = subprocess.Popen(
            [sys.executable, str(DRIVER), str(var), json.dumps(programs)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.line() == "started"

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def record(self) -> InstanceRecord:
        record = self.lock.record()
        assert record is not None
        return record


@pytest.fixture
def running(tmp_path: Path) -> Iterator[list[Supervised]]:
    started: list[Supervised] = []
    yield started
    for supervised in started:
        supervised.process.kill()
        supervised.process.wait()
        supervised.lock.end_leftovers()


def test_a_program_that_is_killed_is_started_again(
    tmp_path: Path, running: list[Supervised]
) -> None:
    running.append(Supervised(tmp_path, {"web": ["sleep", "60"]}))
    first = running[0].record().programs["web"]
    os.kill(first.pid, signal.SIGKILL)
    assert running[0].line().startswith("web ended (signal SIGKILL); starting it again in 0.5 s")
    assert wait_until(lambda: running[0].record().programs["web"] != first, 10)
    assert running[0].record().programs["web"].is_alive()


def test_stopping_ends_programs_that_ignore_sigterm_and_what_they_started(
    tmp_path: Path, running: list[Supervised]
) -> None:
    script = "trap '' TERM; setsid sleep 61 & echo $! >orphan; wait; sleep 62"
    running.append(Supervised(tmp_path, {"stubborn": ["sh", "-c", script]}))
    assert wait_until(lambda: (tmp_path / "orphan").exists(), 5)
    orphan = int((tmp_path / "orphan").read_text())
    stubborn = running[0].record().programs["stubborn"]
    running[0].process.send_signal(signal.SIGTERM)
    assert running[0].process.wait(10) == 0
    assert not stubborn.is_alive()
    assert wait_until(lambda: not Path(f"/proc/{orphan}").exists(), 5)


def test_programs_end_with_a_supervisor_that_is_killed(
    tmp_path: Path, running: list[Supervised]
) -> None:
    running.append(Supervised(tmp_path, {"web": ["sleep", "60"]}))
    web = running[0].record().programs["web"]
    running[0].process.kill()
    assert wait_until(lambda: not web.is_alive(), 5)


def test_what_a_killed_program_left_in_its_group_ends_before_its_successor_starts(
    tmp_path: Path, running: list[Supervised]
) -> None:
    script = "sleep 63 & echo $! >child; wait"
    running.append(Supervised(tmp_path, {"web": ["sh", "-c", script]}))
    assert wait_until(lambda: (tmp_path / "child").exists(), 5)
    child = int((tmp_path / "child").read_text())
    os.kill(running[0].record().programs["web"].pid, signal.SIGKILL)
    assert running[0].line().startswith("web ended")
    assert wait_until(lambda: not Path(f"/proc/{child}").exists(), 5)


def test_pauses_between_starts_grow_to_a_limit(tmp_path: Path) -> None:
    supervised = SupervisedProgram(Program("x", ("true",), tmp_path / "x.log", tmp_path))
    supervised.start()
    pauses = [supervised.note_end() for _ in range(9)]
    supervised.stop()
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


def test_a_log_that_grew_too_large_is_moved_aside(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_bytes(b"x" * (LOG_BYTES + 1))
    SupervisedProgram(Program("web", ("true",), log, tmp_path)).rotate_log()
    assert log.stat().st_size == 0
    assert (tmp_path / "web.log.1").stat().st_size == LOG_BYTES + 1
