"""The events file of a run: what the job's process writes and the daemon takes over.

One JSON object per line. A line counts once its line break is there; SAMPLE and FINISHED are
written with fsync, so they survive also a loss of power.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents.journal import open_for_append, read_whole_lines
from agents.wire import codec
from agents.wire.work import Report, ReportKind, RunOutcome, SampleData

ORDER_FILE = "order.json"
CHILD_FILE = "child.json"
EVENTS_FILE = "events.jsonl"
LOG_FILE = "child.log"

PIECE_CHARACTERS = 16_384
OUTPUT_CAP_CHARACTERS = 16 << 20

_DURABLE = frozenset({ReportKind.SAMPLE, ReportKind.FINISHED})
_CAPPED = (
    f"[Keyrack: this run wrote more than {OUTPUT_CAP_CHARACTERS} characters; "
    "the rest of its output is not kept.]\n"
)


def utc_now() -> str:
    """Return the time as ISO 8601 UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class EventWriter:
    """Appends events; the only writer of its file. It goes on where an earlier one was killed."""

    def __init__(self, path: Path) -> None:
        self._chunk = 0
        self._room = OUTPUT_CAP_CHARACTERS
        self._taken: dict[str, int] = {}
        self.is_finished = False
        for line in read_whole_lines(path):
            self._note(_decoded(line) or {})
        self._descriptor = open_for_append(path)

    def output(
        self, text: str, stream: str, *, step: int | None = None, source: str = "", end: int = 0
    ) -> None:
        """Write raw output in numbered pieces; beyond the run's cap one last piece says so.

        `source` and `end` note how far a file of the tool's was passed on (see `taken`).
        """
        if not text or self._room <= 0:
            return
        kept = text[: self._room]
        for start in range(0, len(kept), PIECE_CHARACTERS):
            self._piece(kept[start : start + PIECE_CHARACTERS], stream, step, source, end)
        if len(text) > len(kept) or self._room <= 0:
            self._room = 0
            self._piece(_CAPPED, "stderr", step, source, end)

    def taken(self, source: str) -> int:
        """Return how far the file `source` was passed on, also by a writer before this one."""
        return self._taken.get(source, 0)

    def progress(self, progress: Mapping[str, Any]) -> None:
        """Write how far the run is."""
        self._write(ReportKind.PROGRESS, progress=dict(progress))

    def sample(self, sample: SampleData) -> None:
        """Write one measured figure."""
        self._write(ReportKind.SAMPLE, sample=codec.to_plain(sample))

    def finished(self, outcome: RunOutcome, message: str, result: Mapping[str, Any]) -> None:
        """Write how the run ended; the last event."""
        self._write(
            ReportKind.FINISHED, outcome=outcome.value, message=message, result=dict(result)
        )

    def _piece(self, text: str, stream: str, step: int | None, source: str, end: int) -> None:
        place = {"source": source, "end": end} if source else {}
        self._write(
            ReportKind.OUTPUT, chunk=self._chunk, step=step, stream=stream, text=text, **place
        )

    def _write(self, kind: ReportKind, **fields: Any) -> None:
        record = {"kind": kind.value, "at": utc_now(), **fields}
        os.write(self._descriptor, json.dumps(record, separators=(",", ":")).encode() + b"\n")
        if kind in _DURABLE:
            os.fsync(self._descriptor)
        self._note(record)

    def _note(self, record: Mapping[str, Any]) -> None:
        self.is_finished = self.is_finished or record.get("kind") == ReportKind.FINISHED
        if record.get("kind") == ReportKind.OUTPUT:
            self._chunk = record["chunk"] + 1
            self._room -= len(record["text"])
            if "source" in record:
                self._taken[record["source"]] = record["end"]


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the file: its number from 1, and its fields; None: the line is damaged."""

    number: int
    fields: dict[str, Any] | None

    @property
    def is_finished(self) -> bool:
        """Whether it says how the run ended."""
        return self.fields is not None and self.fields.get("kind") == ReportKind.FINISHED

    def report(self, work_id: str, nonce: str) -> Report:
        """Return it as a report, not yet numbered. Raises codec.WireError for one that is none."""
        plain = {"seq": 0, "at": "", **(self.fields or {}), "work_id": work_id, "nonce": nonce}
        return codec.from_plain(plain, Report)


class EventTail:
    """Reads whole lines as they come, from behind the first `skip` lines on."""

    def __init__(self, path: Path, *, skip: int) -> None:
        self._path = path
        self._skip = skip
        self._offset = 0
        self._number = 0

    def read(self) -> Iterator[Event]:
        """Yield the events that came since the last call; a torn last line waits for its end."""
        try:
            size = self._path.stat().st_size
        except FileNotFoundError:
            return
        if size <= self._offset:
            return
        with self._path.open("rb") as stream:
            stream.seek(self._offset)
            for line in stream:
                if not line.endswith(b"\n"):
                    return
                if self._number >= self._skip:
                    yield Event(self._number + 1, _decoded(line))
                # Only now: an event that could not be taken over is read again.
                self._number += 1
                self._offset += len(line)


def _decoded(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
