"""What a heartbeat needs, in Redis: last contact, the newest beat, and a brief of the database.

A brief is what the console would answer a host. It carries the number that `pulse_invalidate`
counts up, so a brief computed before a change is never taken for one computed after it.
"""

import json
import secrets
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

import redis
import structlog
from django.db import transaction

from console.core.redis import redis_client

_PREFIX = "keyrack:pulse:"
SEEN_KEY = f"{_PREFIX}seen"
BEATS_KEY = f"{_PREFIX}beats"
GAUGES_KEY = f"{_PREFIX}gauges"
GENERATION_KEY = f"{_PREFIX}credentials"
WATCH_KEY = f"{_PREFIX}watch_since"
BRIEF_SECONDS = 120
READINGS_KEPT = 2
READINGS_SECONDS = 3600

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What the console knows of a host that a heartbeat compares with or answers."""

    state: str
    digest: str
    agent_version: str
    wire: str
    allow: list[str] = field(default_factory=list)
    due: dict[str, int] = field(default_factory=dict)
    acknowledged_seq: int = 0


@dataclass(frozen=True, slots=True)
class PulseReading:
    """Redis' answer to one heartbeat: credentials' generation, the brief's number and the brief."""

    generation: str
    number: int
    brief: Brief | None


def pulse_beat(host_id: str, body: bytes, at: float, *, has_gauges: bool) -> PulseReading:
    """Record a heartbeat (`body`: its JSON) at epoch second `at`, in one round trip.

    Not every heartbeat carries gauges; the newest that does is kept beside the newest one.

    Raises redis.RedisError when Redis does not answer.
    """
    pipeline = redis_client().pipeline(transaction=False)
    pipeline.mget(GENERATION_KEY, _number_key(host_id), _brief_key(host_id))
    pipeline.zadd(SEEN_KEY, {host_id: at})
    pipeline.hset(BEATS_KEY, host_id, body)
    if has_gauges:
        pipeline.hset(GAUGES_KEY, host_id, body)
        pipeline.lpush(_readings_key(host_id), body)
        pipeline.ltrim(_readings_key(host_id), 0, READINGS_KEPT - 1)
        pipeline.expire(_readings_key(host_id), READINGS_SECONDS)
    (generation, number, stored), *_ = pipeline.execute()
    count = int(number or 0)
    return PulseReading(_word(generation), count, _brief_of(stored, count))


def _brief_of(stored: bytes | None, number: int) -> Brief | None:
    if stored is None:
        return None
    content = json.loads(stored)
    return Brief(**content["brief"]) if content["number"] == number else None


def pulse_store(host_id: str, number: int, brief: Brief) -> None:
    """Keep `brief`, which was computed after `number` was read. Raises redis.RedisError."""
    body = json.dumps({"number": number, "brief": asdict(brief)})
    redis_client().set(_brief_key(host_id), body, ex=BRIEF_SECONDS)


def pulse_invalidate(host_ids: Iterable[UUID | str]) -> None:
    """Once this transaction commits, make these hosts' next heartbeats read the database again.

    Call it after every change of what a Brief holds: due orders, acknowledged reports, the digest,
    the state. While Redis is down heartbeats use the database; what changed then shows
    BRIEF_SECONDS after it is back, at the latest.
    """
    wanted = [str(host_id) for host_id in host_ids]
    if wanted:
        transaction.on_commit(lambda: _count_up(wanted), robust=True)


def _count_up(host_ids: list[str]) -> None:
    pipeline = redis_client().pipeline(transaction=False)
    for host_id in host_ids:
        pipeline.incr(_number_key(host_id))
    _execute(pipeline, "pulse.not_invalidated")


def credentials_changed(dismissed: Iterable[UUID | str] = ()) -> None:
    """Make every process look credentials up again; forget the pulse of `dismissed` hosts."""
    gone = [str(host_id) for host_id in dismissed]
    transaction.on_commit(lambda: _credentials_changed(gone), robust=True)


