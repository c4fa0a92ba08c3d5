"""Deletes what steps' tools wrote once it was kept long enough; plans and results stay."""

from datetime import datetime

import structlog

from console.changes.models import ChangeOutput
from console.fleet.work_states import TERMINAL

_AT_ONCE = 2_000

log = structlog.get_logger(__name__)


def change_output_prune(*, before: datetime) -> int:
    """Delete the output of runs that ended before `before`; return how many pieces went."""
    old = ChangeOutput.objects.filter(run__state__in=TERMINAL, run__finished_at__lt=before)
    pruned = 0
    while ids := list(old.values_list("pk", flat=True)[:_AT_ONCE]):
        ChangeOutput.objects.filter(pk__in=ids).delete()
        pruned += len(ids)
    if pruned:
        log.info("change.output_pruned", pieces=pruned)
    return pruned
