"""What applying, undoing and recovering one phase share: the host, the journal, the reports."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from agents.changes.acting import (
    ActEnd,
    ActFiles,
    EditRefused,
    edit_of,
    prepare_tool,
    wait_for_tool,
    write_edit,
)
from agents.changes.base import ChangeKind, ChangeRefused
from agents.changes.reading import Reading
from agents.changes.step_journal import Mark, StepJournal
from agents.changes.tools import Tools
from agents.executors.child import GatedChild
from agents.executors.events import utc_now
from agents.executors.process import CommandNotStarted
from agents.executors.processtree import ProcessIdentity
from agents.log import log_event
from agents.wire.changes import Phase, Plan, StepPlan
from agents.wire.inventory import Attribute

_REREAD_SECONDS = (0.3, 1.0)
"""Pauses before further looks: a host may be briefly unreadable, or take a moment to show it."""

Parts = Mapping[str, Attribute]

_log = logging.getLogger(__name__)


class Reporter(Protocol):
    """Tells the console what happens."""

    def output(self, text: str, stream: str, *, step: int, source: str, end: int) -> None:
        """Pass on what a step's tool wrote; `source` and `end` say how far that file was read."""

    def taken(self, source: str) -> int:
        """Return how far that file had been passed on by an earlier child."""

    def progress(self, progress: Mapping[str, Any]) -> None:
        """Pass on how far the phase is."""


