"""The one helper through which the agent runs other programs: argv lists, a fixed environment,
a deadline, an output cap and an end for the whole process group. Never a shell.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from agents.executors.processtree import (
    MARK_VARIABLE,
    TERM_GRACE_SECONDS,
    ProcessIdentity,
    descendants,
    identify,
    signal_group,
)

FIXED_ENVIRONMENT: Mapping[str, str] = {
    "LC_ALL": "C",
    "TZ": "UTC",
    "HOME": "/",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}
"""All that a program gets, plus what the caller adds: nothing of the agent's own environment."""

_CHUNK_BYTES = 65536
_TICK_SECONDS = 0.1
_DRAIN_SECONDS = 0.5

OutputSink = Callable[[str, bytes], None]
"""Called with `stdout` or `stderr` and the bytes just read."""


class CommandNotStarted(Exception):
    """The program could not be started: it is missing, not executable, or the directory is."""

    def __init__(self, argv: Sequence[str], reason: str) -> None:
        super().__init__(f"{argv[0] if argv else '(empty argv)'} could not be started: {reason}")
        self.argv = tuple(argv)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """How a program ended and what it wrote.

    `returncode` is negative for a signal, as in subprocess. CPU seconds are the program's own and
    those of its children that it waited for (getrusage(2) through wait4(2)). `truncated`: it wrote
    more than the cap, and what came later was read and dropped.
    """

    argv: tuple[str, ...]
    returncode: int
    stdout: str
    stderr: str
    wall_seconds: float
    user_seconds: float
    system_seconds: float
    timed_out: bool = False
    truncated: bool = False
    stopped: bool = False
    """Ended because `should_stop` asked for it."""

    @property
    def is_ok(self) -> bool:
        """Whether it ended by itself with code 0 and all of its output is here."""
        return self.returncode == 0 and not (self.timed_out or self.truncated or self.stopped)


def run_command(
    argv: Sequence[str],
    *,
    timeout_seconds: float,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    output_cap_bytes: int = 1 << 20,
    stdin: bytes | None = None,
) -> CommandResult:
    """Run a program to its end and return its result, also after a deadline or a bad exit code.

    `env` is added to FIXED_ENVIRONMENT. `output_cap_bytes` holds for stdout and stderr each. Raises
    CommandNotStarted when there is no such program.
    """
    return stream_command(
        argv,
        timeout_seconds=timeout_seconds,
        env=env,
        cwd=cwd,
        output_cap_bytes=output_cap_bytes,
        stdin=stdin,
    )


def stream_command(
    argv: Sequence[str],
    *,
    timeout_seconds: float,
    on_output: OutputSink | None = None,
    should_stop: Callable[[], bool] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    output_cap_bytes: int = 1 << 20,
    stdin: bytes | None = None,
) -> CommandResult:
    """Run a long program, giving `on_output` what it writes as it comes (also beyond the cap).

    `should_stop` is asked ten times a second; True ends the whole group: SIGTERM, SIGKILL a second
    later. Otherwise as run_command.
    """
    started = time.monotonic()
    process = _start(argv, env=env, cwd=cwd, has_stdin=stdin is not None)
    pump = _Pump(process, stdin=stdin, cap=output_cap_bytes, on_output=on_output)
    try:
        pump.run(deadline=started + timeout_seconds, should_stop=should_stop)
    finally:
        status, usage = _end_and_reap(process, pump)
    return CommandResult(
        argv=tuple(argv),
        returncode=os.waitstatus_to_exitcode(status),
        stdout=pump.text("stdout"),
        stderr=pump.text("stderr"),
        wall_seconds=time.monotonic() - started,
        user_seconds=usage[0],
        system_seconds=usage[1],
        timed_out=pump.timed_out,
        truncated=pump.truncated,
        stopped=pump.stopped,
    )


