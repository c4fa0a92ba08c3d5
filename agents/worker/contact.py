"""The contact loop: heartbeats with jitter, leases of held work, and status.json for `status`."""

import json
import logging
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from agents import __version__
from agents.client import Backoff, ConsoleError, WorkConflict
from agents.executors.events import utc_now
from agents.files import write_durably
from agents.log import log_event
from agents.wire.messages import HeartbeatReply, HeartbeatRequest, LeaseRequest
from agents.worker.core import BLOCKED_RETRY_SECONDS, Core, HeldWork
from agents.worker.scans import Scanner

STATUS_FILE = "status.json"
_JITTER = 0.1

_log = logging.getLogger(__name__)


class Contact:
    """The thread that keeps contact. `ring` gets each lane with something due; "": both."""

    def __init__(self, core: Core, scanner: Scanner, ring: Callable[[str], None]) -> None:
        self._core = core
        self._scanner = scanner
        self._ring = ring
        self._backoff = Backoff()
        self._lease_backoff = Backoff()

    def run(self) -> None:
        """Keep contact until the daemon stops."""
        heartbeat_at = time.monotonic()
        while not self._core.stop.is_set():
            now = time.monotonic()
            if now >= heartbeat_at:
                heartbeat_at = time.monotonic() + self.heartbeat_once()
            for held in self._core.held():
                if held.lease_at <= time.monotonic():
                    self.renew_once(held)
            leases = [held.lease_at for held in self._core.held()]
            self._core.wait_for_attention(min([heartbeat_at, *leases]) - time.monotonic())

    def heartbeat_once(self) -> float:
        """Send one heartbeat and act on the reply; return the seconds until the next."""
        gauges = self._scanner.take_gauges()
        acknowledged = self._core.acknowledged_digest
        request = HeartbeatRequest(
            snapshot_digest=self._core.snapshot_digest,
            agent_version=__version__,
            allow=self._core.config.agent.allow_words(),
            boot_id=_read_word("/proc/sys/kernel/random/boot_id"),
            uptime_seconds=_uptime_seconds(),
            gauges=gauges,
            running=[held.order.work_id for held in self._core.held()],
            broker_ok=self._core.broker_ok,
        )
        try:
            reply = self._core.client.heartbeat(request)
        except ConsoleError as error:
            self._scanner.return_gauges(gauges)
            wait = self._failed(error)
        else:
            self._compare_digests(reply, request.snapshot_digest, acknowledged)
            self._answered(reply)
            jitter = random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - not a secret
            wait = reply.heartbeat_seconds * jitter
        self.write_status()
        return wait

    def renew_once(self, held: HeldWork) -> None:
        """Renew one lease; learn whether the work should stop."""
        order = held.order
        try:
            reply = self._core.client.lease(LeaseRequest(work_id=order.work_id, nonce=order.nonce))
        except WorkConflict as error:
            held.renewed(order.lease_seconds)
            held.stop(f"The console holds it under another claim ({error}).")
        except ConsoleError as error:
            self._core.note_error(error)
            # Not later than a healthy agent would: a console that is back waits one lease for us.
            wait = max(0.5, self._lease_backoff.next_seconds())
            held.renew_at(time.monotonic() + min(wait, order.lease_seconds / 3))
            log_event(_log, "lease.not_renewed", logging.WARNING, work=order.work_id, error=error)
        else:
            self._lease_backoff.reset()
            self._core.end_pauses()
            held.apply(reply)

    def write_status(self) -> None:
        """Write what `keyrack-agent status` shows. Holds no secret."""
        core = self._core
        status = {
            "pid": os.getpid(),
            "agent_version": __version__,
            "last_contact_at": core.last_contact_at,
            "contact_error": core.contact_error,
            "blocked": core.blocked,
            "broker_ok": core.broker_ok,
            "snapshot_digest": core.snapshot_digest,
            "scan_error": core.scan_error,
            "running": [held.order.work_id for held in core.held()],
            "unsent_reports": core.outbox.pending_count(),
        }
        data = json.dumps(status, indent=1).encode()
        try:
            write_durably(core.state_dir / STATUS_FILE, data, is_durable=False)
        except OSError as error:
            log_event(_log, "status.not_written", logging.WARNING, error=error)

    def _failed(self, error: ConsoleError) -> float:
        self._core.note_error(error)
        if self._core.contact_error != str(error):
            log_event(_log, "heartbeat.failed", logging.WARNING, code=error.code, error=error)
        self._core.contact_error = str(error)
        return BLOCKED_RETRY_SECONDS if self._core.blocked else self._backoff.next_seconds()

    def _compare_digests(self, reply: HeartbeatReply, told: str, acknowledged: str) -> None:
        """Act on what the console says of the digest it was `told`, which may be an old one by now.

        `acknowledged` is what we took for acknowledged when we asked: another one since then means
        that a snapshot was handed in while the console answered, so it no longer wants it.
        """
        core = self._core
        if not reply.wants_snapshot:
            core.acknowledged_digest = told
        elif told and core.acknowledged_digest == acknowledged:
            self._scanner.want_snapshot()

    def _answered(self, reply: HeartbeatReply) -> None:
        core = self._core
        was_away = bool(core.blocked or core.contact_error or not core.last_contact_at)
        if was_away:
            log_event(_log, "contact.made", console=core.identity.console_url)
            core.end_pauses()
        self._backoff.reset()
        core.note_contact()
        core.contact_error = ""
        core.last_contact_at = utc_now()
        core.heartbeat_seconds, core.scan_seconds = reply.heartbeat_seconds, reply.scan_seconds
        core.outbox.acknowledge(reply.acknowledged_seq)
        for lane in [""] if was_away else [lane for lane, count in reply.due.items() if count]:
            self._ring(lane)


def _uptime_seconds() -> float:
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def _read_word(path: str) -> str:
    try:
        return Path(path).read_text("ascii").strip()
    except OSError:
        return ""
