"""Signs of life: worker, beat and web server write the time into Redis."""

import time
from enum import StrEnum

import redis
import structlog

from console.core.redis import redis_client

PULSE_SECONDS = 10
STALE_SECONDS = 45
"""A pulse older than this counts as missing: four beats lost, not one late."""

WEB_PULSE_SECONDS = 5
WEB_STALE_SECONDS = 15
"""Agents are silent to a console that does not listen: without this pulse no one is blamed."""

log = structlog.get_logger(__name__)


class Pulse(StrEnum):
    """Whose sign of life."""

    WORKER = "worker"
    BEAT = "beat"
    WEB = "web"
    """A process in which agents are heard; several count as one."""


def pulse_write(who: Pulse) -> None:
    """Say that `who` lives now. With Redis down this is logged and skipped."""
    try:
        redis_client().set(_key(who), f"{time.time():.3f}", ex=24 * 3600)
    except redis.RedisError as error:
        log.warning("pulse.not_written", who=who.value, reason=type(error).__name__)


def pulse_age_seconds(who: Pulse) -> float | None:
    """Return how long ago `who` gave a sign of life, None if never. Raise redis.RedisError."""
    written = redis_client().get(_key(who))
    return None if written is None else max(0.0, time.time() - float(written))


def _key(who: Pulse) -> str:
    return f"keyrack:alive:{who.value}"
