"""The event bus: what changed, never what it changed to. One Redis stream feeds all browsers."""

import json
from datetime import datetime
from functools import lru_cache
from typing import Any

import redis
import structlog
from django.conf import settings
from django.db import transaction

STREAM_KEY = "keyrack:events"
STREAM_LENGTH = 10_000
TOPICS = frozenset(
    {
        "host",
        "inventory",
        "job",
        "run",
        "finding",
        "audit",
        "enrolment_token",
        "user",
        "api_token",
    }
)

log = structlog.get_logger(__name__)


@lru_cache(maxsize=4)
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1)


def redis_client() -> "redis.Redis":
    """Return this process's Redis client (pooled, time-outs of one and two seconds)."""
    return _client(settings.REDIS_URL)


def publish(topic: str, object_id: Any, rev: int | datetime | str) -> None:
    """Tell listeners, once the transaction commits, that `object_id` of `topic` is now at `rev`.

    Never fails the caller: with Redis down the event is dropped and logged; clients then read
    again when their stream reconnects. Unknown topic: ValueError.
    """
    if topic not in TOPICS:
        raise ValueError(f"unknown topic {topic}")
    value = rev.isoformat() if isinstance(rev, datetime) else rev
    body = json.dumps({"topic": topic, "id": str(object_id), "rev": value})
    transaction.on_commit(lambda: _send(topic, body), robust=True)


def _send(topic: str, body: str) -> None:
    try:
        redis_client().xadd(
            STREAM_KEY, {"topic": topic, "body": body}, maxlen=STREAM_LENGTH, approximate=True
        )
    except redis.RedisError as error:
        log.warning("event.dropped", topic=topic, reason=type(error).__name__)
