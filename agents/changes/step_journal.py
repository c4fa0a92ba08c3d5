"""The journal of one phase: each line with fsync before the act that it announces.

It lies in the run's directory, is written by the child that applies the phase, and is all that a
later child needs to know to recover. A torn last line is as if it had never been written.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from agents.executors.processtree import ProcessIdentity
from agents.journal import append_line, open_for_append, read_whole_lines
from agents.wire import codec
from agents.wire.changes import Plan

STEPS_FILE = "steps.jsonl"


class Mark(StrEnum):
    """What a line of the journal announces or notes."""

    PLANNED = "planned"
    """This plan and phase are about to be run."""
    UNDO = "undo"
    """From here on the step's undo is due if anything fails."""
    ACT = "act"
    """The step's tool is about to be started, or its file about to be written."""
    CHILD = "child"
    """The tool runs as this process."""
    ENDED = "ended"
    """The tool has ended, or the file was written."""
    DONE = "done"
    """A fresh read shows what the step promised."""
    FAILED = "failed"
    """It does not; the undo follows."""
    UNDOING = "undoing"
    """The phase is being undone from here on; `message` says why."""
    UNDO_ACT = "undo_act"
    UNDO_CHILD = "undo_child"
    UNDO_ENDED = "undo_ended"
    UNDONE = "undone"
    """A fresh read shows what was before the step."""
    RESULT = "result"
    """How it ended; only the report may still be missing."""


@dataclass(slots=True)
class StepRecord:
    """How far one step is, by the journal."""

    marks: set[str] = field(default_factory=set)
    child: ProcessIdentity | None = None
    exit_code: int | None = None
    tool_seconds: float = 0.0
    started_at: str = ""
    ended_at: str = ""
    acted_at: float = 0.0
    """Seconds since the epoch when the open act was announced."""
    message: str = ""


@dataclass(slots=True)
class PhaseRecord:
    """What the journal holds of a phase."""

    plan: Plan | None = None
    phase: int = 0
    steps: dict[int, StepRecord] = field(default_factory=dict)
    undoing: str | None = None
    """Why the phase is being undone; None: it is not."""
    is_cancelled: bool = False
    result: dict[str, Any] | None = None
    """Outcome, message and result as reported."""

    def step(self, index: int) -> StepRecord:
        """Return the record of a step, an empty one where the journal has none."""
        return self.steps.setdefault(index, StepRecord())

    def open_steps(self) -> Iterator[int]:
        """Yield the steps whose undo is registered and not done, last first."""
        for index in sorted(self.steps, reverse=True):
            marks = self.steps[index].marks
            if Mark.UNDO in marks and Mark.UNDONE not in marks:
                yield index


class StepJournal:
    """Reads what an earlier child wrote, and appends."""

    def __init__(self, run_dir: Path) -> None:
        path = run_dir / STEPS_FILE
        self.record = PhaseRecord()
        for line in read_whole_lines(path):
            self._apply(json.loads(line))
        self._descriptor = open_for_append(path)

    def planned(self, plan: Plan, phase: int) -> None:
        """Journal the plan whose phase is about to be run."""
        self._append({"mark": Mark.PLANNED.value, "plan": codec.to_plain(plan), "phase": phase})

    def note(self, mark: Mark, step: int, **fields: Any) -> None:
        """Journal a mark of a step."""
        self._append({"mark": mark.value, "step": step, **fields})

    def child(self, mark: Mark, step: int, child: ProcessIdentity) -> None:
        """Journal which process is the step's tool."""
        self.note(mark, step, pid=child.pid, start_time=child.start_time)

    def undoing(self, message: str, *, is_cancelled: bool) -> None:
        """Journal that from here on the phase is undone, and why."""
        self._append({"mark": Mark.UNDOING.value, "message": message, "cancelled": is_cancelled})

    def result(self, outcome: str, message: str, result: dict[str, Any]) -> None:
        """Journal how the phase ended."""
        self._append(
            {
                "mark": Mark.RESULT.value,
                "result": {"outcome": outcome, "message": message, "result": result},
            }
        )

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _append(self, record: dict[str, Any]) -> None:
        append_line(self._descriptor, json.dumps(record, separators=(",", ":")).encode() + b"\n")
        os.fsync(self._descriptor)
        self._apply(record)

    def _apply(self, record: dict[str, Any]) -> None:
        mark = record["mark"]
        if mark == Mark.PLANNED:
            self.record.plan = codec.from_plain(record["plan"], Plan)
            self.record.phase = record["phase"]
        elif mark == Mark.UNDOING:
            self.record.undoing = record["message"]
            self.record.is_cancelled = record["cancelled"]
        elif mark == Mark.RESULT:
            self.record.result = record["result"]
        else:
            self._apply_to_step(self.record.step(record["step"]), mark, record)

    def _apply_to_step(self, step: StepRecord, mark: str, record: dict[str, Any]) -> None:
        step.marks.add(mark)
        if "pid" in record:
            step.child = ProcessIdentity(pid=record["pid"], start_time=record["start_time"])
        if mark in (Mark.ACT, Mark.UNDO_ACT):
            step.child = None
        step.acted_at = record.get("acted_at", step.acted_at)
        if mark in (Mark.UNDO_ACT, Mark.UNDO_CHILD, Mark.UNDO_ENDED):
            # How the step itself went stays; of its undo only what went wrong is added.
            step.message = " ".join(filter(None, [step.message, record.get("message")]))
            return
        for name in ("exit_code", "tool_seconds", "started_at", "ended_at", "message"):
            if name in record:
                setattr(step, name, record[name])
