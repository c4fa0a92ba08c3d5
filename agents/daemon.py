"""The daemon: one process with a thread for contact, reports, scans, each lane and the doorbell.

SIGTERM and SIGINT stop it gracefully: nothing more is claimed, and a running job's process is left
to itself; the next start adopts it, or reports how it ended.
"""

import fcntl
import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Protocol

from agents import __version__
from agents.client import ConsoleClient
from agents.config import Config
from agents.enrolment import Identity, identity_changed_at, load_identity
from agents.files import ensure_private_dir, write_durably
from agents.journal import Journal, JournalEntry
from agents.log import log_event
from agents.outbox import Outbox
from agents.wire.names import Lane, WorkKind
from agents.worker.changes import carry_out_apply, carry_out_plan
from agents.worker.contact import Contact
from agents.worker.core import JOURNAL_FILE, OUTBOX_FILE, RUNS_DIR, Core, HeldWork
from agents.worker.lanes import Carrier, LaneWorker
from agents.worker.memory import give_back_memory, trim_heap
from agents.worker.runs import JobRun, was_started
from agents.worker.scans import Scanner, carry_out_scan
from agents.worker.sender import Sender

LOCK_FILE = "agent.lock"
_OWNER_FILE = "journal.host"
_JOIN_SECONDS = 12.0
_DOORBELL_JOIN_SECONDS = 0.5
# After the first round everything is imported and connected.
_ROUND_SECONDS = 5.0
_TRIM_ROUNDS = 6
_RESTART_SECONDS = 5.0

_log = logging.getLogger(__name__)


class AlreadyRunning(Exception):
    """Another daemon has this state directory."""

    def __init__(self, state_dir: Path, pid: str) -> None:
        super().__init__(
            f"An agent already runs with {state_dir} (pid {pid or 'unknown'}). Stop it first, or "
            "give this one a state_dir of its own."
        )


class Bell(Protocol):
    """What wakes the lanes: agents.worker.doorbell.Doorbell."""

    def run(self) -> None:
        """Listen until the daemon stops."""

    def stop(self) -> None:
        """Make `run` return."""


class Daemon:
    """All threads of one agent."""

    def __init__(self, core: Core, make_doorbell: Callable[["Daemon"], Bell]) -> None:
        self.core = core
        self._doorbell = make_doorbell(self)
        self._scanner = Scanner(core)
        carriers: dict[str, Carrier] = {
            WorkKind.JOB_RUN: carry_out_job,
            WorkKind.CHANGE_PLAN: carry_out_plan,
            WorkKind.CHANGE_APPLY: partial(carry_out_apply, self._scanner),
            WorkKind.INVENTORY_SCAN: partial(carry_out_scan, self._scanner),
        }
        self._lanes = {lane: LaneWorker(core, lane, carriers, was_started) for lane in Lane}
        self._contact = Contact(core, self._scanner, lambda lane: self.ring(lane, ""))
        self._loops: dict[str, Callable[[], None]] = {
            "contact": self._contact.run,
            "sender": Sender(core).run,
            "scanner": self._scanner.run,
            **{f"lane-{lane}": worker.run for lane, worker in self._lanes.items()},
            "doorbell": self._doorbell.run,
        }

    def ring(self, lane: str, work_id: str) -> None:
        """A doorbell: look for due work; where it names work that is held, ask about its lease."""
        if work_id:
            self.core.renew_now(work_id)
        for worker in [self._lanes[Lane(lane)]] if lane in set(Lane) else self._lanes.values():
            worker.ring()

    def run(self) -> bool:
        """Run until told to stop; True when a new identity asks for a fresh start."""
        prepare_state(self.core)
        threads = [
            threading.Thread(target=self._kept_alive, args=item, name=item[0], daemon=True)
            for item in self._loops.items()
        ]
        for thread in threads:
            thread.start()
        log_event(_log, "agent.started", version=__version__, host=self.core.identity.host_name)
        self._look_after()
        self.stop()
        for thread in threads:
            # The doorbell first waits for the broker to end its BRPOP: nothing is lost without it.
            thread.join(_DOORBELL_JOIN_SECONDS if thread.name == "doorbell" else _JOIN_SECONDS)
        self._contact.write_status()
        self.core.outbox.sync()
        log_event(_log, "agent.stopped", left_running=len(self.core.held()))
        return self.core.has_new_identity()

    def _look_after(self) -> None:
        """Keep the daemon small and notice a new identity, until told to stop."""
        rounds = 0
        while not self.core.has_new_identity() and not self.core.stop.wait(_ROUND_SECONDS):
            rounds += 1
            if rounds == 1:
                give_back_memory()
            elif rounds % _TRIM_ROUNDS == 0:
                trim_heap()

    def stop(self) -> None:
        """Ask all threads to end."""
        self.core.stop.set()
        self.core.outbox.wake()
        self.core.call_attention()
        self.core.end_pauses()
        self._scanner.wake()
        self._doorbell.stop()
        self.ring("", "")

    def _kept_alive(self, name: str, loop: Callable[[], None]) -> None:
        """Run a loop, and again after a defect, until the daemon stops."""
        while not self.core.stop.is_set():
            try:
                loop()
            except Exception:
                if self.core.stop.is_set():
                    return
                _log.exception("thread.defect", extra={"fields": {"thread": name}})
                self.core.stop.wait(_RESTART_SECONDS)
            else:
                return