def _credentials_changed(gone: list[str]) -> None:
    pipeline = redis_client().pipeline(transaction=False)
    # Not a count: one that began anew in an emptied Redis could look like one remembered.
    pipeline.set(GENERATION_KEY, secrets.token_hex(8))
    for host_id in gone:
        pipeline.zrem(SEEN_KEY, host_id)
        pipeline.hdel(BEATS_KEY, host_id)
        pipeline.hdel(GAUGES_KEY, host_id)
        pipeline.delete(_brief_key(host_id), _readings_key(host_id))
    _execute(pipeline, "pulse.credentials_not_changed")


def _execute(pipeline: Any, failure: str) -> None:
    try:
        pipeline.execute()
    except redis.RedisError as error:
        log.warning(failure, reason=type(error).__name__)


def credentials_generation() -> str | None:
    """Return the word that changes with any credential, or None when Redis does not answer."""
    try:
        return _word(redis_client().get(GENERATION_KEY))
    except redis.RedisError:
        return None


def _word(value: Any) -> str:
    return value.decode() if value else ""


def pulse_seen() -> dict[str, float]:
    """Return `{host id: epoch second of its last heartbeat}`. Raises redis.RedisError."""
    found: Any = redis_client().zrange(SEEN_KEY, 0, -1, withscores=True)
    return {name.decode(): float(at) for name, at in found}


def pulse_seen_at(host_id: UUID | str) -> float | None:
    """Return the epoch second of a host's last heartbeat; None where Redis does not know it."""
    try:
        found = redis_client().zscore(SEEN_KEY, str(host_id))
    except redis.RedisError:
        return None
    return None if found is None else float(found)


def pulse_beats(host_ids: Iterable[UUID | str] | None = None) -> dict[str, dict[str, Any]]:
    """Return the newest heartbeat, as decoded JSON, of each host (default: all of them).

    Empty when Redis does not answer: beats are momentary.
    """
    return _bodies(BEATS_KEY, host_ids)


def pulse_gauges(host_ids: Iterable[UUID | str]) -> dict[str, dict[str, Any]]:
    """Return, for each of these hosts, the newest heartbeat that carried gauges."""
    return _bodies(GAUGES_KEY, host_ids)


def pulse_readings(host_id: UUID | str) -> list[dict[str, Any]]:
    """Return the newest heartbeats of a host that carried gauges, newest first: what rates need."""
    client: Any = redis_client()
    try:
        bodies = client.lrange(_readings_key(str(host_id)), 0, READINGS_KEPT - 1)
    except redis.RedisError:
        return []
    return [json.loads(body) for body in bodies]


def _bodies(key: str, host_ids: Iterable[UUID | str] | None) -> dict[str, dict[str, Any]]:
    client: Any = redis_client()
    try:
        if host_ids is None:
            return {name.decode(): json.loads(body) for name, body in client.hgetall(key).items()}
        names = [str(host_id) for host_id in host_ids]
        bodies = client.hmget(key, names) if names else []
    except redis.RedisError:
        return {}
    return {name: json.loads(body) for name, body in zip(names, bodies, strict=True) if body}


def watch_restart() -> None:
    """Begin watching anew: every host gets one grace period. Called when a console starts."""
    try:
        redis_client().set(WATCH_KEY, time.time())
    except redis.RedisError as error:
        log.warning("pulse.watch_not_restarted", reason=type(error).__name__)


def watch_since() -> float:
    """Return the epoch second since which silence counts; now, where Redis had forgotten it.

    Raises redis.RedisError.
    """
    now = time.time()
    client: Any = redis_client()
    if client.set(WATCH_KEY, now, nx=True):
        return now
    return float(client.get(WATCH_KEY) or now)


def _number_key(host_id: str) -> str:
    return f"{_PREFIX}number:{host_id}"


def _brief_key(host_id: str) -> str:
    return f"{_PREFIX}brief:{host_id}"


def _readings_key(host_id: str) -> str:
    return f"{_PREFIX}readings:{host_id}"