def spawn_detached(
    argv: Sequence[str],
    *,
    stdout_path: Path,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
) -> "DetachedProcess":
    """Start a program in a session of its own, so that it outlives the caller.

    Both its outputs are appended to `stdout_path`. The environment is exactly FIXED_ENVIRONMENT
    and `env`. Raises CommandNotStarted.
    """
    descriptor = os.open(stdout_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        process = _popen(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, output=descriptor)
    finally:
        os.close(descriptor)
    identity = identify(process.pid)
    # A child of ours cannot be gone without a trace before we reap it; a zombie has no start time.
    return DetachedProcess(
        process, identity or ProcessIdentity(pid=process.pid, start_time="ended at once")
    )


class DetachedProcess:
    """A child started by spawn_detached."""

    def __init__(self, process: subprocess.Popen[bytes], identity: ProcessIdentity) -> None:
        self._process = process
        self.identity = identity

    def poll(self) -> int | None:
        """Reap it if it has ended; return its exit code, or None while it runs."""
        return self._process.poll()


def child_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a Python child of the agent's own: ours, LC_ALL=C, and `extra`.

    Our own children keep what the admin set for the agent (SOFTHSM2_CONF, …) and find this package.
    """
    package_parent = str(Path(__file__).resolve().parents[2])
    path = os.environ.get("PYTHONPATH", "")
    if package_parent not in path.split(os.pathsep):
        path = os.pathsep.join(part for part in (package_parent, path) if part)
    return {**os.environ, "PYTHONPATH": path, "LC_ALL": "C", **(extra or {})}


def _start(
    argv: Sequence[str], *, env: Mapping[str, str] | None, cwd: str | Path | None, has_stdin: bool
) -> subprocess.Popen[bytes]:
    stdin = subprocess.PIPE if has_stdin else subprocess.DEVNULL
    return _popen(argv, env=env, cwd=cwd, stdin=stdin, output=subprocess.PIPE)


def _popen(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None,
    cwd: str | Path | None,
    stdin: int,
    output: int,
) -> subprocess.Popen[bytes]:
    if isinstance(argv, str) or not argv or not all(isinstance(word, str) for word in argv):
        raise TypeError("argv must be a non-empty list of str; there is no shell here")
    environment = {**FIXED_ENVIRONMENT, **(env or {})}
    if MARK_VARIABLE in os.environ:
        environment.setdefault(MARK_VARIABLE, os.environ[MARK_VARIABLE])
    try:
        return subprocess.Popen(
            list(argv),
            stdin=stdin,
            stdout=output,
            stderr=subprocess.STDOUT if output != subprocess.PIPE else output,
            env=environment,
            cwd=cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandNotStarted(argv, reason) from error


def _end_and_reap(
    process: subprocess.Popen[bytes], pump: "_Pump"
) -> tuple[int, tuple[float, float]]:
    """Leave nothing behind: kill what is left, close the pipes, reap; return status and CPU."""
    # Not yet reaped, so the group's number is still ours even when the leader has ended.
    family = pump.family | descendants(process.pid)
    signal_group(process.pid, signal.SIGKILL)
    for identity in family:
        if identity.is_alive():
            os.kill(identity.pid, signal.SIGKILL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    pump.close()
    return status, (usage.ru_utime, usage.ru_stime)


class _Pump:
    """Moves a child's pipes until it ends, is told to stop, or runs out of time."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        stdin: bytes | None,
        cap: int,
        on_output: OutputSink | None,
    ) -> None:
        self.timed_out = self.stopped = self.truncated = False
        self.family: set[ProcessIdentity] = set()
        self._pid = process.pid
        self._cap = cap
        self._on_output = on_output
        self._kept: dict[str, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}
        self._stdin = memoryview(stdin or b"")
        self._pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]
        self._selector = selectors.DefaultSelector()
        self._pidfd = _pidfd(process.pid)
        if self._pidfd is not None:
            self._selector.register(self._pidfd, selectors.EVENT_READ, "exit")
        self._register(process.stdout, "stdout", selectors.EVENT_READ)
        self._register(process.stderr, "stderr", selectors.EVENT_READ)
        self._register(process.stdin, "stdin", selectors.EVENT_WRITE)

    def _register(self, pipe: IO[bytes] | None, name: str, event: int) -> None:
        if pipe is not None:
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, event, name)

    def text(self, name: str) -> str:
        """Return what was kept of a stream."""
        return self._kept[name].decode("utf-8", "replace")

    def run(self, *, deadline: float, should_stop: Callable[[], bool] | None) -> None:
        """Pump until the child has ended and its pipes are drained, or has to be killed."""
        # 1. While it runs as it should.
        is_ended = self._wait(deadline, should_stop)
        if not is_ended:
            # 2. Out of time or told to stop: ask it, and wait a moment.
            self.stopped = time.monotonic() < deadline
            self.timed_out = not self.stopped
            self.family = descendants(self._pid)
            signal_group(self._pid, signal.SIGTERM)
            is_ended = self._wait(time.monotonic() + TERM_GRACE_SECONDS, None)
        # 3. It has ended; something it started may still hold its pipes, for which we do not wait.
        drain_until = time.monotonic() + _DRAIN_SECONDS
        while is_ended and self._has_open_outputs() and time.monotonic() < drain_until:
            self._step(drain_until)

    def _wait(self, until: float, should_stop: Callable[[], bool] | None) -> bool:
        """Pump until it ends (True), or `until` or `should_stop` comes first (False)."""
        is_ticking = should_stop is not None or self._pidfd is None
        while not self._has_ended():
            if time.monotonic() >= until or (should_stop is not None and should_stop()):
                return False
            tick_until = time.monotonic() + _TICK_SECONDS
            self._step(min(until, tick_until) if is_ticking else until)
        return True

    def close(self) -> None:
        """Close the selector, the pipes and the pidfd."""
        self._selector.close()
        for pipe in self._pipes:
            try:
                pipe.close()
            except BrokenPipeError:
                continue
        if self._pidfd is not None:
            os.close(self._pidfd)

    def _has_open_outputs(self) -> bool:
        return any(key.data in self._kept for key in self._selector.get_map().values())

    def _has_ended(self) -> bool:
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._pid, flags) is not None

    def _step(self, until: float) -> None:
        for key, _ in self._selector.select(max(0.0, until - time.monotonic())):
            if key.data == "exit":
                self._selector.unregister(key.fileobj)
            elif key.data == "stdin":
                self._write(key)
            else:
                self._read(key)

    def _write(self, key: selectors.SelectorKey) -> None:
        try:
            written = os.write(key.fd, self._stdin[:_CHUNK_BYTES]) if self._stdin else 0
        except BlockingIOError:
            return
        except BrokenPipeError:
            written = len(self._stdin)
        self._stdin = self._stdin[written:]
        if not self._stdin:
            self._selector.unregister(key.fileobj)
            # Typed as a descriptor or a file; we register files only.
            key.fileobj.close()  # type: ignore[union-attr]

    def _read(self, key: selectors.SelectorKey) -> None:
        try:
            data = os.read(key.fd, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(key.fileobj)
            return
        kept = self._kept[key.data]
        room = self._cap - len(kept)
        kept += data[: max(0, room)]
        self.truncated = self.truncated or len(data) > room
        if self._on_output is not None:
            self._on_output(key.data, data)


def _pidfd(pid: int) -> int | None:
    opener = getattr(os, "pidfd_open", None)
    try:
        return opener(pid) if opener is not None else None
    except OSError:
        return None
