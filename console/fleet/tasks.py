"""The fleet's periodic tasks: flush of last contact, gauges, the broker's users."""

from typing import Any

import redis
import structlog
from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings

from console.fleet.broker import broker_users_reconcile
from console.fleet.gauges import PERIOD_SECONDS, gauges_roll
from console.fleet.pulse import watch_restart
from console.fleet.reachability import hosts_flush
from console.fleet.selectors import broker_users_wanted

FLUSH_SECONDS = 15
RECONCILE_SECONDS = 30

log = structlog.get_logger(__name__)


@shared_task(name="keyrack.console.hosts_flush", ignore_result=True)
def hosts_flush_task() -> None:
    """Write last contact to the database; say who is offline."""
    try:
        flushed = hosts_flush()
    except redis.RedisError as error:
        log.warning("hosts.not_flushed", reason=type(error).__name__)
        return
    if flushed.online or flushed.offline:
        log.info("hosts.flushed", online=flushed.online, offline=flushed.offline)


@shared_task(name="keyrack.console.gauges_roll", ignore_result=True)
def gauges_roll_task() -> None:
    """Append a point to each gauge's series."""
    try:
        gauges_roll()
    except redis.RedisError as error:
        log.warning("gauges.not_rolled", reason=type(error).__name__)


@shared_task(name="keyrack.console.broker_users_reconcile", ignore_result=True)
def broker_users_reconcile_task() -> None:
    """Make the broker's users anew where Redis has forgotten them."""
    _broker_users_reconcile()


def _broker_users_reconcile(*, renew: bool = False) -> None:
    if not settings.BROKER_ACL:
        return
    try:
        broker_users_reconcile(broker_users_wanted(), renew=renew)
    except redis.RedisError as error:
        log.warning("broker.users_not_reconciled", reason=str(error))


BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "fleet.hosts_flush": {
        "task": "keyrack.console.hosts_flush",
        "schedule": FLUSH_SECONDS,
        "options": {"expires": FLUSH_SECONDS},
    },
    "fleet.gauges_roll": {
        "task": "keyrack.console.gauges_roll",
        "schedule": PERIOD_SECONDS,
        "options": {"expires": PERIOD_SECONDS},
    },
    "fleet.broker_users_reconcile": {
        "task": "keyrack.console.broker_users_reconcile",
        "schedule": RECONCILE_SECONDS,
        "options": {"expires": RECONCILE_SECONDS},
    },
}


@worker_ready.connect
def _console_started(**_kwargs: Any) -> None:
    """A console that just started gives every host one grace period."""
    watch_restart()
    _broker_users_reconcile(renew=True)
