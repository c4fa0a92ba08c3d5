"""A child that waits at a gate until its starter has noted who it is, and outlives the starter.

subprocess.Popen runs the program before its pid is known: killed in between, the starter leaves a
program behind that nobody knows of. Here such a child never becomes the program.
"""

import contextlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.executors.process import CommandNotStarted
from agents.executors.processtree import ProcessIdentity, identify

_GO = b"g"
_NOT_STARTED = 126
_MAX_PAUSE_SECONDS = 0.05


class GatedChild:
    """A process in a session of its own, forked and waiting; `release` makes it the program.

    Only for a process without other threads: it forks. The environment is exactly `env`; both
    outputs are appended to files, so that it never waits for a reader.
    """

    def __init__(
        self, argv: Sequence[str], *, env: Mapping[str, str], stdout: Path, stderr: Path
    ) -> None:
        self.returncode: int | None = None
        """Its exit code once it is reaped, negative for a signal."""
        self._argv = list(argv)
        gate, self._gate = os.pipe()
        self._failure, failure = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._gate)
            _become(self._argv, dict(env), (stdout, stderr), gate, failure)
        os.close(gate)
        os.close(failure)
        gone = ProcessIdentity(pid=self.pid, start_time="ended at once")
        self.identity = identify(self.pid) or gone

    def release(self) -> None:
        """Let it become the program. Raises CommandNotStarted where that cannot be."""
        # A broken pipe: it was ended while it waited, and its exit code says how.
        with contextlib.suppress(BrokenPipeError):
            os.write(self._gate, _GO)
        os.close(self._gate)
        reason = os.read(self._failure, 4096)
        os.close(self._failure)
        if reason:
            self.wait(None)
            raise CommandNotStarted(self._argv, reason.decode("utf-8", "replace"))

    def poll(self) -> int | None:
        """Reap it if it has ended; return its exit code, or None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, seconds: float | None) -> int | None:
        """Wait at most `seconds` (None: without limit) for its end; return as `poll`."""
        until = None if seconds is None else time.monotonic() + seconds
        pause = 0.001
        while self.poll() is None and (until is None or time.monotonic() < until):
            time.sleep(pause)
            pause = min(pause * 2, _MAX_PAUSE_SECONDS)
        return self.returncode


def _become(
    argv: list[str], env: dict[str, str], outputs: tuple[Path, Path], gate: int, failure: int
) -> None:
    """Wait for the word and become the program; never returns. Without the word it just ends."""
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        os.chdir("/")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor, path in enumerate(outputs, start=1):
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            os.dup2(os.open(path, flags, 0o600), descriptor)
        # End of file: whoever started us was killed before it could note that we are here.
        if os.read(gate, 1) == _GO:
            os.execve(argv[0], argv, env)  # noqa: S606 - an argv list, no shell
    except (OSError, ValueError) as error:
        os.write(failure, (getattr(error, "strerror", None) or str(error)).encode())
    finally:
        os._exit(_NOT_STARTED)
