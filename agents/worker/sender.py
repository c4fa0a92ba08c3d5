"""Sends the outbox until it is acknowledged; splits, replaces or drops what is refused."""

import logging
from dataclasses import replace

from agents.client import (
    Backoff,
    ConsoleError,
    InvalidMessage,
    TooLarge,
)
from agents.log import log_event
from agents.outbox import BATCH_REPORTS
from agents.wire.messages import ReportsRequest
from agents.wire.work import Report, ReportKind, RunOutcome
from agents.worker.core import BLOCKED_RETRY_SECONDS, Core

_IDLE_SECONDS = 3600.0

_log = logging.getLogger(__name__)


class Sender:
    """The thread that empties the outbox."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._backoff = Backoff()
        self._limit = BATCH_REPORTS

    def run(self) -> None:
        """Send until the daemon stops."""
        core = self._core
        while not core.stop.is_set():
            if core.outbox.wait(_IDLE_SECONDS, core.stop.is_set):
                core.pause(self.send_once())

    def send_once(self) -> float:
        """Send one batch; return how many seconds to wait before the next one."""
        reports = self._core.outbox.batch(self._limit)
        if not reports:
            return 0.0
        try:
            reply = self._core.client.reports(ReportsRequest(reports=reports))
        except (InvalidMessage, TooLarge) as error:
            return self._refused(reports, error)
        except ConsoleError as error:
            self._core.note_error(error)
            wait = BLOCKED_RETRY_SECONDS if self._core.blocked else self._backoff.next_seconds()
            log_event(_log, "reports.not_sent", logging.WARNING, error=error, wait_seconds=wait)
            return wait
        for work_id in reply.cancel:
            self._core.stop_work(work_id, "Cancelled on request.")
        if reply.acknowledged_seq < reports[0].seq:
            # A console that answers 200 and takes nothing is asked again, with patience.
            return self._backoff.next_seconds()
        self._backoff.reset()
        self._limit = BATCH_REPORTS
        self._core.outbox.acknowledge(reply.acknowledged_seq)
        return 0.0

    def _refused(self, reports: list[Report], error: ConsoleError) -> float:
        """Halve until the one report is found that the console does not take, then replace it."""
        if len(reports) > 1:
            self._limit = max(1, len(reports) // 2)
            return 0.0
        (report,) = reports
        log_event(
            _log, "report.refused", logging.ERROR, seq=report.seq, kind=report.kind, error=error
        )
        self._core.outbox.substitute(report.seq, _substitute(report, error))
        self._limit = BATCH_REPORTS
        return 0.0


def _substitute(report: Report, error: ConsoleError) -> Report | None:
    """Return what is sent instead: an end must arrive in some form, the rest may be left out."""
    is_last_try = report.kind == ReportKind.FINISHED and report.result == {"refused": error.code}
    if report.kind != ReportKind.FINISHED or is_last_try:
        return None
    message = (
        f"The run ended ({report.outcome}), but the console refused its result: {error}. "
        "Please report this defect; the agent's log on the host has the details."
    )
    outcome = RunOutcome.ERRORED.value
    return replace(report, outcome=outcome, message=message, result={"refused": error.code})
