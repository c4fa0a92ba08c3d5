"""Chores of accounts."""

from datetime import timedelta
from typing import Any

from axes.models import AccessAttempt
from celery import shared_task
from django.conf import settings
from django.utils import timezone

HOUR_SECONDS = 3600


@shared_task(name="accounts.login_failures_prune")
def login_failures_prune() -> None:
    """Delete counts of failed logins that no longer count: anybody can cause such rows."""
    cooloff: timedelta = settings.AXES_COOLOFF_TIME
    AccessAttempt.objects.filter(attempt_time__lt=timezone.now() - 2 * cooloff).delete()


BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "accounts.login_failures_prune": {
        "task": "accounts.login_failures_prune",
        "schedule": HOUR_SECONDS,
    },
}
