"""One act on the host: a tool that outlives its starter, or one file written in one go."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.changes.tools import Tools
from agents.executors.child import GatedChild
from agents.executors.process import FIXED_ENVIRONMENT
from agents.executors.processtree import (
    MARK_VARIABLE,
    ProcessIdentity,
    end_process_tree,
)
from agents.files import sync_directory
from agents.wire.changes import FileEdit

_POLL_SECONDS = 0.02
_MAX_POLL_SECONDS = 0.2


class EditRefused(Exception):
    """The file is not as the plan saw it; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActEnd:
    """How a tool ended. `exit_code` None: not ours to know (it was adopted), or it was ended."""

    exit_code: int | None
    tool_seconds: float
    timed_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActFiles:
    """Where a tool's two outputs go: files, so that it never waits for a reader."""

    stdout: Path
    stderr: Path

    def tail(self, limit: int = 2000) -> str:
        """Return the end of what it wrote, errors first."""
        texts = [_tail(path, limit).strip() for path in (self.stderr, self.stdout)]
        return "\n".join(text for text in texts if text)


def _tail(path: Path, limit: int) -> str:
    try:
        return path.read_bytes()[-limit:].decode("utf-8", "replace")
    except OSError:
        return ""


def prepare_tool(tools: Tools, argv: Sequence[str], files: ActFiles, *, mark: str) -> GatedChild:
    """Return the tool's process, waiting to be released: note who it is first. Raises OSError.

    `mark` names it in its environment, so that all that it starts is found.
    """
    environment = {**FIXED_ENVIRONMENT, **tools.full_environment(), MARK_VARIABLE: mark}
    argv = tools.located(argv)
    return GatedChild(argv, env=environment, stdout=files.stdout, stderr=files.stderr)


def wait_for_tool(
    tool: ProcessIdentity,
    process: GatedChild | None,
    *,
    until: float,
    mark: str,
    on_tick: Callable[[], None],
) -> ActEnd:
    """Wait for the tool until `until` (seconds since the epoch), then end it with all its family.

    `process` is None for one that an earlier child of ours started. A running tool is never ended
    for a cancel: half a change is worse than a whole one that is undone.
    """
    started, pause = time.monotonic(), _POLL_SECONDS
    while _is_running(tool, process):
        if time.time() >= until:
            end_process_tree(tool, mark=mark)
            if process is not None:
                process.wait(None)
            on_tick()
            return ActEnd(exit_code=None, tool_seconds=time.monotonic() - started, timed_out=True)
        on_tick()
        _sleep(process, pause)
        pause = min(pause * 1.5, _MAX_POLL_SECONDS)
    on_tick()
    code = process.returncode if process is not None else None
    return ActEnd(exit_code=code, tool_seconds=time.monotonic() - started)


def _is_running(tool: ProcessIdentity, process: GatedChild | None) -> bool:
    return process.poll() is None if process is not None else tool.is_alive()


def _sleep(process: GatedChild | None, seconds: float) -> None:
    if process is None:
        time.sleep(seconds)
    else:
        process.wait(seconds)


def write_edit(tools: Tools, path: str, *, before: str | None, after: str | None) -> None:
    """Give a file the text `after` (None: remove it) in one step, keeping mode and owner.

    Raises EditRefused unless it now holds `before` (or already `after`), and OSError.
    """
    now = tools.read_text(path)
    if now == after:
        return
    if now != before:
        raise EditRefused(f"{path} is not as it was when this was planned; it was left alone.")
    place = tools.file(path)
    if after is None:
        place.unlink()
    else:
        _replace(place, after)
    sync_directory(place.parent)


def _replace(place: Path, text: str) -> None:
    temporary = place.with_name(f".{place.name}.{os.getpid()}.new")
    status = place.stat() if place.exists() else None
    mode = status.st_mode & 0o7777 if status else 0o644
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(text.encode("utf-8", "surrogateescape"))
        stream.flush()
        os.fchmod(stream.fileno(), mode)
        if status is not None and status.st_uid != os.geteuid():
            os.fchown(stream.fileno(), status.st_uid, status.st_gid)
        os.fsync(stream.fileno())
    os.replace(temporary, place)


def edit_of(edit: FileEdit, *, is_undo: bool) -> tuple[str | None, str | None]:
    """Return the texts before and after an edit, or its undo."""
    return (edit.after, edit.before) if is_undo else (edit.before, edit.after)
