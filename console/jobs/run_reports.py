"""What agents report of runs becomes rows: samples, raw output, progress. Replays change nothing.

Natural keys decide, not the order of arrival: a sample is (run, cell, variant, round), a piece of
output (run, chunk); progress only moves forward in report numbers.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import structlog
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from agents.wire.codec import to_plain
from agents.wire.work import Report, ReportKind, SampleData
from console.core.clean import clean, clean_text
from console.jobs.models import JobRun, OutputChunk, Sample

MAX_OUTPUT_BYTES = 8 << 20
"""Raw output kept of one run; what comes beyond it is dropped, and the last piece says so."""

MAX_CHUNK_TEXT = 1 << 20
MAX_SAMPLES = 100_000
_CUT = "\n[output beyond 8 MiB was not kept]\n"

log = structlog.get_logger(__name__)


def run_reports_store(run: JobRun, reports: Sequence[Report]) -> bool:
    """Store the data of reports of one run; return whether any is new. States are not its business.

    Called under a lock on the run's host. Samples that no machine can have measured are left out
    and logged: a defect of one report must not hold up the others.
    """
    now = timezone.now()
    has_output = _output_store(run, [r for r in reports if r.kind == ReportKind.OUTPUT], now)
    samples = [r.sample for r in reports if r.kind == ReportKind.SAMPLE and r.sample is not None]
    has_samples = _samples_store(run, samples)
    has_moved = _progress_store(run, [r for r in reports if r.kind == ReportKind.PROGRESS])
    return has_output or has_samples or has_moved


def _output_store(run: JobRun, reports: Sequence[Report], now: datetime) -> bool:
    by_number = {r.chunk: r for r in reports if r.chunk is not None and _is_count(r.chunk)}
    if not by_number:
        return False
    known = set(
        OutputChunk.objects.filter(run=run, chunk__in=list(by_number)).values_list(
            "chunk", flat=True
        )
    )
    chunks, room = [], MAX_OUTPUT_BYTES - run.output_bytes
    for number, report in by_number.items():
        if number in known or room <= 0:
            continue
        text = clean_text(report.text, MAX_CHUNK_TEXT)
        room -= len(text.encode())
        chunks.append(_chunk(run, number, report, text if room > 0 else text + _CUT, now))
    OutputChunk.objects.bulk_create(chunks, ignore_conflicts=True)
    run.output_bytes = MAX_OUTPUT_BYTES - room
    JobRun.objects.filter(pk=run.pk).update(output_bytes=run.output_bytes)
    return bool(chunks)


def _chunk(run: JobRun, number: int, report: Report, text: str, now: datetime) -> OutputChunk:
    stream = clean_text(report.stream, 8)
    at = time_of(report.at, now)
    return OutputChunk(run=run, chunk=number, stream=stream, text=text, at=at)


def _is_count(value: int) -> bool:
    """Return whether it fits a PositiveIntegerField of both databases."""
    return 0 <= value < 1 << 31


def _samples_store(run: JobRun, samples: Sequence[SampleData]) -> bool:
    good = [sample for sample in samples if _is_sound(sample)]
    if len(good) < len(samples):
        log.warning("run.sample_unsound", run=str(run.pk), number=len(samples) - len(good))
    if not good:
        return False
    stored = Sample.objects.filter(run=run)
    before = stored.count()
    if before >= MAX_SAMPLES:
        return False
    Sample.objects.bulk_create([_sample(run, one) for one in good], ignore_conflicts=True)
    return stored.count() > before


def _is_sound(sample: SampleData) -> bool:
    numbers = (sample.value, sample.wall_seconds, sample.user_seconds, sample.system_seconds)
    counts = (sample.round, sample.position)
    return all(map(_is_figure, numbers)) and all(map(_is_count, counts))


def _is_figure(value: float) -> bool:
    """Return whether a machine can have measured it: zero, or 1e-9 to 1e18 of whatever unit."""
    return value == 0 or 1e-9 <= value <= 1e18


def _sample(run: JobRun, sample: SampleData) -> Sample:
    plain: dict[str, Any] = clean(to_plain(sample))
    started_at = time_of(plain.pop("started_at"), None)
    for name, length in (("cell", 120), ("variant", 40), ("metric", 40), ("unit", 20)):
        plain[name] = clean_text(plain[name], length)
    return Sample(run=run, started_at=started_at, **plain)


def time_of(text: str, default: Any) -> Any:
    """Return the aware time that `text` (ISO 8601) stands for, or `default`."""
    try:
        at = parse_datetime(text)
    except ValueError:
        return default
    if at is None:
        return default
    try:
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (OverflowError, ValueError):
        return default


def _progress_store(run: JobRun, reports: Sequence[Report]) -> bool:
    newest = max(reports, key=lambda report: report.seq, default=None)
    if newest is None or newest.seq <= run.progress_seq:
        return False
    run.progress, run.progress_seq = clean(newest.progress), newest.seq
    JobRun.objects.filter(pk=run.pk, progress_seq__lt=newest.seq).update(
        progress=run.progress, progress_seq=newest.seq, updated_at=timezone.now()
    )
    return True
