"""Carries out `job.run`: one child in a session of its own, watched until it has ended.

Every step can be the last one before the daemon is killed; `carry_out` is then called again with
what the journal holds, and does only what is still to be done.
"""

import json
import logging
import shutil
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

from agents.executors.events import (
    CHILD_FILE,
    EVENTS_FILE,
    LOG_FILE,
    ORDER_FILE,
    Event,
    EventTail,
    utc_now,
)
from agents.executors.process import (
    CommandNotStarted,
    DetachedProcess,
    child_environment,
    spawn_detached,
)
from agents.executors.processtree import (
    MARK_VARIABLE,
    ProcessIdentity,
    end_process_tree,
    marked,
)
from agents.files import ensure_private_dir, write_durably
from agents.journal import JournalEntry
from agents.log import log_event, redact
from agents.wire import codec
from agents.wire.codec import WireError
from agents.wire.work import Report, ReportKind, RunOutcome, WorkOrder
from agents.worker.core import Core, HeldWork

# The job's process keeps the deadline itself; this is for one that does not.
DEADLINE_MARGIN_SECONDS = 10.0
JOB_ENTRY = ("-m", "agents.executors.job")
_DISK_RETRY_SECONDS = 5.0
_LOG_TAIL_BYTES = 2000

_log = logging.getLogger(__name__)


class JobRun:
    """One `job.run` order being carried out."""

    poll_seconds: ClassVar[float] = 0.2

    def __init__(self, core: Core, held: HeldWork) -> None:
        self._core = core
        self._held = held
        self._order = held.order
        self._run_dir = core.runs_dir / held.order.nonce
        self._child: DetachedProcess | None = None
        self._has_result = False

    def carry_out(self, known_child: ProcessIdentity | None, started_at: float) -> bool:
        """Start or adopt the child and watch it. False: the daemon stops and the child goes on.

        `known_child` and `started_at` (seconds since the epoch) are what the journal holds of an
        earlier start; None and 0 where there was none.
        """
        # 1. The child: the one that runs already, or a new one where none ever did.
        nonce = self._order.nonce
        child = known_child or self._find_child()
        if child is None:
            child, started_at = self._start(), time.time()
            if child is None:
                return True
        # 2. Say that it runs: to the console first, for a child that is not in the journal is found
        #    again by what it wrote.
        if not self._core.outbox.position(nonce).is_started:
            self._report(ReportKind.STARTED)
        if known_child is None:
            started_at = started_at or time.time()
            self._core.journal.started(nonce, child, started_at)
        # 3. Watch it to its end; then nothing of it may be left.
        ending = self._watch(child, started_at)
        if ending is None:
            return False
        end_process_tree(child, mark=nonce)
        # 4. The result: its own, or what we saw.
        if not self._has_result:
            outcome, message = ending
            self._report(ReportKind.FINISHED, outcome=outcome.value, message=message)
        return True

    def margin_seconds(self) -> float:
        """Return the seconds beyond the order's deadline after which its process is ended."""
        return DEADLINE_MARGIN_SECONDS

    def clean_up(self) -> None:
        """Remove the run's directory; its results are in the outbox."""
        shutil.rmtree(self._run_dir, ignore_errors=True)

    def _find_child(self) -> ProcessIdentity | None:
        """Return the child of an earlier start, also one that is gone; None: it never started."""
        nonce = self._order.nonce
        found = find_child(self._run_dir, nonce)
        was_started = self._core.outbox.position(nonce).is_started
        if found is None and (was_started or (self._run_dir / CHILD_FILE).exists()):
            return ProcessIdentity(pid=0, start_time="never seen")
        return found

    def _start(self) -> ProcessIdentity | None:
        """Start the child. None: it could not be, and the run was reported errored."""
        try:
            self._child = spawn_job(self._core, self._order, self._run_dir)
        except (CommandNotStarted, OSError) as error:
            log_event(_log, "job.not_started", logging.ERROR, work=self._order.work_id, error=error)
            message = f"The job's process could not be started: {error}."
            self._report(ReportKind.FINISHED, outcome=RunOutcome.ERRORED.value, message=message)
            return None
        log_event(_log, "job.started", work=self._order.work_id, pid=self._child.identity.pid)
        return self._child.identity

    def _watch(self, child: ProcessIdentity, started_at: float) -> tuple[RunOutcome, str] | None:
        """Take events over until the child is gone or had to be ended; None: the daemon stops."""
        skip = self._core.outbox.position(self._order.nonce).events
        tail = EventTail(self._run_dir / EVENTS_FILE, skip=skip)
        self._has_result = self._core.outbox.position(self._order.nonce).is_finished
        allowed = self._order.deadline_seconds + self.margin_seconds()
        limit = time.monotonic() + allowed - (time.time() - started_at)
        while True:
            exit_code = self._exit_code(child)
            is_over = exit_code is not None or not child.is_alive()
            # After the look at the child: what it wrote before its end is then all there.
            self._take_over(tail)
            if is_over:
                return self._gone(exit_code)
            ending = self._must_end(limit)
            if ending is not None:
                end_process_tree(child, mark=self._order.nonce)
                self._exit_code(child)
                self._take_over(tail)
                return ending
            if self._core.stop.is_set():
                return None
            self._held.wait(self.poll_seconds)

    def _exit_code(self, child: ProcessIdentity) -> int | None:
        return self._child.poll() if self._child and self._child.identity == child else None

    def _must_end(self, limit: float) -> tuple[RunOutcome, str] | None:
        if self._held.must_stop:
            return RunOutcome.CANCELLED, f"{self._held.stop_reason} What was measured is kept."
        if time.monotonic() >= limit:
            return (
                RunOutcome.FAILED,
                f"Not finished within its limit of {self._order.deadline_seconds} s and ended.",
            )
        return None

    def _gone(self, exit_code: int | None) -> tuple[RunOutcome, str]:
        """Return what to say of a child that is gone, where it left no result."""
        how = "it was gone when the agent came back"
        if exit_code is not None:
            how = f"killed by signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
        if not self._has_result:
            log_event(
                _log, "job.without_result", logging.ERROR, work=self._order.work_id, how=how,
                last_words=_log_tail(self._run_dir / LOG_FILE),
            )  # fmt: skip
        return (
            RunOutcome.ERRORED,
            f"The job's process ended without a result ({how}). The agent's log on the host may "
            "say more; start the job again.",
        )

    def _take_over(self, tail: EventTail) -> None:
        for event in tail.read():
            self._take_over_event(event)

    def _take_over_event(self, event: Event) -> None:
        try:
            report = event.report(self._order.work_id, self._order.nonce)
        except WireError as error:
            log_event(_log, "job.event_damaged", logging.ERROR, number=event.number, error=error)
            return
        self._has_result = self._has_result or event.is_finished
        append_patiently(self._core, report, event=event.number)

    def _report(self, kind: ReportKind, **fields: Any) -> None:
        append_patiently(self._core, report_of(self._order, kind, **fields))


