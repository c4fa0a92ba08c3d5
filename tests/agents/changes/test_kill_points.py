"""The process that applies a change killed with SIGKILL at every point, and started again.

It has to end in a declared state, and what it reports has to be what the host shows.
"""

from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from agents.changes.step_journal import Mark
from agents.wire.changes import ApplyResult, ApplyState, ChangeRequest
from tests.agents.support.change_engine import Engine, Kill
from tests.agents.support.daemons import wait_until
from tests.agents.support.small_host import BASE, GOAL, KIND, SmallHost

REQUEST = ChangeRequest(kind=KIND, parameters={"unit/a": "1", "unit/b": "1", "file": "new\n"})
WHENS = ("torn", "after")
"""In the middle of a line, which is as before it; and behind it, before what it announces."""

FAULTS: dict[str, list[tuple[str, str, str]]] = {
    "all_well": [],
    "tools_take_their_time": [("a", "1", "slow"), ("b", "1", "slow")],
    "the_second_step_is_refused": [("b", "1", "refuse")],
    "the_second_step_is_half_done": [("b", "1", "half"), ("a", "2", "slow")],
    "the_undo_is_refused": [("b", "1", "half"), ("a", "2", "refuse")],
    "the_undo_is_half_done": [("b", "1", "refuse"), ("a", "2", "half")],
}
TRUTH = {
    ApplyState.SUCCEEDED: GOAL,
    ApplyState.ROLLED_BACK: BASE,
    ApplyState.FAILED: BASE,
    ApplyState.CANCELLED: BASE,
}


@pytest.fixture
def engines(host: SmallHost, tmp_path: Path) -> "Engines":
    return Engines(host, tmp_path)


class Engines:
    """Makes engines on the host as it was at first, one after the other."""

    def __init__(self, host: SmallHost, place: Path) -> None:
        self.host = host
        self._place = place
        self._numbers = count()

    def fresh(self) -> Engine:
        self.host.reset()
        driver = self.host.driver()
        return Engine.prepare(self._place / f"run{next(self._numbers)}", driver, REQUEST)

    def order(self, name: str) -> None:
        for fault in FAULTS[name]:
            self.host.fault(*fault)

    def kills(self) -> list[Kill]:
        """Return every way to die in a run as the host is now."""
        engine = self.fresh()
        assert engine.run() == 0
        return [
            Kill(name, nth, when)
            for name, number in Counter(engine.points()).items()
            for nth in range(number)
            for when in (WHENS if name.startswith("journal ") else ("after",))
        ]


def die(engine: Engine, kill: Kill) -> None:
    """Run until it dies there; how many pieces of output there are differs from run to run."""
    status = engine.run(kill)
    assert status == -9 or (status == 0 and kill.point == "event output")


def check_truth(host: SmallHost, engine: Engine) -> ApplyResult:
    """What was reported is what the host shows, whole and once."""
    result = engine.result()
    state = ApplyState(result.state)
    assert list(engine.tools()) == []
    assert result.parts == host.parts()
    assert host.parts() == TRUTH.get(state, host.parts())
    assert bool(result.stands) == bool(result.to_type) == (state is ApplyState.NEEDS_ATTENTION)
    assert state is not ApplyState.NEEDS_ATTENTION or host.parts() != BASE
    check_output(engine)
    return result


def check_output(engine: Engine) -> None:
    """All that the tools wrote was passed on once, in numbered pieces."""
    events = engine.events("output")
    assert [event["chunk"] for event in events] == list(range(len(events)))
    for path in [*engine.run_dir.glob("step*.out"), *engine.run_dir.glob("step*.err")]:
        assert path.read_text() == "".join(e["text"] for e in events if e["source"] == path.name)


@pytest.mark.parametrize("name", FAULTS)
def test_killed_at_any_point_it_ends_as_the_host_is(engines: Engines, name: str) -> None:
    engines.order(name)
    for kill in engines.kills():
        engine = engines.fresh()
        die(engine, kill)
        assert engine.run() == 0
        check_truth(engines.host, engine)


def test_all_marks_of_the_journal_are_among_the_points(engines: Engines) -> None:
    passed: set[str] = set()
    for faults in ("all_well", "the_second_step_is_half_done"):
        engines.order(faults)
        engine = engines.fresh()
        engine.run()
        passed |= set(engine.points())
    assert {f"journal {mark}" for mark in Mark} <= passed


@pytest.mark.parametrize(("point", "nth"), [("tool runs", 1), ("tool runs", 2), ("journal act", 1)])
def test_a_recovery_killed_at_any_of_its_points_is_recovered_too(
    engines: Engines, point: str, nth: int
) -> None:
    engines.order("the_second_step_is_half_done")
    first, probe = Kill(point, nth, "after"), engines.fresh()
    die(probe, first)
    assert probe.run() == 0
    for name, number in Counter(probe.points()).items():
        for again in range(number):
            engine = engines.fresh()
            die(engine, first)
            die(engine, Kill(name, again, "after"))
            assert engine.run() == 0
            check_truth(engines.host, engine)


@pytest.mark.parametrize(("unit", "value", "nth"), [("a", "1", 0), ("b", "1", 1), ("a", "2", 3)])
def test_a_tool_killed_half_done_with_its_engine_is_undone(
    engines: Engines, unit: str, value: str, nth: int
) -> None:
    engines.host.fault("b", "1", "half")
    engines.host.fault(unit, value, "stuck")
    engine = engines.fresh()
    die(engine, Kill("tool runs", nth, "after"))
    wait_until(lambda: "|" in str(engines.host.parts()[f"unit/{unit}"]))
    engine.kill_tools()
    engines.host.fault("a", "2", "none")
    assert engine.run() == 0
    assert check_truth(engines.host, engine).state == ApplyState.ROLLED_BACK
