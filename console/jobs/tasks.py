"""The console's chores about work: doorbells, reaping, comparisons, pruning."""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import redis
import structlog
from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from agents.wire.names import Lane
from console.config.celery import app
from console.core.pulse import WEB_STALE_SECONDS, Pulse, pulse_age_seconds
from console.fleet.doorbell import TASK_RING_MANY, Ring, ring_now
from console.fleet.pulse import watch_restart, watch_since
from console.fleet.work import lease_length, work_reap
from console.jobs.comparing import COMPARED_STATES, run_compare
from console.jobs.models import JobRun
from console.jobs.pruning import output_prune

TASK_COMPARE = "keyrack.console.run_compare"
REAP_SECONDS = 5
_AT_ONCE = 200

log = structlog.get_logger(__name__)


@shared_task(name=TASK_RING_MANY, ignore_result=True)
def doorbells_ring_task(rings: Sequence[Sequence[str]]) -> None:
    """Ring many doorbells: `[host id, lane, id]` each, all of hosts that are online."""
    wanted = [Ring(host_id, Lane(lane), hint, True) for host_id, lane, hint in rings]
    for start in range(0, len(wanted), _AT_ONCE):
        ring_now(wanted[start : start + _AT_ONCE])


@shared_task(name="keyrack.console.work_reap", ignore_result=True)
def work_reap_task() -> None:
    """Expire what waited too long; mark what a silent agent holds as lost."""
    reaped = work_reap(with_leases=leases_may_be_reaped())
    if any(reaped.values()):
        log.info("work.reaped", **reaped)


def leases_may_be_reaped() -> bool:
    """Return whether the console has been listening for a whole lease.

    After a start of it, while no web server says that it listens, and with a Redis that has
    forgotten, agents first get one lease to be heard.
    """
    try:
        age = pulse_age_seconds(Pulse.WEB)
        if age is None or age > WEB_STALE_SECONDS:
            watch_restart()
            return False
        return time.time() - watch_since() >= lease_length().total_seconds()
    except redis.RedisError:
        return False


def run_compare_on_commit(run: JobRun) -> None:
    """Have the comparisons of an ended run computed: by a worker, or here if none can be asked.

    runs_compare_task makes up for a message that was taken and lost.
    """
    JobRun.objects.filter(pk=run.pk).update(compared_at=None)
    transaction.on_commit(lambda: _compare_soon(run.pk), robust=True)


def _compare_soon(run_id: UUID) -> None:
    try:
        app.send_task(TASK_COMPARE, args=[str(run_id)], retry=False)
    except (OperationalError, redis.RedisError, OSError) as error:
        log.warning("run.compared_without_worker", run=str(run_id), reason=type(error).__name__)
        run_compare(run_id=run_id)


@shared_task(name=TASK_COMPARE, ignore_result=True)
def run_compare_task(run_id: str) -> None:
    """Compute the comparisons of one run."""
    run_compare(run_id=UUID(run_id))


@shared_task(name="keyrack.console.runs_compare", ignore_result=True)
def runs_compare_task() -> None:
    """Compare ended runs that were not compared, because a message or a worker was lost."""
    a_while_ago = timezone.now() - timedelta(seconds=20)
    missed = JobRun.objects.filter(
        state__in=COMPARED_STATES, compared_at=None, updated_at__lt=a_while_ago
    )
    for run_id in missed.values_list("pk", flat=True)[:_AT_ONCE]:
        try:
            run_compare(run_id=run_id)
        except Exception:
            # A defect with one run must hold up no other, nor be met again every half minute.
            log.exception("run.not_compared", run=str(run_id))
            JobRun.objects.filter(pk=run_id).update(compared_at=timezone.now())


@shared_task(name="keyrack.console.output_prune", ignore_result=True)
def output_prune_task() -> None:
    """Delete raw output that was kept long enough."""
    output_prune(before=timezone.now() - timedelta(days=settings.RUN_OUTPUT_DAYS))


BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "jobs.work_reap": {
        "task": "keyrack.console.work_reap",
        "schedule": REAP_SECONDS,
        "options": {"expires": REAP_SECONDS},
    },
    "jobs.runs_compare": {
        "task": "keyrack.console.runs_compare",
        "schedule": 30,
        "options": {"expires": 30},
    },
    "jobs.output_prune": {"task": "keyrack.console.output_prune", "schedule": 3600},
}
