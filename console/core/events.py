"""The event bus: what changed, never what it changed to. One Redis stream feeds all browsers."""

import json
import time
from datetime import datetime
from typing import Any

import redis
import structlog
from django.db import transaction

from console.core.redis import redis_client

STREAM_KEY = "keyrack:events"
STREAM_LENGTH = 10_000
RETRY_SECONDS = 2.0
"""Pause after a failure. Streams break with Redis too, and their clients then read again."""

TOPIC_VERBS = {
    "host": "host.read",
    "inventory": "inventory.read",
    "job": "job.read",
    "run": "job.read",
    "change": "change.read",
    "batch": "change.read",
    "finding": "finding.read",
    "audit": "audit.read",
    "host_group": "host.read",
    "approval_rule": "change.read",
    "maintenance_window": "change.read",
    "drift": "change.read",
    "enrolment_token": "enrolment_token.manage",
    "user": "user.manage",
    "api_token": "api_token.manage",
}
"""Every topic, and the verb that one needs to hear of it."""

log = structlog.get_logger(__name__)


def publish(topic: str, object_id: Any, rev: int | datetime | str) -> None:
    """Tell listeners, once the transaction commits, that `object_id` of `topic` is now at `rev`.

    Never fails the caller: with Redis down the event is dropped and logged; clients then read
    again when their stream reconnects. Unknown topic: ValueError.
    """
    if topic not in TOPIC_VERBS:
        raise ValueError(f"unknown topic {topic}")
    value = rev.isoformat() if isinstance(rev, datetime) else rev
    body = json.dumps({"topic": topic, "id": str(object_id), "rev": value})
    transaction.on_commit(lambda: _bus.send(topic, body), robust=True)


class _Bus:
    """Sends to Redis; after a failure it does not try again for a while, so that writers go on."""

    def __init__(self) -> None:
        self._closed_until = 0.0

    def send(self, topic: str, body: str) -> None:
        """Append one event to the stream, or drop it."""
        if time.monotonic() < self._closed_until:
            return
        try:
            redis_client().xadd(
                STREAM_KEY, {"topic": topic, "body": body}, maxlen=STREAM_LENGTH, approximate=True
            )
        except redis.RedisError as error:
            self._closed_until = time.monotonic() + RETRY_SECONDS
            log.warning("event.dropped", topic=topic, reason=type(error).__name__)


_bus = _Bus()