def carry_out_job(core: Core, held: HeldWork, entry: JournalEntry) -> bool:
    """Carry out one `job.run`; False: the daemon stops and the job goes on without it."""
    return JobRun(core, held).carry_out(entry.child, entry.started_at)


def open_core(config: Config, identity: Identity) -> Core:
    """Open the state on disk. Call it with the lock held."""
    state_dir = config.state_dir
    client = ConsoleClient(
        identity.console_url,
        pin=identity.pin,
        credential=identity.credential,
        agent_version=__version__,
    )
    _forget_other_host(state_dir, identity.host_id)
    return Core(
        config=config,
        identity=identity,
        client=client,
        journal=Journal(state_dir / JOURNAL_FILE),
        outbox=Outbox(state_dir / OUTBOX_FILE, max_bytes=config.agent.outbox_max_bytes),
        state_dir=state_dir,
        enrolled_at=identity_changed_at(state_dir),
        heartbeat_seconds=identity.heartbeat_seconds,
        scan_seconds=identity.scan_seconds,
    )


def prepare_state(core: Core) -> None:
    """Remove what no open journal entry stands for any more."""
    open_nonces = {entry.nonce for entry in core.journal.entries()}
    core.outbox.forget_all_but(open_nonces)
    ensure_private_dir(core.runs_dir)
    for path in core.runs_dir.iterdir():
        if path.name not in open_nonces:
            shutil.rmtree(path, ignore_errors=True)


def take_lock(state_dir: Path) -> int:
    """Take the state directory for this process; return the lock's descriptor, kept open for life.

    Raises AlreadyRunning.
    """
    ensure_private_dir(state_dir)
    descriptor = os.open(state_dir / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        pid = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise AlreadyRunning(state_dir, pid) from error
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def running_pid(state_dir: Path) -> int | None:
    """Return the pid of the daemon that has this state directory, or None."""
    try:
        descriptor = os.open(state_dir / LOCK_FILE, os.O_RDWR)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        word = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        return int(word) if word.isdigit() else 0
    finally:
        os.close(descriptor)
    return None


def run_daemon(config: Config) -> int:
    """Run the agent until a signal stops it. Raises NotEnrolled and AlreadyRunning."""
    identity = load_identity(config.state_dir)
    lock = take_lock(config.state_dir)
    daemon = Daemon(open_core(config, identity), _celery_doorbell)

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        daemon.core.stop.set()

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)
    is_new_identity = daemon.run()
    os.close(lock)
    sys.stderr.flush()
    if is_new_identity:
        log_event(_log, "agent.reenrolled")
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - our own command line
    # A thread may still wait for an answer that takes its time: leave without waiting for it.
    os._exit(0)


def _celery_doorbell(daemon: Daemon) -> Bell:
    # Celery is the largest part of the daemon and needed by nothing else: imported only here.
    from agents.worker.doorbell import Doorbell

    return Doorbell(daemon.core, daemon.ring)


def _forget_other_host(state_dir: Path, host_id: str) -> None:
    """Drop journal and reports of another host's id: they mean nothing to this console."""
    owner = state_dir / _OWNER_FILE
    known = owner.read_text("ascii") if owner.exists() else ""
    if known == host_id:
        return
    if known:
        log_event(_log, "state.dropped", logging.WARNING, of_host=known)
        for name in (JOURNAL_FILE, OUTBOX_FILE):
            (state_dir / name).unlink(missing_ok=True)
        shutil.rmtree(state_dir / RUNS_DIR, ignore_errors=True)
    write_durably(owner, host_id.encode())