@dataclass(slots=True)
class PhaseContext:
    """One phase being applied. `parts` is the last read of the host."""

    kind: ChangeKind[Any]
    tools: Tools
    journal: StepJournal
    reporter: Reporter
    run_dir: Path
    nonce: str
    plan: Plan
    phase: int
    parts: Parts = field(default_factory=dict)
    is_cancelled: Callable[[], bool] = lambda: False
    remaining_seconds: Callable[[], float] = lambda: 3600.0

    @property
    def planned(self) -> Phase:
        """The phase as planned."""
        return self.plan.phases[self.phase]

    @property
    def reader(self) -> Reading:
        """The host, to look at only."""
        return Reading(self.tools)

    @property
    def is_last(self) -> bool:
        """Whether no phase follows."""
        return self.phase == len(self.plan.phases) - 1

    def read(self) -> Parts:
        """Read the host afresh. Raises ChangeRefused where it stays unreadable, for any reason."""
        for pause in (*_REREAD_SECONDS, None):
            try:
                self.parts = self.kind.read(self.reader, self.plan.request.parameters).parts
            except Exception as error:  # whatever it is: what was done must still be undone
                if pause is None:
                    raise _unreadable(error) from error
                time.sleep(pause)
            else:
                break
        return self.parts

    def read_until(self, wanted: Parts) -> list[str]:
        """Read until the host shows `wanted`, a few times; return the parts that differ."""
        for pause in (*_REREAD_SECONDS, None):
            differing = differs(self.read(), wanted)
            if not differing or pause is None:
                return differing
            time.sleep(pause)
        return []

    def suffices(self, step: StepPlan, promised: object, exit_code: int | None) -> bool:
        """Return whether a read that shows what was promised is enough, whatever the tool said.

        A step that promises nothing has only its exit code; so has, besides, one of which a read
        shows a part only.
        """
        if not (promised or step.edit):
            return exit_code == 0
        return exit_code == 0 or self.kind.is_proved_by_reading(step)

    def act(self, index: int, *, is_undo: bool) -> ActEnd:
        """Do a step, or its undo: announced in the journal first, its end noted in it.

        Raises CommandNotStarted, EditRefused or OSError; nothing was done then.
        """
        step = self.planned.steps[index]
        begin = Mark.UNDO_ACT if is_undo else Mark.ACT
        self.journal.note(begin, index, acted_at=time.time())
        try:
            end = self._act(index, step, is_undo=is_undo)
        except (CommandNotStarted, EditRefused, OSError) as error:
            self._note_end(index, ActEnd(exit_code=None, tool_seconds=0.0), is_undo, str(error))
            raise
        self._note_end(index, end, is_undo, "")
        return end

    def adopt(self, index: int, *, is_undo: bool) -> None:
        """Wait for a tool that an earlier child of ours started and did not see the end of.

        One that is not in the journal was never released.
        """
        record = self.journal.record.step(index)
        end = ActEnd(exit_code=None, tool_seconds=0.0)
        message = "The agent was stopped before it was begun."
        if record.child is not None:
            until = record.acted_at + self.planned.steps[index].timeout_seconds
            end = self._wait(index, record.child, None, until, is_undo)
            message = "Its exit code was lost: the agent was stopped."
        self._note_end(index, end, is_undo, message)

    def files(self, index: int, *, is_undo: bool) -> ActFiles:
        """Return where the output of a step's tool goes."""
        stem = f"step{index}.undo" if is_undo else f"step{index}"
        return ActFiles(stdout=self.run_dir / f"{stem}.out", stderr=self.run_dir / f"{stem}.err")

    def _act(self, index: int, step: StepPlan, *, is_undo: bool) -> ActEnd:
        if step.edit is not None:
            before, after = edit_of(step.edit, is_undo=is_undo)
            started = time.monotonic()
            write_edit(self.tools, step.edit.path, before=before, after=after)
            return ActEnd(exit_code=0, tool_seconds=time.monotonic() - started)
        argv = step.undo_argv if is_undo else step.argv
        files = self.files(index, is_undo=is_undo)
        process = prepare_tool(self.tools, argv, files, mark=self._mark(index, is_undo))
        self.journal.child(Mark.UNDO_CHILD if is_undo else Mark.CHILD, index, process.identity)
        process.release()
        until = time.time() + step.timeout_seconds
        return self._wait(index, process.identity, process, until, is_undo)

    def _wait(
        self,
        index: int,
        tool: ProcessIdentity,
        process: GatedChild | None,
        until: float,
        is_undo: bool,
    ) -> ActEnd:
        return wait_for_tool(
            tool,
            process,
            until=until,
            mark=self._mark(index, is_undo),
            on_tick=lambda: self._pass_on(index, is_undo),
        )

    def _note_end(self, index: int, end: ActEnd, is_undo: bool, message: str) -> None:
        self._pass_on(index, is_undo)
        seconds = self.planned.steps[index].timeout_seconds
        if end.timed_out:
            message = f"It did not end within {seconds} s and was killed."
        self.journal.note(
            Mark.UNDO_ENDED if is_undo else Mark.ENDED,
            index,
            exit_code=end.exit_code,
            tool_seconds=round(end.tool_seconds, 3),
            ended_at=utc_now(),
            message=message,
        )

    def _pass_on(self, index: int, is_undo: bool) -> None:
        files = self.files(index, is_undo=is_undo)
        for stream, path in (("stdout", files.stdout), ("stderr", files.stderr)):
            start = self.reporter.taken(path.name)
            try:
                with path.open("rb") as source:
                    source.seek(start)
                    data = source.read()
            except OSError:
                continue
            if data:
                text = data.decode("utf-8", "replace")
                end = start + len(data)
                self.reporter.output(text, stream, step=index, source=path.name, end=end)

    def _mark(self, index: int, is_undo: bool) -> str:
        return f"{self.nonce}:{self.phase}:{index}:{'undo' if is_undo else 'act'}"


def _unreadable(error: Exception) -> ChangeRefused:
    if isinstance(error, ChangeRefused):
        return error
    log_event(_log, "change.unreadable", logging.ERROR, error=error, kind=type(error).__name__)
    return ChangeRefused("host.unreadable", f"{type(error).__name__}: {error}")


def differs(found: Parts, wanted: Parts) -> list[str]:
    """Return the parts that are not as wanted, in order."""
    return sorted(part for part, value in wanted.items() if found.get(part) != value)


def shown(value: Attribute) -> str:
    """Return a part's value for a sentence."""
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return "nothing" if value is None else str(value)
