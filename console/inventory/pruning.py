"""Old snapshots go; what they were turned into stays."""

from datetime import datetime

import structlog
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from console.inventory.models import Snapshot

KEPT_PER_HOST = 10
_BATCH = 500

log = structlog.get_logger(__name__)


def snapshots_prune(*, before: datetime) -> int:
    """Delete snapshots received before `before`, but never a host's newest KEPT_PER_HOST.

    Returns how many were deleted; at most a batch at once, so that no lock is held for long.
    """
    age = Window(RowNumber(), partition_by=[F("host_id")], order_by=F("received_at").desc())
    ranked = Snapshot.objects.annotate(number_from_newest=age)
    old = ranked.filter(number_from_newest__gt=KEPT_PER_HOST, received_at__lt=before)
    ids = list(old.order_by("received_at").values_list("pk", flat=True)[:_BATCH])
    Snapshot.objects.filter(pk__in=ids).delete()
    if ids:
        log.info("snapshots.pruned", number=len(ids))
    return len(ids)
