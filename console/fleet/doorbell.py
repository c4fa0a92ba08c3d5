"""Doorbells: one Celery message per host and lane at a time, without content or authority.

A doorbell that is lost, late or never rung costs time only: the heartbeat's reply says what is due.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import redis
import structlog
from django.conf import settings
from django.db import transaction
from kombu import Queue
from kombu.exceptions import OperationalError

from agents.wire.names import TASK_RING, Lane, host_queue
from console.config.celery import app
from console.core.redis import redis_client
from console.fleet.enums import HostState
from console.fleet.models import Host

DIRECT_LIMIT = 50
"""More doorbells than this are rung by a console worker, so that no request waits for them."""

TASK_RING_MANY = "keyrack.console.doorbells_ring"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Ring:
    """One doorbell to ring. `hint` is the id it carries; `is_online`: whether anyone listens."""

    host_id: str
    lane: Lane
    hint: str
    is_online: bool

    @classmethod
    def of(cls, host: Host, lane: Lane, hint: UUID) -> "Ring":
        """Return the doorbell of `host`'s `lane`."""
        return cls(str(host.pk), lane, str(hint), host.state == HostState.ACTIVE)


def ring_on_commit(rings: Iterable[Ring]) -> None:
    """Ring once the transaction commits; never fails the caller. None to hosts that are offline."""
    wanted = [ring for ring in rings if ring.is_online]
    if wanted:
        transaction.on_commit(lambda: _ring_or_delegate(wanted), robust=True)


def _ring_or_delegate(rings: Sequence[Ring]) -> None:
    if len(rings) <= DIRECT_LIMIT:
        ring_now(rings)
        return
    plain = [[ring.host_id, ring.lane.value, ring.hint] for ring in rings]
    try:
        # Fails within a second; Celery's own connection would be patient.
        redis_client().ping()
        app.send_task(TASK_RING_MANY, args=[plain], retry=False)
    except (OperationalError, redis.RedisError, OSError) as error:
        log.warning("doorbell.failed", hosts=len(rings), reason=type(error).__name__)


def ring_now(rings: Sequence[Ring]) -> int:
    """Ring those whose doorbell is not already ringing; return how many were rung.

    A doorbell counts as ringing until its agent claims or DOORBELL_SECONDS have passed. A broker
    that does not answer is logged and otherwise no error.
    """
    try:
        silent = [ring for ring, is_new in zip(rings, _mark(rings), strict=True) if is_new]
        if not silent:
            return 0
        with app.producer_or_acquire() as producer:
            for ring in silent:
                _send(producer, ring)
    except (OperationalError, redis.RedisError, OSError) as error:
        log.warning("doorbell.failed", hosts=len(rings), reason=type(error).__name__)
        return 0
    return len(silent)


def _mark(rings: Sequence[Ring]) -> list[Any]:
    pipeline = redis_client().pipeline(transaction=False)
    for ring in rings:
        pipeline.set(_key(ring.host_id, ring.lane), 1, nx=True, ex=settings.DOORBELL_SECONDS)
    return list(pipeline.execute())


def _send(producer: Any, ring: Ring) -> None:
    # The queue object is made here and declared by its agent: the console's own table of queues
    # does not grow with the fleet, and nothing but the message itself is written to the broker.
    app.send_task(
        TASK_RING,
        args=[ring.hint],
        # The stub knows names of queues only; Celery takes the object.
        queue=Queue(host_queue(ring.host_id, ring.lane)),  # type: ignore[arg-type]
        declare=[],
        producer=producer,
        retry=False,
        ignore_result=True,
        expires=settings.DOORBELL_SECONDS,
    )


def doorbell_answered(host_id: object, lane: Lane) -> None:
    """Forget that the doorbell rings. Call it before the claim reads what is due.

    In that order no order is missed: one committed later rings anew, one committed earlier is seen.
    """
    try:
        redis_client().delete(_key(str(host_id), lane))
    except redis.RedisError as error:
        log.warning("doorbell.not_cleared", reason=type(error).__name__)


def _key(host_id: str, lane: Lane) -> str:
    return f"keyrack:doorbell:{host_id}:{lane.value}"
