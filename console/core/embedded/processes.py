"""One supervised program: how it is started, watched, started again and stopped."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from console.core.embedded.instance import ProcessId, process_start

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60.0
"""A program that ran this long counts as sound again: the next pause is the first one."""
LOG_BYTES = 20 * 1024 * 1024
"""A log beyond this size is moved aside, keeping one older file."""

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Program:
    """What to run. Its output goes to `log`, or to our own where there is none."""

    name: str
    argv: tuple[str, ...]
    log: Path | None
    cwd: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    stop_seconds: float = 10.0
    """How long it may take to end after SIGTERM."""
    restarts: bool = True
    """False: it does one thing and ends."""


def become_subreaper() -> None:
    """Make orphans of our programs our own children, so that stopping misses none (prctl(2))."""
    _LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _in_the_child() -> None:
    """Between fork and exec: unblock signals, and end with the supervisor even if it is killed."""
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


class SupervisedProgram:
    """A program that should be running; started again with growing pauses when it ends."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.identity: ProcessId | None = None
        self.due_at: float | None = None
        """When (monotonic) to start it again; None while it runs."""
        self._started_at = 0.0
        self._pause = FIRST_PAUSE_SECONDS

    def start(self) -> None:
        """Start the program in a session of its own."""
        log = self.program.log
        with contextlib.nullcontext() if log is None else log.open("ab") as output:
            self.process = subprocess.Popen(
                self.program.argv,
                cwd=self.program.cwd,
                env=dict(self.program.environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output and subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_in_the_child,  # noqa: PLW1509 - the supervisor has one thread
            )
        self.identity = ProcessId(self.process.pid, process_start(self.process.pid) or 0)
        self._started_at = time.monotonic()
        self.due_at = None

    def note_end(self) -> float:
        """Plan the next start after the program ended; return the pause in seconds.

        Ends what it left in its process group first: a web worker without its master would go on
        serving beside the next one.
        """
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        if time.monotonic() - self._started_at > STEADY_SECONDS:
            self._pause = FIRST_PAUSE_SECONDS
        pause = self._pause
        self._pause = min(LONGEST_PAUSE_SECONDS, pause * 2)
        self.due_at = time.monotonic() + pause
        return pause

    def stop(self) -> None:
        """End the program's process group: SIGTERM, then SIGKILL after `stop_seconds`."""
        if self.process is None or self.process.poll() is not None:
            return
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(self.program.stop_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def rotate_log(self) -> None:
        """Move a log that has grown beyond LOG_BYTES aside; the program goes on writing."""
        log = self.program.log
        if log is not None and log.exists() and log.stat().st_size > LOG_BYTES:
            log.with_suffix(".log.1").write_bytes(log.read_bytes())
            os.truncate(log, 0)


def log_tail(log: Path | None, lines: int = 15) -> str:
    """Return the last lines of a program's log, for a person to read."""
    if log is None or not log.exists():
        return ""
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - 8192))
        text = stream.read().decode(errors="replace")
    return "\n".join(text.splitlines()[-lines:])
