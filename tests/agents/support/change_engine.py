"""The process that applies a change, forked for tests: counted, and killed at a chosen point.

Points lie around each line of the step journal and of the events file, around child.json, and where
a tool has just begun to run. They are found by running once and counting, so that a new line of the
journal is a new point by itself.
"""

import contextlib
import json
import os
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.changes.planning import make_plan
from agents.changes.step_journal import StepJournal
from agents.drivers.base import Driver
from agents.executors import change
from agents.executors.child import GatedChild
from agents.executors.events import EventWriter
from agents.executors.processtree import ProcessIdentity, marked
from agents.wire.changes import ApplyResult, ChangeRequest
from agents.wire.codec import from_plain


@dataclass(frozen=True, slots=True)
class Kill:
    """Where the process kills itself: at the nth point (from 0) of that name."""

    point: str
    nth: int
    when: str
    """`before`, `after`, or `torn`: half of the line is written."""


@dataclass(slots=True)
class Points:
    """Passes points, writes their names down and dies at the chosen one."""

    kill: Kill | None
    names: Path
    on_point: Callable[[str], None] = lambda _: None
    passed: Counter[str] = field(default_factory=Counter)

    def around(self, owner: Any, method: str, name_of: Callable[..., str]) -> None:
        """Put a point around each call of `owner.method`."""
        original: Callable[..., Any] = getattr(owner, method)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            name = name_of(*args, **kwargs)
            nth = self.passed[name]
            self.passed[name] += 1
            with self.names.open("a") as stream:
                stream.write(f"{name}\n")
            self._die(Kill(name, nth, "before"))
            if self.kill == Kill(name, nth, "torn"):
                os.write(args[0]._descriptor, b'{"mark":"un')
                self._die(Kill(name, nth, "torn"))
            result = original(*args, **kwargs)
            self.on_point(name)
            self._die(Kill(name, nth, "after"))
            return result

        setattr(owner, method, wrapped)

    def _die(self, here: Kill) -> None:
        if here == self.kill:
            os.kill(os.getpid(), signal.SIGKILL)


def run_entry(
    run_dir: Path,
    driver: Driver,
    kill: Kill | None = None,
    on_point: Callable[[str], None] = lambda _: None,
) -> int:
    """Do what a change's process does, with that driver, passing points. Changes this process."""
    points = Points(kill, run_dir / "points", on_point)
    (run_dir / "points").write_text("")
    points.around(StepJournal, "_append", lambda _, record: f"journal {record['mark']}")
    points.around(EventWriter, "_write", lambda _, kind, **__: f"event {kind}")
    points.around(change, "_say_who", lambda _: "child.json")
    points.around(GatedChild, "release", lambda _: "tool runs")
    vars(change)["choose_driver"] = lambda _: driver
    return change.main([str(run_dir)])


@dataclass(slots=True)
class Engine:
    """One order's process and directory."""

    run_dir: Path
    driver: Driver
    parameters: dict[str, Any] = field(default_factory=dict)
    nonce: str = field(default_factory=lambda: secrets.token_hex(8))
    """Marks its tools; tests beside this one have theirs."""

    @classmethod
    def prepare(cls, place: Path, driver: Driver, request: ChangeRequest) -> "Engine":
        """Plan, and write down the order to apply the plan's first phase."""
        place.mkdir(parents=True)
        (place / "agent.toml").write_text('[agent]\nallow = ["small.*"]\n')
        plan = make_plan(driver, request, is_simulated=False)
        parameters = {
            "kind": request.kind, "parameters": request.parameters, "plan_digest": plan.digest,
            "phase": 0, "phase_digests": [phase.digest for phase in plan.phases],
        }  # fmt: skip
        engine = cls(place, driver, parameters)
        order = {
            "work_id": "w1", "nonce": engine.nonce, "kind": "change.apply", "deadline_seconds": 60,
            "config": str(place / "agent.toml"), "parameters": parameters,
        }  # fmt: skip
        (place / "order.json").write_text(json.dumps(order))
        return engine

    def run(
        self, kill: Kill | None = None, on_point: Callable[[str], None] = lambda _: None
    ) -> int:
        """Run the process to its end; return its exit code, negative for a signal."""
        pid = os.fork()
        if pid == 0:
            self._child(kill, on_point)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def _child(self, kill: Kill | None, on_point: Callable[[str], None]) -> None:
        code = 70
        try:
            code = run_entry(self.run_dir, self.driver, kill, on_point)
        finally:
            os._exit(code)

    def points(self) -> list[str]:
        """Return the names of the points that the last run passed."""
        return (self.run_dir / "points").read_text().splitlines()

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Return what the process has reported of that kind."""
        lines = (self.run_dir / "events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["kind"] == kind]

    def finished(self) -> dict[str, Any]:
        """Return the one report of the end."""
        (event,) = self.events("finished")
        return event

    def result(self) -> ApplyResult:
        """Return the result as reported."""
        return from_plain(self.finished()["result"], ApplyResult)

    def tools(self) -> Iterator[ProcessIdentity]:
        """Yield the tools of this order that still run."""
        for step in range(4):
            for what in ("act", "undo"):
                yield from marked(f"{self.nonce}:0:{step}:{what}")

    def kill_tools(self) -> None:
        """SIGKILL the tools that still run, as a loss of power would."""
        for tool in self.tools():
            with contextlib.suppress(ProcessLookupError):  # it may end by itself just now
                os.kill(tool.pid, signal.SIGKILL)
            while tool.is_alive():
                time.sleep(0.005)