def spawn_job(core: Core, order: WorkOrder, run_dir: Path) -> DetachedProcess:
    """Write the order down and start the job's process. Raises CommandNotStarted or OSError."""
    ensure_private_dir(run_dir)
    state_dir = core.state_dir / "workloads"
    ensure_private_dir(state_dir)
    own = {"state_dir": str(state_dir), "is_simulated": core.config.is_simulated}
    plain = {**codec.to_plain(order), **own}
    write_durably(run_dir / ORDER_FILE, json.dumps(plain).encode(), is_durable=False)
    environment = {**core.config.pkcs11.environment, MARK_VARIABLE: order.nonce}
    return spawn_detached(
        [sys.executable, *JOB_ENTRY, str(run_dir)],
        stdout_path=run_dir / LOG_FILE,
        env=child_environment(environment),
        cwd=run_dir,
    )


def find_child(run_dir: Path, nonce: str) -> ProcessIdentity | None:
    """Return the job's process that was started without the journal knowing, if there is one.

    Killed between start and journal, the daemon left a child that says who it is in child.json; one
    that did not come so far yet is found by its mark. None where nothing was ever started.
    """
    try:
        data = json.loads((run_dir / CHILD_FILE).read_bytes())
        return ProcessIdentity(pid=int(data["pid"]), start_time=str(data["start_time"]))
    except (OSError, ValueError, KeyError, TypeError):
        return min(marked(nonce), key=lambda identity: identity.pid, default=None)


def report_of(order: WorkOrder, kind: ReportKind, **fields: Any) -> Report:
    """Return a report about `order`, as of now, not yet numbered."""
    return Report(
        seq=0, kind=kind.value, work_id=order.work_id, nonce=order.nonce, at=utc_now(), **fields
    )


def append_patiently(core: Core, report: Report, *, event: int = 0) -> None:
    """Append to the outbox; while the disk is full, try again until the daemon stops.

    Raises OSError when it stops before there was room.
    """
    while True:
        try:
            core.outbox.append(report, event=event)
            return
        except OSError as error:
            log_event(_log, "outbox.disk_full", logging.ERROR, error=error)
            if core.stop.wait(_DISK_RETRY_SECONDS):
                raise


def _log_tail(path: Path) -> str:
    try:
        return redact(path.read_bytes()[-_LOG_TAIL_BYTES:].decode("utf-8", "replace"))
    except OSError:
        return ""


def was_started(core: Core, entry: JournalEntry) -> bool:
    """Return whether the order of a journal entry was ever started here."""
    return (
        entry.child is not None
        or core.outbox.position(entry.nonce).is_started
        or find_child(core.runs_dir / entry.nonce, entry.nonce) is not None
        or (core.runs_dir / entry.nonce / CHILD_FILE).exists()
    )
