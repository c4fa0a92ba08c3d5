"""One thread per lane: claim, carry out, claim on until nothing is due. One order at a time."""

import logging
import shutil
import threading
from collections import deque
from collections.abc import Callable, Mapping

from agents.client import Backoff, ConsoleError, WorkConflict
from agents.config import AgentConfig
from agents.journal import JournalEntry
from agents.log import log_event
from agents.wire.messages import ClaimRequest
from agents.wire.names import Lane, WorkKind
from agents.wire.work import ReportKind, RunOutcome, WorkOrder
from agents.worker.core import Core, HeldWork
from agents.worker.runs import append_patiently, report_of

Carrier = Callable[[Core, HeldWork, JournalEntry], bool]
"""Carries one order out; False: the daemon stops, and the order stays open in the journal."""

WasStarted = Callable[[Core, JournalEntry], bool]

# A claim that follows its predecessor's end too closely would find the lane still held.
_FLUSH_SECONDS = 2.0

_CHECKED_BY_CHILD = frozenset({WorkKind.CHANGE_PLAN, WorkKind.CHANGE_APPLY})

_log = logging.getLogger(__name__)


def is_allowed(agent: AgentConfig, order: WorkOrder) -> bool:
    """Return whether the host's own admin takes this order.

    Planning only reads. What may be changed is said by kind of change, and checked by the child.
    """
    return order.kind in _CHECKED_BY_CHILD or agent.allows(order.kind)


class LaneWorker:
    """The thread of one lane. `carriers` says what each kind of work is carried out by."""

    def __init__(
        self, core: Core, lane: Lane, carriers: Mapping[str, Carrier], was_started: WasStarted
    ) -> None:
        self._core = core
        self._lane = lane
        self._carriers = carriers
        self._was_started = was_started
        self._nonces: deque[str] = deque()
        """Journaled, and not yet known to have been answered with an order."""
        self._wake = threading.Event()
        self._wake.set()

    def ring(self) -> None:
        """Look for due work soon. Returns at once, also while the lane is busy."""
        self._wake.set()

    def run(self) -> None:
        """Recover, then serve until the daemon stops."""
        self.recover()
        while not self._core.stop.is_set():
            self._wake.wait()
            self._wake.clear()
            self.claim_on()

    def recover(self) -> None:
        """Finish what an earlier life of the daemon left: adopt, report, or claim again."""
        for entry in self._core.journal.entries():
            if entry.lane != self._lane:
                continue
            if self._core.outbox.position(entry.nonce).is_finished:
                self._close(entry.nonce)
            elif entry.order is not None and self._was_started(self._core, entry):
                log_event(_log, "work.recovered", work=entry.order.work_id, nonce=entry.nonce)
                self._carry(entry.order, entry)
            else:
                self._nonces.append(entry.nonce)

    def claim_on(self) -> None:
        """Claim and carry out, until nothing is due, the daemon stops, or work is blocked."""
        backoff = Backoff()
        while not self._core.stop.is_set() and not self._core.blocked:
            nonce = self._next_nonce()
            try:
                order = self._core.client.claim(ClaimRequest(lane=self._lane, nonce=nonce)).order
            except WorkConflict:
                self._close(self._nonces.popleft())
                self._core.pause(backoff.next_seconds())
                continue
            except ConsoleError as error:
                # The order may have been handed out and the reply lost: ask on with this nonce.
                self._core.note_error(error)
                self._core.pause(backoff.next_seconds())
                continue
            backoff.reset()
            if order is None:
                if self._nothing_due(nonce):
                    return
                continue
            self._nonces.popleft()
            self._claimed(order, nonce)

    def _next_nonce(self) -> str:
        if not self._nonces:
            self._nonces.append(self._core.journal.new_nonce(self._lane))
        return self._nonces[0]

    def _nothing_due(self, nonce: str) -> bool:
        """Keep one unused nonce for the next claim; close those whose order was given up."""
        entries = {entry.nonce: entry for entry in self._core.journal.entries()}
        entry = entries.get(nonce)
        if len(self._nonces) == 1 and entry is not None and entry.order is None:
            return True
        self._close(self._nonces.popleft())
        return not self._nonces

    def _claimed(self, order: WorkOrder, nonce: str) -> None:
        log_event(_log, "work.claimed", work=order.work_id, kind=order.kind, lane=self._lane)
        self._core.journal.claimed(nonce, order)
        self._carry(order, JournalEntry(nonce=nonce, lane=self._lane, order=order))
        self._core.outbox.wait_empty(_FLUSH_SECONDS)

    def _carry(self, order: WorkOrder, entry: JournalEntry) -> None:
        held = self._core.hold(order)
        try:
            is_over = self._carry_or_refuse(held, entry)
        except Exception as error:
            if self._core.stop.is_set():
                return
            _log.exception("work.defect")
            message = f"The agent failed with a defect: {type(error).__name__}: {error}."
            self._finish(order, RunOutcome.ERRORED, message)
            is_over = True
        finally:
            self._core.release(held)
        if is_over:
            log_event(_log, "work.over", work=order.work_id)
            self._close(entry.nonce)

    def _carry_or_refuse(self, held: HeldWork, entry: JournalEntry) -> bool:
        kind = held.order.kind
        carrier = self._carriers.get(kind)
        if carrier is None:
            message = (
                f"This agent does not know work of the kind {kind!r}; upgrade it on this host."
            )
            self._finish(held.order, RunOutcome.FAILED, message)
            return True
        if not is_allowed(self._core.config.agent, held.order) and not self._was_started(
            self._core, entry
        ):
            message = (
                f"This host's own admin does not allow work of the kind {kind!r} "
                "(agent.allow in its configuration)."
            )
            self._finish(held.order, RunOutcome.FAILED, message)
            return True
        return carrier(self._core, held, entry)

    def _finish(self, order: WorkOrder, outcome: RunOutcome, message: str) -> None:
        log_event(_log, "work.refused", work=order.work_id, outcome=outcome, reason=message)
        report = report_of(order, ReportKind.FINISHED, outcome=outcome.value, message=message)
        append_patiently(self._core, report)

    def _close(self, nonce: str) -> None:
        """Close the books on a nonce whose end is in the outbox (or which never got an order)."""
        self._core.outbox.sync()
        self._core.journal.close_entry(nonce)
        self._core.outbox.forget(nonce)
        shutil.rmtree(self._core.runs_dir / nonce, ignore_errors=True)
