"""Inventory scans: a child process looks, its finished snapshot is sent on when it is new."""

import json
import logging
import sys
import threading
import time
from collections.abc import Callable

from agents.client import Backoff, ConsoleError, TooLarge
from agents.executors.process import CommandNotStarted, child_environment, stream_command
from agents.files import ensure_private_dir
from agents.journal import JournalEntry
from agents.log import log_event, redact
from agents.wire import codec
from agents.wire.inventory import Gauge
from agents.wire.names import Lane
from agents.wire.work import ReportKind, RunOutcome
from agents.worker.core import Core, HeldWork
from agents.worker.memory import give_back_memory
from agents.worker.runs import append_patiently, report_of

# The names are scan.py's; importing it would bring every driver and parser into the daemon.
_SNAPSHOT_FILE = "snapshot.json.gz"
_GAUGES_FILE = "gauges.json"
_SUMMARY_FILE = "scan.json"
SCAN_ENTRY = ("-m", "agents.executors.scan")
_RETRY_SECONDS = 5.0
_LAST_WORDS = 500

_log = logging.getLogger(__name__)


class ScanFailed(Exception):
    """The scan's child did not end well; the sentence says how."""


class Scanner:
    """Scans, one at a time, whoever asks; and hands in snapshots that the console does not have."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._scan_lock = threading.Lock()
        self._gauges: list[Gauge] = []
        self._gauges_lock = threading.Lock()
        self._is_wanted = threading.Event()
        self._must_send = self._is_due = False
        ensure_private_dir(core.scan_dir)
        core.snapshot_digest = str(self._read_summary().get("digest", ""))

    def run(self) -> None:
        """Scan at start, then every `scan_seconds`; never beside a job, which would measure it."""
        next_at = time.monotonic()
        backoff = Backoff()
        while not self._core.stop.is_set():
            self._is_wanted.wait(max(0.0, next_at - time.monotonic()))
            self._is_wanted.clear()
            if self._core.stop.is_set():
                return
            if self._is_due or time.monotonic() >= next_at:
                if self._core.holds_lane(Lane.WORK):
                    next_at = time.monotonic() + _RETRY_SECONDS
                    self._is_due = False
                    continue
                self._is_due = False
                next_at = time.monotonic() + self._scan_on_schedule()
            self._hand_in(backoff)

    def wake(self) -> None:
        """Make `run` look at what is to be done."""
        self._is_wanted.set()

    def scan_soon(self) -> None:
        """Something was changed here: scan as soon as no work is in the way."""
        self._is_due = True
        self.wake()

    def want_snapshot(self) -> None:
        """The console asks for the snapshot: hand it in soon."""
        self._must_send = True
        self.wake()

    def scan(self, should_stop: Callable[[], bool]) -> dict[str, object]:
        """Scan now; return digest, taken_at and duration_seconds. Raises ScanFailed."""
        with self._scan_lock:
            self._run_child(should_stop)
            summary = self._read_summary()
            self._core.snapshot_digest = str(summary["digest"])
            gauges = json.loads((self._core.scan_dir / _GAUGES_FILE).read_bytes())
            with self._gauges_lock:
                self._gauges = [codec.from_plain(gauge, Gauge) for gauge in gauges]
        self._core.scan_error = ""
        log_event(_log, "scan.done", digest=self._core.snapshot_digest[:12])
        return summary

    def take_gauges(self) -> list[Gauge]:
        """Return the gauges of the last scan, once."""
        with self._gauges_lock:
            gauges, self._gauges = self._gauges, []
        return gauges

    def return_gauges(self, gauges: list[Gauge]) -> None:
        """Take gauges back that could not be sent, unless newer ones are there."""
        with self._gauges_lock:
            self._gauges = self._gauges or gauges

    def hand_in(self) -> None:
        """Send the snapshot if the console does not have it. Raises ConsoleError."""
        digest = self._core.snapshot_digest
        if not digest or (digest == self._core.acknowledged_digest and not self._must_send):
            return
        with self._scan_lock:
            body = (self._core.scan_dir / _SNAPSHOT_FILE).read_bytes()
        reply = self._core.client.snapshot(body)
        self._core.acknowledged_digest = reply.digest
        # Only now: a console that asked while this was on its way has it too.
        self._must_send = False
        log_event(_log, "snapshot.sent", digest=reply.digest[:12], bytes=len(body))

    def _scan_on_schedule(self) -> float:
        """Scan; return the seconds until the next one."""
        try:
            self.scan(self._core.stop.is_set)
        except ScanFailed as error:
            self._core.scan_error = str(error)
            log_event(_log, "scan.failed", logging.ERROR, error=error)
        give_back_memory()
        return float(self._core.scan_seconds)

    def _hand_in(self, backoff: Backoff) -> None:
        try:
            self.hand_in()
            backoff.reset()
        except TooLarge as error:
            self._core.scan_error = f"The console does not take a snapshot of this size: {error}"
            self._core.acknowledged_digest = self._core.snapshot_digest
            log_event(_log, "snapshot.too_large", logging.ERROR, error=error)
        except ConsoleError as error:
            self._core.note_error(error)
            log_event(_log, "snapshot.not_sent", logging.WARNING, error=error)
            # The next heartbeat that is answered asks for it again.
            self._core.pause(backoff.next_seconds())

    def _run_child(self, should_stop: Callable[[], bool]) -> None:
        argv = [sys.executable, *SCAN_ENTRY, str(self._core.scan_dir)]
        if self._core.config.path is not None:
            argv += ["--config", str(self._core.config.path)]
        limit = self._core.config.agent.scan_timeout_seconds
        try:
            result = stream_command(
                argv, timeout_seconds=limit, should_stop=should_stop, env=child_environment()
            )
        except CommandNotStarted as error:
            raise ScanFailed(str(error)) from error
        if result.timed_out:
            raise ScanFailed(f"The inventory scan took longer than {limit} s and was ended.")
        if result.returncode != 0:
            words = redact(result.stderr.strip()[-_LAST_WORDS:]) or "it said nothing"
            raise ScanFailed(f"The inventory scan ended with {result.returncode}: {words}")
        for line in result.stderr.splitlines():
            log_event(_log, "scan.said", logging.WARNING, line=line)

    def _read_summary(self) -> dict[str, object]:
        try:
            data = json.loads((self._core.scan_dir / _SUMMARY_FILE).read_bytes())
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}


def carry_out_scan(scanner: Scanner, core: Core, held: HeldWork, _entry: JournalEntry) -> bool:
    """Carry out `inventory.scan`: scan, hand in what is new, report. A killed one is done again."""
    order = held.order
    if not core.outbox.position(order.nonce).is_started:
        append_patiently(core, report_of(order, ReportKind.STARTED))
    outcome, message, result = RunOutcome.SUCCEEDED, "Scanned.", {}
    try:
        result = scanner.scan(lambda: held.must_stop or core.stop.is_set())
        scanner.hand_in()
    except ScanFailed as error:
        outcome, message = RunOutcome.ERRORED, str(error)
    except ConsoleError as error:
        core.note_error(error)
        scanner.wake()
        message = f"Scanned; the snapshot follows as soon as the console takes it ({error})."
    if held.must_stop:
        outcome, message = RunOutcome.CANCELLED, held.stop_reason
    elif core.stop.is_set():
        return False
    report = report_of(
        order, ReportKind.FINISHED, outcome=outcome.value, message=message, result=dict(result)
    )
    append_patiently(core, report)
    return True
