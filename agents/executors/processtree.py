"""Processes by identity (pid + start time), and ending one with all its descendants."""

import os
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

MARK_VARIABLE = "KEYRACK_RUN"
"""Environment variable that marks every process of one run, also those that left its session."""

TERM_GRACE_SECONDS = 1.0
"""Time between SIGTERM and SIGKILL; with the sweep afterwards an end takes less than 2 s."""

_POLL_SECONDS = 0.02
_HAS_PROC = sys.platform.startswith("linux") and Path("/proc/self/stat").exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessIdentity:
    """One process for good: a pid alone may be used again, pid and start time may not.

    `start_time` is an opaque word: boot id and clock ticks since boot on Linux (proc(5), field 22
    of /proc/<pid>/stat), the creation time elsewhere.
    """

    pid: int
    start_time: str

    def is_alive(self) -> bool:
        """Return whether this very process still runs; a zombie does not."""
        return start_time_of(self.pid) == self.start_time


def identify(pid: int) -> ProcessIdentity | None:
    """Return the identity of a running process, or None when it is gone (or a zombie)."""
    start_time = start_time_of(pid)
    return None if start_time is None else ProcessIdentity(pid=pid, start_time=start_time)


def start_time_of(pid: int) -> str | None:
    """Return the start time of a running process as an opaque word, None when gone or a zombie."""
    if not _HAS_PROC:
        return _start_time_psutil(pid)
    fields = _stat_fields(pid)
    if fields is None or fields[0] in ("Z", "X"):
        return None
    return f"{_boot_id()}:{fields[19]}"


def descendants(pid: int) -> set[ProcessIdentity]:
    """Return all living descendants of `pid` by parent links, without `pid` itself."""
    children: dict[int, list[int]] = {}
    for candidate, parent in _parents():
        children.setdefault(parent, []).append(candidate)
    found: set[ProcessIdentity] = set()
    waiting = list(children.get(pid, ()))
    while waiting:
        current = waiting.pop()
        identity = identify(current)
        if identity is not None and identity not in found:
            found.add(identity)
            waiting.extend(children.get(current, ()))
    return found


def marked(mark: str) -> set[ProcessIdentity]:
    """Return living processes of ours whose environment carries `KEYRACK_RUN=<mark>`.

    Finds what a double fork or setsid took out of the tree (environment as in proc(5)). Empty on
    systems that have no /proc/<pid>/environ.
    """
    needle = f"{MARK_VARIABLE}={mark}".encode()
    found = set()
    for pid, _ in _parents() if _HAS_PROC and mark else ():
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue
        if needle in environment.split(b"\0"):
            identity = identify(pid)
            if identity is not None:
                found.add(identity)
    return found


def end_process_tree(
    root: ProcessIdentity, *, mark: str = "", grace_seconds: float = TERM_GRACE_SECONDS
) -> bool:
    """End `root`, its group, its descendants and everything marked: SIGTERM, then SIGKILL.

    Takes `grace_seconds` plus at most 0.5 s. Returns True when nothing of it is left. The caller
    still reaps `root` where it is its child.
    """
    doomed = _family(root, mark)
    _signal_all(root, doomed, signal.SIGTERM)
    if not _wait_gone(doomed, grace_seconds):
        doomed |= _family(root, mark)
        _signal_all(root, doomed, signal.SIGKILL)
        _wait_gone(doomed, 0.25)
    # What was forked between looking and killing is still marked or still a descendant.
    late = _family(root, mark) - {root}
    _signal_all(root, late, signal.SIGKILL)
    return _wait_gone(doomed | late, 0.25)


def _family(root: ProcessIdentity, mark: str) -> set[ProcessIdentity]:
    family = marked(mark) - {_self()}
    if root.is_alive():
        family |= {root} | descendants(root.pid)
    return family


def _self() -> ProcessIdentity | None:
    return identify(os.getpid())


def _signal_all(root: ProcessIdentity, family: Iterable[ProcessIdentity], number: int) -> None:
    if root.is_alive():
        signal_group(root.pid, number)
    for identity in family:
        if identity.is_alive():
            try:
                os.kill(identity.pid, number)
            except (ProcessLookupError, PermissionError):
                continue


def signal_group(leader_pid: int, number: int) -> None:
    """Send a signal to the group that `leader_pid` leads; silently nothing when there is none."""
    try:
        os.killpg(leader_pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _wait_gone(family: Iterable[ProcessIdentity], seconds: float) -> bool:
    until = time.monotonic() + seconds
    left = {identity for identity in family if identity.is_alive()}
    while left and time.monotonic() < until:
        time.sleep(_POLL_SECONDS)
        left = {identity for identity in left if identity.is_alive()}
    return not left


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return "boot"


def _stat_fields(pid: int) -> list[str] | None:
    """Return the fields of /proc/<pid>/stat from the state (field 3) on, None when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    # The command name (field 2) may hold blanks and brackets; the last ")" ends it.
    return text.rpartition(")")[2].split()


def _parents() -> list[tuple[int, int]]:
    if not _HAS_PROC:
        import psutil

        return [(p.pid, p.info["ppid"] or 0) for p in psutil.process_iter(["ppid"])]
    found = []
    for entry in os.listdir("/proc"):
        fields = _stat_fields(int(entry)) if entry.isdigit() else None
        if fields is not None:
            found.append((int(entry), int(fields[1])))
    return found


def _start_time_psutil(pid: int) -> str | None:
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return f"{process.create_time():.2f}"
    except psutil.Error:
        return None
