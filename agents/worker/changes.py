"""Carries out `change.plan` and `change.apply`: one child, watched, and begun again if it dies.

The child's journal tells a later child what to undo; so a change is never left to itself as a job
is: whoever finds it without a process and without a result starts one that recovers.
"""

import json
import logging
import sys
import time
from typing import ClassVar

from agents.executors.events import EVENTS_FILE, LOG_FILE, ORDER_FILE, EventTail
from agents.executors.process import CommandNotStarted, child_environment, spawn_detached
from agents.executors.processtree import MARK_VARIABLE, ProcessIdentity
from agents.files import ensure_private_dir, write_durably
from agents.journal import JournalEntry
from agents.log import log_event
from agents.wire import codec
from agents.wire.names import WorkKind
from agents.wire.work import ReportKind, RunOutcome
from agents.worker.core import Core, HeldWork
from agents.worker.runs import JobRun, find_child
from agents.worker.scans import Scanner

CHANGE_ENTRY = ("-m", "agents.executors.change")
CANCEL_FILE = "cancel"
"""As agents.executors.change names it; importing that would bring every driver into the daemon."""

MAX_LIVES = 5
"""Children for one order in one life of the daemon; more would only fail the same way."""

# The child ends running steps by their own deadlines and then undoes: nobody hurries it.
_HANG_SECONDS = 3600.0
_HANDOVER_SECONDS = 0.5

_log = logging.getLogger(__name__)


class ChildFailed(Exception):
    """The child of an order ended again and again without a result."""


class ChangeRun(JobRun):
    """One order about a change being carried out."""

    poll_seconds: ClassVar[float] = 0.05

    def margin_seconds(self) -> float:
        return _HANG_SECONDS

    def carry_out(self, known_child: ProcessIdentity | None, started_at: float) -> bool:
        """Start, adopt or recover, until there is a result. False: the daemon stops."""
        child = known_child or find_child(self._run_dir, self._order.nonce)
        for _ in range(MAX_LIVES):
            if child is None or not (child.is_alive() or self._wrote_result()):
                child = self._start()
                started_at = time.time()
                if child is None:
                    return True
            if not self._core.outbox.position(self._order.nonce).is_started:
                self._report(ReportKind.STARTED)
            self._core.journal.started(self._order.nonce, child, started_at or time.time())
            if self._watch(child, started_at or time.time()) is None:
                return False
            if self._has_result:
                return True
            # Ours may have given way to one that an earlier life of the daemon had started.
            found = find_child(self._run_dir, self._order.nonce)
            child = found if found != child else None
            self._core.stop.wait(_HANDOVER_SECONDS)
        self._give_up(ChildFailed(f"its process ended {MAX_LIVES} times without a result"))
        return True

    def _start(self) -> ProcessIdentity | None:
        try:
            ensure_private_dir(self._run_dir)
            config = self._core.config.path
            plain = {**codec.to_plain(self._order), "config": str(config) if config else ""}
            write_durably(self._run_dir / ORDER_FILE, json.dumps(plain).encode())
            environment = {
                **self._core.config.pkcs11.environment, MARK_VARIABLE: self._order.nonce,
            }  # fmt: skip
            self._child = spawn_detached(
                [sys.executable, *CHANGE_ENTRY, str(self._run_dir)],
                stdout_path=self._run_dir / LOG_FILE,
                env=child_environment(environment),
                cwd=self._run_dir,
            )
        except (CommandNotStarted, OSError) as error:
            log_event(
                _log, "change.not_started", logging.ERROR, work=self._order.work_id, error=error
            )
            self._give_up(error)
            return None
        log_event(_log, "change.started", work=self._order.work_id, pid=self._child.identity.pid)
        return self._child.identity

    def _must_end(self, limit: float) -> tuple[RunOutcome, str] | None:
        """Pass on a wish to stop: the child stops between steps and undoes what it did."""
        asked = self._run_dir / CANCEL_FILE
        if self._held.must_stop and not asked.exists():
            write_durably(asked, self._held.stop_reason.encode())
        if time.monotonic() >= limit:
            return RunOutcome.FAILED, "It hung and was ended."
        return None

    def _wrote_result(self) -> bool:
        events = EventTail(self._run_dir / EVENTS_FILE, skip=0).read()
        position = self._core.outbox.position(self._order.nonce)
        return position.is_finished or any(event.is_finished for event in events)

    def _give_up(self, error: Exception) -> None:
        """Report what the child's journal holds: nobody could go on from it."""
        # Imported only here: the daemon stays small.
        from agents.changes.endings import after_defect
        from agents.changes.step_journal import StepJournal

        outcome, message, result = RunOutcome.ERRORED, str(error), {}
        if self._order.kind == WorkKind.CHANGE_APPLY:
            phase = int(self._order.parameters.get("phase", 0))
            ending = after_defect(StepJournal(self._run_dir).record, phase, error)
            outcome, message, result = ending.outcome, ending.message, ending.plain()
        self._report(ReportKind.FINISHED, outcome=outcome.value, message=message, result=result)


def carry_out_plan(core: Core, held: HeldWork, entry: JournalEntry) -> bool:
    """Carry out one `change.plan`; False: the daemon stops."""
    return ChangeRun(core, held).carry_out(entry.child, entry.started_at)


def carry_out_apply(scanner: Scanner, core: Core, held: HeldWork, entry: JournalEntry) -> bool:
    """Carry out one `change.apply`, then look at the host anew; False: the daemon stops."""
    is_over = ChangeRun(core, held).carry_out(entry.child, entry.started_at)
    if is_over:
        scanner.scan_soon()
    return is_over
