"""The console's chores about changes: expiring, pruning."""

from datetime import timedelta
from typing import Any

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from console.changes.expiring import (
    approvals_review,
    changes_expire,
    changes_of_gone_hosts_end,
)
from console.changes.pruning import change_output_prune
from console.changes.windows import windows_tick

log = structlog.get_logger(__name__)


@shared_task(name="keyrack.console.changes_expire", ignore_result=True)
def changes_expire_task() -> None:
    """Expire plans that nobody applied; review approvals; end what hosts that are gone leave."""
    done = {
        "expired": changes_expire(),
        "reviewed": approvals_review(),
        "gone": changes_of_gone_hosts_end(),
    }
    if any(done.values()):
        log.info("change.expired", **done)


@shared_task(name="keyrack.console.change_output_prune", ignore_result=True)
def change_output_prune_task() -> None:
    """Delete output that was kept long enough."""
    change_output_prune(before=timezone.now() - timedelta(days=settings.RUN_OUTPUT_DAYS))


@shared_task(name="keyrack.console.windows_tick", ignore_result=True)
def windows_tick_task() -> None:
    """Move maintenance windows on; ring hosts whose window opened."""
    rung = windows_tick()
    if rung:
        log.info("maintenance_window.opened", hosts=rung)


BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "changes.changes_expire": {
        "task": "keyrack.console.changes_expire",
        "schedule": 30,
        "options": {"expires": 30},
    },
    "changes.windows_tick": {
        "task": "keyrack.console.windows_tick",
        "schedule": 30,
        "options": {"expires": 30},
    },
    "changes.output_prune": {"task": "keyrack.console.change_output_prune", "schedule": 3600},
}
