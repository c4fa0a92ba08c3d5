"""The journal: what this agent claimed and started, so that a restart knows what to do about it.

Append-only JSON lines, each with fsync before the act that it announces. A torn last line (killed
while writing) is as if it had never been written.
"""

import json
import logging
import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from agents.executors.processtree import ProcessIdentity
from agents.files import write_durably
from agents.log import log_event
from agents.wire import codec
from agents.wire.work import WorkOrder

COMPACT_FROM_LINES = 200

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One nonce and how far it got: journaled, claimed (`order`), started (`child`)."""

    nonce: str
    lane: str
    order: WorkOrder | None = None
    child: ProcessIdentity | None = None
    started_at: float = 0.0
    """Seconds since the epoch when the child was started; 0: never."""


class Journal:
    """Open entries in memory, every change on disk first. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._open: dict[str, JournalEntry] = {}
        self._lines = 0
        for line in read_whole_lines(path):
            self._lines += 1
            self._replay(line)
        self._descriptor = open_for_append(path)

    def entries(self) -> list[JournalEntry]:
        """Return what is not closed, oldest first."""
        with self._lock:
            return list(self._open.values())

    def new_nonce(self, lane: str) -> str:
        """Journal a fresh nonce for `lane` and return it; only then may it be sent."""
        nonce = uuid4().hex
        self._append({"nonce": nonce, "lane": lane})
        return nonce

    def claimed(self, nonce: str, order: WorkOrder) -> None:
        """Journal the order that was handed out under `nonce`."""
        self._append({"nonce": nonce, "order": codec.to_plain(order)})

    def started(self, nonce: str, child: ProcessIdentity, at: float) -> None:
        """Journal the child that carries the order out."""
        child_plain = {"pid": child.pid, "start_time": child.start_time}
        self._append({"nonce": nonce, "child": child_plain, "at": at})

    def close_entry(self, nonce: str) -> None:
        """Journal that nothing is left to do about `nonce`: its end is in the outbox."""
        self._append({"nonce": nonce, "closed": True})

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _append(self, record: dict[str, Any]) -> None:
        with self._lock:
            line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
            append_line(self._descriptor, line)
            os.fsync(self._descriptor)
            self._lines += 1
            self._apply(record)
            if self._lines >= COMPACT_FROM_LINES and self._lines > 8 * len(self._open):
                self._compact()

    def _replay(self, line: bytes) -> None:
        try:
            self._apply(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            log_event(_log, "journal.line_damaged", logging.ERROR, line=self._lines, error=error)

    def _apply(self, record: dict[str, Any]) -> None:
        nonce = record["nonce"]
        if record.get("closed"):
            self._open.pop(nonce, None)
            return
        entry = self._open.get(nonce) or JournalEntry(nonce=nonce, lane=record.get("lane", ""))
        if "order" in record:
            order = codec.from_plain(record["order"], WorkOrder)
            entry = replace(entry, order=order, lane=order.lane)
        if "child" in record:
            child = ProcessIdentity(**record["child"])
            entry = replace(entry, child=child, started_at=record["at"])
        self._open[nonce] = entry

    def _compact(self) -> None:
        lines = [json.dumps(record) for entry in self._open.values() for record in _records(entry)]
        write_durably(self._path, "".join(f"{line}\n" for line in lines).encode())
        os.close(self._descriptor)
        self._descriptor = open_for_append(self._path)
        self._lines = len(lines)


def _records(entry: JournalEntry) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = [{"nonce": entry.nonce, "lane": entry.lane}]
    if entry.order is not None:
        records.append({"nonce": entry.nonce, "order": codec.to_plain(entry.order)})
    if entry.child is not None:
        child = {"pid": entry.child.pid, "start_time": entry.child.start_time}
        records.append({"nonce": entry.nonce, "child": child, "at": entry.started_at})
    return records


def read_whole_lines(path: Path) -> list[bytes]:
    """Return the lines of `path` that end in a line break; cut a torn rest off the file."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole != len(data):
        os.truncate(path, whole)
    return data[:whole].splitlines()


def open_for_append(path: Path) -> int:
    """Open (and create, 0600) a file for appending; return its descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)


def append_line(descriptor: int, line: bytes) -> int:
    """Append a whole line or nothing of it; return the offset where it begins. Raises OSError."""
    offset = os.lseek(descriptor, 0, os.SEEK_END)
    try:
        written = os.write(descriptor, line)
        if written != len(line):
            raise OSError(f"only {written} of {len(line)} bytes could be written")
    except OSError:
        os.ftruncate(descriptor, offset)
        raise
    return offset
