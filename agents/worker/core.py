"""What all threads of the daemon share: identity, client, disk state, held work and why we wait."""

import logging
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from agents.client import (
    ConsoleClient,
    ConsoleError,
    ConsoleUntrusted,
    NotAuthorised,
    WireUnsupported,
)
from agents.config import Config
from agents.enrolment import Identity, identity_changed_at
from agents.journal import Journal
from agents.log import log_event
from agents.outbox import Outbox
from agents.wire.messages import LeaseReply
from agents.wire.work import WorkOrder

JOURNAL_FILE = "journal.jsonl"
OUTBOX_FILE = "outbox.jsonl"
RUNS_DIR = "runs"
SCAN_DIR = "scan"
BLOCKED_RETRY_SECONDS = 300.0

_log = logging.getLogger(__name__)


class HeldWork:
    """One order that this agent carries out, and whether it should stop."""

    def __init__(self, order: WorkOrder) -> None:
        self.order = order
        self.stop_reason = ""
        """Empty: go on. Otherwise a sentence that says why it has to stop."""
        self._stop = threading.Event()
        self._lease_at = 0.0
        self.renewed(order.lease_seconds)

    def renewed(self, lease_seconds: float) -> None:
        """Note that the lease was just renewed: next time after a third of it."""
        self._lease_at = time.monotonic() + max(1.0, lease_seconds / 3)

    def renew_at(self, at: float) -> None:
        """Set when the lease is renewed next, in time.monotonic() terms."""
        self._lease_at = at

    @property
    def lease_at(self) -> float:
        """When the lease is to be renewed, in time.monotonic() terms."""
        return self._lease_at

    def stop(self, reason: str) -> None:
        """Ask the work to stop; the first reason stands."""
        self.stop_reason = self.stop_reason or reason
        self._stop.set()

    @property
    def must_stop(self) -> bool:
        """Whether somebody asked it to stop."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait; True as soon as it must stop."""
        return self._stop.wait(seconds)

    def apply(self, reply: LeaseReply) -> None:
        """Take over what the console said about the lease."""
        self.renewed(reply.lease_seconds)
        if not reply.is_held:
            self.stop("The console no longer counts on this host for it.")
        elif reply.cancel_requested:
            self.stop("Cancelled on request.")


@dataclass
class Core:
    """Shared by all threads. `stop` ends the daemon; `blocked` says why no work is taken."""

    config: Config
    identity: Identity
    client: ConsoleClient
    journal: Journal
    outbox: Outbox
    state_dir: Path
    stop: threading.Event = field(default_factory=threading.Event)
    blocked: str = ""
    broker_ok: bool = False
    snapshot_digest: str = ""
    acknowledged_digest: str = ""
    scan_error: str = ""
    heartbeat_seconds: int = 15
    scan_seconds: int = 300
    last_contact_at: str = ""
    contact_error: str = ""
    enrolled_at: float = 0.0
    """When the identity that this daemon works with was written."""
    _held: dict[str, HeldWork] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _attention: threading.Event = field(default_factory=threading.Event)
    _pauses: threading.Condition = field(default_factory=threading.Condition)

    @property
    def runs_dir(self) -> Path:
        """Where each run has its directory."""
        return self.state_dir / RUNS_DIR

    @property
    def scan_dir(self) -> Path:
        """Where the last scan's files are."""
        return self.state_dir / SCAN_DIR

    def hold(self, order: WorkOrder) -> HeldWork:
        """Register an order as held: its lease is renewed from now on."""
        held = HeldWork(order)
        with self._lock:
            self._held[order.work_id] = held
        self._attention.set()
        return held

    def release(self, held: HeldWork) -> None:
        """Forget an order that has ended."""
        with self._lock:
            self._held.pop(held.order.work_id, None)

    def held(self) -> list[HeldWork]:
        """Return what is held now."""
        with self._lock:
            return list(self._held.values())

    def holds_lane(self, lane: str) -> bool:
        """Return whether an order of that lane is being carried out."""
        return any(held.order.lane == lane for held in self.held())

    def stop_work(self, work_id: str, reason: str) -> None:
        """Ask the held order `work_id` to stop; nothing when it is not held."""
        with self._lock:
            held = self._held.get(work_id)
        if held is not None:
            held.stop(reason)

    def renew_now(self, work_id: str) -> bool:
        """Renew the lease of `work_id` at once, to learn what is wanted; False: not held."""
        with self._lock:
            held = self._held.get(work_id)
        if held is None:
            return False
        held.renew_at(0.0)
        self._attention.set()
        return True

    def wait_for_attention(self, seconds: float) -> None:
        """Wait until the contact loop has something to do early, or `seconds` have passed."""
        self._attention.wait(max(0.0, seconds))
        self._attention.clear()

    def call_attention(self) -> None:
        """Make `wait_for_attention` return."""
        self._attention.set()

    def pause(self, seconds: float) -> None:
        """Wait `seconds` after a failure; less when the console answers again or we stop."""
        with self._pauses:
            if seconds > 0 and not self.stop.is_set():
                self._pauses.wait(seconds)

    def end_pauses(self) -> None:
        """The console answers again, or the daemon stops: nobody waits any longer."""
        with self._pauses:
            self._pauses.notify_all()

    def note_error(self, error: ConsoleError) -> None:
        """Block all work after a refusal that time alone does not cure; say why, once."""
        if not isinstance(error, NotAuthorised | WireUnsupported | ConsoleUntrusted):
            return
        if self.blocked != str(error):
            log_event(_log, "agent.blocked", logging.ERROR, code=error.code, reason=error)
        self.blocked = str(error)
        # Enrolled again while we run: the daemon starts afresh with that, and adopts what runs.
        if isinstance(error, NotAuthorised) and not self.has_new_identity():
            for held in self.held():
                held.stop("The console does not accept this agent any more.")

    def has_new_identity(self) -> bool:
        """Return whether the agent was enrolled again since this daemon started."""
        return identity_changed_at(self.state_dir) != self.enrolled_at

    def note_contact(self) -> None:
        """The console answered as it should: nothing blocks work."""
        if self.blocked:
            log_event(_log, "agent.unblocked")
        self.blocked = ""
