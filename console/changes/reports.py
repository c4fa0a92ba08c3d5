"""What agents report while they apply: output of the steps and how far they are; replay-proof."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from agents.wire.work import Report, ReportKind
from console.changes.enums import ChangeState
from console.changes.models import Change, ChangeOutput, ChangeRun
from console.changes.states import change_move
from console.core.clean import clean, clean_text
from console.core.redaction import redact_text
from console.fleet.work_states import TERMINAL
from console.jobs.run_reports import time_of

MAX_OUTPUT_BYTES = 4 << 20
MAX_CHUNK_TEXT = 1 << 20
MAX_PROGRESS_BYTES = 1 << 18
_MAX_COUNT = 1 << 31
_CUT = "\n[output beyond 4 MiB was not kept]\n"


def change_reports_store(run: ChangeRun, reports: Sequence[Report]) -> bool:
    """Store the data of reports of one run. Return False: nothing follows from data that is late.

    Called under a lock on the host; what a tool wrote is kept by (run, chunk), progress only moves
    forward in report numbers.
    """
    now = timezone.now()
    has_output = _output_store(run, [r for r in reports if r.kind == ReportKind.OUTPUT], now)
    has_moved = _progress_store(run, [r for r in reports if r.kind == ReportKind.PROGRESS], now)
    if has_output and not has_moved:
        run.change.announce(now)
    return False


def _output_store(run: ChangeRun, reports: Sequence[Report], now: datetime) -> bool:
    by_number = {r.chunk: r for r in reports if r.chunk is not None and 0 <= r.chunk < _MAX_COUNT}
    known = set(
        ChangeOutput.objects.filter(run=run, chunk__in=list(by_number)).values_list(
            "chunk", flat=True
        )
    )
    chunks, room = [], MAX_OUTPUT_BYTES - run.output_bytes
    for number, report in sorted(by_number.items()):
        if number in known or room <= 0:
            continue
        text = redact_text(clean_text(report.text, MAX_CHUNK_TEXT))
        room -= len(text.encode())
        chunks.append(_chunk(run, number, report, text if room > 0 else text + _CUT, now))
    if not chunks:
        return False
    ChangeOutput.objects.bulk_create(chunks, ignore_conflicts=True)
    run.output_bytes = MAX_OUTPUT_BYTES - room
    ChangeRun.objects.filter(pk=run.pk).update(output_bytes=run.output_bytes)
    return True


def _chunk(run: ChangeRun, number: int, report: Report, text: str, now: datetime) -> ChangeOutput:
    has_step = report.step is not None and 0 <= report.step < _MAX_COUNT
    return ChangeOutput(
        run=run,
        chunk=number,
        step=report.step if has_step else None,
        stream=clean_text(report.stream, 8),
        text=text,
        at=time_of(report.at, now),
    )


def _progress_store(run: ChangeRun, reports: Sequence[Report], now: datetime) -> bool:
    newest = max(reports, key=lambda report: report.seq, default=None)
    change = run.change
    if newest is None or newest.seq <= change.progress_seq or run.state in TERMINAL:
        return False
    if run.plan_id != change.plan_id:
        # It was given up and planned anew meanwhile.
        return False
    change.progress, change.progress_seq = _bounded(clean(newest.progress)), newest.seq
    Change.objects.filter(pk=change.pk, progress_seq__lt=newest.seq).update(
        progress=change.progress, progress_seq=newest.seq, updated_at=now
    )
    change.announce(now)
    if change.progress.get("state") == "verifying":
        change_move(change, ChangeState.VERIFYING)
    return True


def _bounded(progress: dict[str, Any]) -> dict[str, Any]:
    """Return progress without its steps where they are larger than any plan's would be."""
    if len(json.dumps(progress)) <= MAX_PROGRESS_BYTES:
        return progress
    return {"state": str(progress.get("state", ""))[:40], "steps": []}
