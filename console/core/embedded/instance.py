"""One supervisor per KEYRACK_VAR: its lock, the record of what it runs, and how it is stopped."""

import fcntl
import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from console.core.embedded.layout import VarLayout, private_write

STOP_SECONDS = 40
"""How long a supervisor may take to stop its programs before `stop` ends them itself."""


class AlreadyRunning(RuntimeError):
    """Another supervisor holds the lock of this KEYRACK_VAR."""

    def __init__(self, record: "InstanceRecord") -> None:
        super().__init__(f"Keyrack already runs here: {record.url} (process {record.pid})")
        self.record = record


@dataclass(frozen=True)
class ProcessId:
    """A process, told from a later one with the same number by its start time."""

    pid: int
    start_ticks: int
    """Field 22 of /proc/<pid>/stat (proc(5)): clock ticks after boot."""

    def is_alive(self) -> bool:
        """Return whether this very process still runs (a zombie does not)."""
        found = process_start(self.pid)
        return found is not None and found == self.start_ticks

    def end_group(self, number: signal.Signals) -> None:
        """Send a signal to the process group that this process leads, if it still lives."""
        if self.is_alive():
            try:
                os.killpg(self.pid, number)
            except ProcessLookupError:
                return


def process_start(pid: int) -> int | None:
    """Return when process `pid` started, in clock ticks after boot; None when it does not run."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, *fields = stat.rpartition(")")[2].split()
    return None if state == "Z" else int(fields[18])


@dataclass(frozen=True)
class InstanceRecord:
    """What var/run/instance.json says of the running instance."""

    pid: int
    url: str
    programs: dict[str, ProcessId] = field(default_factory=dict)


class InstanceLock:
    """The lock of one KEYRACK_VAR. The kernel drops it with its holder, however that ends."""

    def __init__(self, layout: VarLayout) -> None:
        self._path = layout.run / "supervisor.lock"
        self._record = layout.run / "instance.json"
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock. Raises AlreadyRunning when another supervisor holds it."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise AlreadyRunning(self.record() or InstanceRecord(0, "still starting")) from None
        self._descriptor = descriptor

    def is_held(self) -> bool:
        """Return whether some supervisor holds the lock."""
        try:
            self.acquire()
        except AlreadyRunning:
            return True
        except FileNotFoundError:
            return False
        self.release()
        return False

    def release(self) -> None:
        """Give the lock back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def record(self) -> InstanceRecord | None:
        """Return what the last supervisor wrote down, or None."""
        try:
            data = json.loads(self._record.read_text())
        except (FileNotFoundError, ValueError):
            return None
        programs = {name: ProcessId(**process) for name, process in data["programs"].items()}
        return InstanceRecord(data["pid"], data["url"], programs)

    def write_record(self, url: str, programs: Mapping[str, ProcessId]) -> None:
        """Write down what runs now."""
        record = InstanceRecord(os.getpid(), url, dict(programs))
        private_write(self._record, json.dumps(asdict(record)))

    def clear_record(self) -> None:
        """Forget what ran: all of it has ended."""
        self._record.unlink(missing_ok=True)

    def end_leftovers(self) -> list[str]:
        """End programs that a killed supervisor left behind; return their names."""
        record = self.record()
        left = {} if record is None else record.programs
        alive = {name: process for name, process in left.items() if process.is_alive()}
        for number, seconds in ((signal.SIGTERM, 10.0), (signal.SIGKILL, 2.0)):
            for process in alive.values():
                process.end_group(number)
            wait_until(lambda: not any(p.is_alive() for p in alive.values()), seconds)
        return sorted(alive)


def instance_stop(layout: VarLayout) -> str:
    """Stop the instance of `layout`; return a sentence saying what was done."""
    lock = InstanceLock(layout)
    record = lock.record()
    if not lock.is_held():
        left = lock.end_leftovers() if record else []
        return f"Ended what was left: {', '.join(left)}." if left else "Nothing runs here."
    if record is None:
        return "A start is under way; try again in a moment."
    os.kill(record.pid, signal.SIGTERM)
    if wait_until(lambda: not lock.is_held(), STOP_SECONDS):
        return f"Stopped {record.url}."
    os.kill(record.pid, signal.SIGKILL)
    lock.end_leftovers()
    return f"Stopped {record.url}, by force: it had not ended within {STOP_SECONDS} seconds."


def wait_until(condition: Callable[[], bool], seconds: float, *, pause: float = 0.1) -> bool:
    """Ask `condition` every `pause` seconds, for `seconds` at most; return whether it held."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
    return True
