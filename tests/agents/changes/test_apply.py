"""Applying one phase: how it ends, cancels, deadlines, and what it costs beyond the tool's time."""

import os
import signal
from datetime import datetime
from pathlib import Path

import pytest

from agents.wire.changes import ApplyState, ChangeRequest, StepState
from tests.agents.support.change_engine import Engine
from tests.agents.support.small_host import BASE, GOAL, KIND, SmallHost

REQUEST = ChangeRequest(kind=KIND, parameters={"unit/a": "1", "unit/b": "1", "file": "new\n"})


def applied(
    host: SmallHost, place: Path, *, timeout_seconds: int = 20, waits: bool = False
) -> Engine:
    driver = host.driver(timeout_seconds=timeout_seconds, waits=waits)
    engine = Engine.prepare(place / "run", driver, REQUEST)
    assert engine.run() == 0
    return engine


def test_all_steps_are_done_and_read_back(host: SmallHost, tmp_path: Path) -> None:
    engine = applied(host, tmp_path)
    result = engine.result()
    assert (result.state, result.is_last) == (ApplyState.SUCCEEDED, True)
    assert [step.state for step in result.steps] == [StepState.DONE] * 3
    assert host.parts() == GOAL == result.parts
    assert engine.finished()["outcome"] == "succeeded"


def test_a_phase_that_waits_ends_waiting(host: SmallHost, tmp_path: Path) -> None:
    result = applied(host, tmp_path, waits=True).result()
    assert result.state == ApplyState.WAITING_REBOOT
    assert host.parts() == GOAL


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("refuse", "(exit code 1): Read back: unit/b is 0. b: device busy"),
        ("lie", "(exit code 0): Read back: unit/b is 0."),
        ("half", "(exit code 1): Read back: unit/b is 1|0. b: interrupted"),
        ("hang", "did not end within 1 s and was killed"),
        ("stuck", "did not end within 1 s and was killed. Read back: unit/b is 1|0."),
    ],
)
def test_a_failed_step_is_named_and_all_is_undone(
    host: SmallHost, tmp_path: Path, fault: str, words: str
) -> None:
    host.fault("b", "1", fault)
    engine = applied(host, tmp_path, timeout_seconds=1)
    result = engine.result()
    assert words in engine.finished()["message"]
    assert "All of it was undone." in engine.finished()["message"]
    assert (result.state, result.steps[0].state) == (ApplyState.ROLLED_BACK, StepState.UNDONE)
    assert result.steps[2].state == StepState.SKIPPED
    assert host.parts() == BASE == result.parts


def test_an_undone_step_still_says_how_it_failed(host: SmallHost, tmp_path: Path) -> None:
    host.fault("b", "1", "half")
    failed = applied(host, tmp_path).result().steps[1]
    assert (failed.state, failed.exit_code) == (StepState.FAILED, 1)
    assert "b: interrupted" in failed.message


def test_a_first_step_that_did_nothing_is_failed_with_nothing_undone(
    host: SmallHost, tmp_path: Path
) -> None:
    host.fault("a", "1", "refuse")
    engine = applied(host, tmp_path)
    assert engine.result().state == ApplyState.FAILED
    assert "journal undo_act" not in engine.points()
    assert host.parts() == BASE


def test_an_undo_that_fails_says_what_stands_and_what_to_type(
    host: SmallHost, tmp_path: Path
) -> None:
    host.fault("b", "1", "refuse")
    host.fault("a", "2", "refuse")
    result = applied(host, tmp_path).result()
    assert result.state == ApplyState.NEEDS_ATTENTION
    assert result.stands == ["Set a to 1: unit/a is 1."]
    assert result.to_type == [f"{host.place}/tool set a 2"]
    assert result.steps[0].state == StepState.UNDO_FAILED


def test_a_host_that_changed_since_the_plan_is_stale_with_the_new_plan(
    host: SmallHost, tmp_path: Path
) -> None:
    engine = Engine.prepare(tmp_path / "run", host.driver(), REQUEST)
    (host.place / "small.conf").write_text("someone else's\n")
    assert engine.run() == 0
    result = engine.result()
    assert result.state == ApplyState.STALE
    assert result.plan is not None
    assert result.plan.parts["file"] == "someone else's\n"
    assert host.parts() == {**BASE, "file": "someone else's\n"}


def test_a_second_admin_in_the_middle_is_not_overrun(host: SmallHost, tmp_path: Path) -> None:
    engine = Engine.prepare(tmp_path / "run", host.driver(), REQUEST)

    def meddle(point: str) -> None:
        if point == "journal ended":
            (host.place / "small.conf").write_text("someone else's\n")

    assert engine.run(on_point=meddle) == 0
    assert engine.result().state == ApplyState.ROLLED_BACK
    assert "Before “Write the file”" in engine.finished()["message"]
    assert host.parts() == {**BASE, "file": "someone else's\n"}


def test_cancelled_at_any_point_it_ends_whole(host: SmallHost, tmp_path: Path) -> None:
    names = points_of(host, tmp_path)
    ends = set()
    for number in range(len(names)):
        host.reset()
        engine = Engine.prepare(tmp_path / f"run{number}", host.driver(), REQUEST)
        engine.run(on_point=Cancel(number).point)
        state = ApplyState(engine.result().state)
        assert host.parts() == (GOAL if state is ApplyState.SUCCEEDED else BASE), names[number]
        ends.add(state)
    assert ends == {ApplyState.CANCELLED, ApplyState.SUCCEEDED}


def points_of(host: SmallHost, place: Path) -> list[str]:
    return applied(host, place).points()


class Cancel:
    """Asks the process to stop, as the daemon does, at one point."""

    def __init__(self, number: int) -> None:
        self._left = number

    def point(self, _name: str) -> None:
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGTERM)
        self._left -= 1


def test_a_step_costs_less_than_300_ms_beyond_its_tool(host: SmallHost, tmp_path: Path) -> None:
    host.fault("a", "1", "slow")
    for step in applied(host, tmp_path).result().steps:
        spent = datetime.fromisoformat(step.ended_at) - datetime.fromisoformat(step.started_at)
        assert spent.total_seconds() - step.tool_seconds <= 0.3


def test_a_written_file_keeps_its_mode(host: SmallHost, tmp_path: Path) -> None:
    (host.place / "small.conf").chmod(0o640)
    applied(host, tmp_path)
    assert (host.place / "small.conf").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in host.place.glob(".*")] == []
