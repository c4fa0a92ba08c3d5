"""Deletes raw output that was kept long enough; samples and comparisons are history and stay."""

from datetime import datetime

import structlog
from django.db import transaction

from console.fleet.work_states import TERMINAL
from console.jobs.models import JobRun, OutputChunk

_AT_ONCE = 500

log = structlog.get_logger(__name__)


def output_prune(*, before: datetime) -> int:
    """Delete the raw output of runs that ended before `before`; return how many runs had some."""
    old = JobRun.objects.filter(
        state__in=TERMINAL, finished_at__lt=before, output_bytes__gt=0, is_output_pruned=False
    )
    pruned = 0
    while ids := list(old.values_list("pk", flat=True)[:_AT_ONCE]):
        with transaction.atomic():
            OutputChunk.objects.filter(run__in=ids).delete()
            JobRun.objects.filter(pk__in=ids).update(is_output_pruned=True)
        pruned += len(ids)
    if pruned:
        log.info("run.output_pruned", runs=pruned)
    return pruned
