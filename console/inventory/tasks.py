"""The inventory's chore: pruning."""

from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from console.inventory.pruning import snapshots_prune


@shared_task(name="keyrack.console.snapshots_prune", ignore_result=True)
def snapshots_prune_task() -> None:
    """Delete snapshots that were kept long enough."""
    snapshots_prune(before=timezone.now() - timedelta(days=settings.SNAPSHOT_DAYS))


BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "inventory.snapshots_prune": {"task": "keyrack.console.snapshots_prune", "schedule": 3600}
}
