"""Keeps the embedded console's programs running until told to stop, then stops all of them."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from console.core.embedded.instance import InstanceLock, ProcessId
from console.core.embedded.processes import (
    Program,
    SupervisedProgram,
    become_subreaper,
    log_tail,
)

STOP_SIGNALS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
WAKE_SIGNALS = STOP_SIGNALS | {signal.SIGCHLD}
HOUSEKEEPING_SECONDS = 60.0

Say = Callable[[str], None]


class ProgramFailed(Exception):
    """A program that had to do its work did not; the message holds its last words."""


class StopRequested(Exception):
    """A person or the system asked the supervisor to end."""


class Supervisor:
    """Starts programs in the order given and stops them in the opposite one."""

    def __init__(self, lock: InstanceLock, url: str, say: Say) -> None:
        self._lock = lock
        self._url = url
        self._say = say
        self._programs: list[SupervisedProgram] = []

    def __enter__(self) -> "Supervisor":
        # Blocked signals wait to be taken by sigtimedwait: no handler runs at a bad moment.
        signal.pthread_sigmask(signal.SIG_BLOCK, WAKE_SIGNALS)
        become_subreaper()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, program: Program) -> SupervisedProgram:
        """Start a program and keep it running from now on."""
        supervised = SupervisedProgram(program)
        supervised.start()
        self._programs.append(supervised)
        self._write_record()
        return supervised

    def run_once(self, program: Program, seconds: float) -> None:
        """Run a program that ends by itself, supervising the others meanwhile.

        Raises ProgramFailed with the end of its log, TimeoutError and StopRequested.
        """
        once = self.start(replace(program, restarts=False))
        self.wait_for(lambda: once not in self._programs, seconds, f"the end of {program.name}")
        if once.process is None or once.process.returncode != 0:
            raise ProgramFailed(f"{program.name} failed:\n{log_tail(program.log)}")

    def wait_for(self, condition: Callable[[], bool], seconds: float, what: str) -> None:
        """Supervise until `condition` holds, asked five times a second.

        Raises TimeoutError saying `what` did not come, and StopRequested.
        """
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} did not come within {seconds:.0f} seconds")
            self._step(0.2)

    def run(self) -> None:
        """Supervise until StopRequested."""
        while True:
            self._step(self._seconds_to_next_start())

    def stop(self) -> None:
        """Stop everything, last started first, and then what those programs left behind."""
        for supervised in reversed(self._programs):
            supervised.stop()
        self._programs.clear()
        for orphan in _own_children():
            orphan.end_group(signal.SIGKILL)
            if orphan.is_alive():
                os.kill(orphan.pid, signal.SIGKILL)
        self._lock.clear_record()

    def _step(self, seconds: float) -> None:
        """Wait for a signal, at most `seconds`; then look after the programs."""
        info = signal.sigtimedwait(WAKE_SIGNALS, max(0.0, seconds))
        if info is not None and info.si_signo in STOP_SIGNALS:
            raise StopRequested
        self._reap()
        self._start_what_is_due()
        for supervised in self._programs:
            supervised.rotate_log()

    def _reap(self) -> None:
        for supervised in list(self._programs):
            if supervised.due_at is not None or supervised.process is None:
                continue
            code = supervised.process.poll()
            if code is None:
                continue
            program = supervised.program
            if not program.restarts:
                self._programs.remove(supervised)
                self._write_record()
                continue
            pause = supervised.note_end()
            self._say(
                f"{program.name} ended ({_describe(code)}); starting it again in {pause:g} s. "
                f"See {program.log}"
            )
        _reap_orphans({s.process.pid for s in self._programs if s.process is not None})

    def _start_what_is_due(self) -> None:
        now = time.monotonic()
        for supervised in self._programs:
            if supervised.due_at is not None and supervised.due_at <= now:
                supervised.start()
                self._write_record()

    def _seconds_to_next_start(self) -> float:
        due = [s.due_at for s in self._programs if s.due_at is not None]
        return min([HOUSEKEEPING_SECONDS, *(at - time.monotonic() for at in due)])

    def _write_record(self) -> None:
        running = {s.program.name: s.identity for s in self._programs if s.identity is not None}
        self._lock.write_record(self._url, running)


def _describe(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def _reap_orphans(ours: set[int]) -> None:
    """Collect ended processes that became our children when their parent ended."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if ended is None or ended.si_pid in ours:
            return
        os.waitpid(ended.si_pid, 0)


def _own_children() -> list[ProcessId]:
    """Return our living children, read from /proc (proc(5), fields 4 and 22 of stat)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, *rest = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.append(ProcessId(int(stat.parent.name), int(rest[17])))
    return found
