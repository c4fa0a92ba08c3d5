"""The outbox: reports on disk until the console acknowledged them.

Numbers count on over restarts. Disk use is bounded: beyond the limit the oldest OUTPUT goes first,
and a report in its place says so; samples and ends of runs are never dropped.
"""

import json
import logging
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.files import write_durably
from agents.journal import append_line, open_for_append, read_whole_lines
from agents.log import log_event
from agents.wire import codec
from agents.wire.work import Report, ReportKind

BATCH_REPORTS = 500
BATCH_BYTES = 1 << 20
COMPACT_FROM_BYTES = 1 << 20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPosition:
    """How much of a run is in the outbox already, so that a restart reports nothing twice."""

    is_started: bool = False
    events: int = 0
    """Lines of the run's events file that were taken over."""
    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class _Pending:
    seq: int
    kind: str
    nonce: str
    offset: int
    length: int


class Outbox:
    """Reports waiting for the console. Safe to use from several threads; raises OSError (disk)."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._changed = threading.Condition()
        self._pending: list[_Pending] = []
        self._positions: dict[str, RunPosition] = {}
        self._next_seq = 1
        self._is_dirty = False
        self._load()

    def append(self, report: Report, *, event: int = 0) -> int:
        """Add a report, giving it the next number, which is returned; its own `seq` is ignored.

        `event`: which line of the run's events file it came from, counted from 1.
        """
        with self._changed:
            numbered = replace(report, seq=self._next_seq)
            record = {"event": event, "report": codec.to_plain(numbered)}
            self._write(record)
            self._trim()
            self._changed.notify_all()
            return numbered.seq

    def position(self, nonce: str) -> RunPosition:
        """Return how much of the run under `nonce` was ever appended (until it is forgotten)."""
        with self._changed:
            return self._positions.get(nonce, RunPosition())

    def forget(self, nonce: str) -> None:
        """Drop the position of a run that the journal has closed."""
        with self._changed:
            if nonce in self._positions:
                self._write({"forget": nonce})

    def forget_all_but(self, nonces: set[str]) -> None:
        """Drop the positions of all runs but these."""
        with self._changed:
            for nonce in set(self._positions) - nonces:
                self._write({"forget": nonce})

    def sync(self) -> None:
        """Make everything appended durable."""
        with self._changed:
            self._sync()

    def batch(self, limit: int = BATCH_REPORTS) -> list[Report]:
        """Return the oldest reports, at most `limit` and 1 MiB, durable before they leave."""
        with self._changed:
            self._sync()
            size = 0
            chosen: list[dict[str, Any]] = []
            for item in self._pending[:limit]:
                size += item.length
                if chosen and size > BATCH_BYTES:
                    break
                chosen.append(self._read(item))
            return [codec.from_plain(record["report"], Report) for record in chosen]

    def acknowledge(self, seq: int) -> None:
        """Drop what the console holds: all reports up to `seq`.

        A number beyond all of ours means that this state is older than what the console knows (a
        restored disk): what is still pending gets new numbers behind it, so that it is not taken
        for something already seen.
        """
        with self._changed:
            if seq >= self._next_seq:
                self._renumber(seq + 1)
            elif self._pending and self._pending[0].seq <= seq:
                self._pending = [item for item in self._pending if item.seq > seq]
                self._write({"acked": seq})
                if self._offset_end() > COMPACT_FROM_BYTES + 2 * self._pending_bytes():
                    self._rewrite(self._records())
                self._changed.notify_all()

    def substitute(self, seq: int, report: Report | None) -> None:
        """Replace the report `seq` (None: drop it), which the console will not take as it is."""
        with self._changed:
            records = self._records()
            for record in records:
                if record["report"]["seq"] == seq and report is not None:
                    record["report"] = codec.to_plain(replace(report, seq=seq))
            self._rewrite(r for r in records if r["report"]["seq"] != seq or report is not None)

    def pending_count(self) -> int:
        """Return how many reports wait."""
        with self._changed:
            return len(self._pending)

    def wait(self, timeout_seconds: float, is_over: Callable[[], bool]) -> bool:
        """Wait until a report is there; False after the time, or as soon as `is_over`."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._pending) or is_over(), timeout_seconds)
            return bool(self._pending) and not is_over()

    def wait_empty(self, timeout_seconds: float) -> bool:
        """Wait until nothing is pending; False when the time is over first."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._pending, timeout_seconds)

    def wake(self) -> None:
        """Make `wait` look again."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Make all of it durable and close the file."""
        with self._changed:
            self._sync()
            os.close(self._descriptor)

    def _load(self) -> None:
        offset = 0
        for line in read_whole_lines(self._path):
            length = len(line) + 1
            try:
                self._apply(json.loads(line), offset, length)
            except (ValueError, KeyError, TypeError) as error:
                log_event(_log, "outbox.line_damaged", logging.ERROR, offset=offset, error=error)
            offset += length
        self._descriptor = open_for_append(self._path)

    def _write(self, record: dict[str, Any]) -> None:
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        offset = append_line(self._descriptor, line)
        self._is_dirty = True
        self._apply(record, offset, len(line))

    def _apply(self, record: dict[str, Any], offset: int, length: int) -> None:
        if "report" in record:
            self._apply_report(record, offset, length)
        elif "acked" in record:
            self._pending = [item for item in self._pending if item.seq > record["acked"]]
        elif "forget" in record:
            self._positions.pop(record["forget"], None)
        elif "next_seq" in record:
            self._next_seq = record["next_seq"]
            self._positions = {
                nonce: RunPosition(**position) for nonce, position in record["runs"].items()
            }

    def _apply_report(self, record: dict[str, Any], offset: int, length: int) -> None:
        report = record["report"]
        seq, kind, nonce = report["seq"], report["kind"], report["nonce"]
        self._pending.append(_Pending(seq, kind, nonce, offset, length))
        self._next_seq = max(self._next_seq, seq + 1)
        old = self._positions.get(nonce, RunPosition())
        self._positions[nonce] = RunPosition(
            is_started=old.is_started or kind == ReportKind.STARTED,
            events=max(old.events, record["event"]),
            is_finished=old.is_finished or kind == ReportKind.FINISHED,
        )

    def _read(self, item: _Pending) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(os.pread(self._descriptor, item.length, item.offset))
        return record

    def _records(self) -> list[dict[str, Any]]:
        return [self._read(item) for item in self._pending]

    def _sync(self) -> None:
        if self._is_dirty:
            os.fsync(self._descriptor)
            self._is_dirty = False

    def _offset_end(self) -> int:
        return os.lseek(self._descriptor, 0, os.SEEK_END)

    def _pending_bytes(self) -> int:
        return sum(item.length for item in self._pending)

    def _renumber(self, first: int) -> None:
        records = self._records()
        if records:
            log_event(_log, "outbox.renumbered", logging.WARNING, reports=len(records))
        for seq, record in enumerate(records, first):
            record["report"]["seq"] = seq
        self._next_seq = first + len(records)
        self._rewrite(records)

    def _trim(self) -> None:
        total = self._pending_bytes() if self._offset_end() > self._max_bytes else 0
        output = sum(item.length for item in self._pending if item.kind == ReportKind.OUTPUT)
        # Little output among it: nothing worth writing the whole file anew for.
        if total <= self._max_bytes or output < self._max_bytes // 8:
            return
        records = self._records()
        kept = _without_oldest_output(records, total - self._max_bytes * 3 // 4, self._max_bytes)
        log_event(_log, "outbox.output_dropped", logging.WARNING, reports=len(records) - len(kept))
        self._rewrite(kept)

    def _rewrite(self, records: Iterable[dict[str, Any]]) -> None:
        """Write the file anew: where the count and the runs stand, then what is still pending."""
        runs = {
            nonce: {name: getattr(position, name) for name in RunPosition.__slots__}
            for nonce, position in self._positions.items()
        }
        lines = [json.dumps({"next_seq": self._next_seq, "runs": runs})]
        lines += [json.dumps(record, separators=(",", ":")) for record in records]
        write_durably(self._path, "".join(f"{line}\n" for line in lines).encode())
        os.close(self._descriptor)
        self._pending = []
        self._is_dirty = False
        self._load()


def _without_oldest_output(
    records: list[dict[str, Any]], excess: int, limit: int
) -> list[dict[str, Any]]:
    """Drop OUTPUT, oldest first, until `excess` bytes are gone; one note per run stands for it.

    The note takes number and chunk of the first report dropped, so that numbers still only grow.
    """
    kept: list[dict[str, Any]] = []
    notes: dict[str, dict[str, Any]] = {}
    for record in records:
        report = record["report"]
        if report["kind"] != ReportKind.OUTPUT or (excess <= 0 and "dropped" not in record):
            kept.append(record)
            continue
        count, size = record.get("dropped", (1, len(report["text"])))
        excess -= size if "dropped" not in record else 0
        note = notes.get(report["nonce"])
        if note is None:
            note = notes[report["nonce"]] = {**record, "dropped": (0, 0)}
            kept.append(note)
        note["dropped"] = (note["dropped"][0] + count, note["dropped"][1] + size)
        note["event"] = max(note["event"], record["event"])
    for note in notes.values():
        note["report"] = {**note["report"], "stream": "stderr", "text": _note(note, limit)}
    return kept


def _note(note: dict[str, Any], limit: int) -> str:
    count, size = note["dropped"]
    return (
        f"[Keyrack: {count} pieces of output ({size} characters) were dropped on the host: the "
        f"console could not be reached, and the agent keeps at most {limit} bytes of unsent "
        "reports (agent.outbox_max_bytes).]\n"
    )
