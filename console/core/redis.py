"""This process's connection to Redis."""

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

ANSWER_SECONDS = 1.0
"""So long one call waits for Redis."""

REST_SECONDS = 3.0
_SLOW_SECONDS = 0.2

_rests: dict[tuple[str, int], float] = {}
"""Addresses that were slow to fail, and the monotonic time until which they are left alone."""

if TYPE_CHECKING:
    _Base = redis.Connection
else:
    _Base = object


class _Resting(_Base):
    """Does not connect again for a while after Redis took long to fail.

    A request that rings, publishes and counts would otherwise wait as often as it calls. Failures
    that cost no time, as a refused connection, rest nothing.
    """

    def connect(self) -> None:
        """Connect, or raise redis.ConnectionError at once while it rests."""
        began = time.monotonic()
        if began < _rests.get(self._address, 0.0):
            raise redis.ConnectionError("Redis did not answer a moment ago.")
        try:
            super().connect()  # type: ignore[no-untyped-call]
        except (redis.RedisError, OSError):
            self._rest_if_slow(began)
            raise

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        """Read one reply; where none comes in time, the next connection rests."""
        began = time.monotonic()
        try:
            return super().read_response(*args, **kwargs)
        except redis.TimeoutError:
            self._rest_if_slow(began)
            raise

    @property
    def _address(self) -> tuple[str, int]:
        return str(self.host), int(self.port)

    def _rest_if_slow(self, began: float) -> None:
        now = time.monotonic()
        if now - began >= _SLOW_SECONDS:
            _rests[self._address] = now + REST_SECONDS


class _RestingConnection(_Resting, redis.Connection):
    """Over TCP."""


class _RestingTlsConnection(_Resting, redis.SSLConnection):
    """Over TLS."""


@lru_cache(maxsize=4)
def _client(url: str) -> "redis.Redis":
    pool = redis.ConnectionPool.from_url(
        url,
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
        health_check_interval=30,
        # Once more for a pooled connection that had gone; never for silence.
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
    if pool.connection_class is redis.Connection:
        pool.connection_class = _RestingConnection
    elif pool.connection_class is redis.SSLConnection:
        pool.connection_class = _RestingTlsConnection
    return redis.Redis(connection_pool=pool)


def redis_client() -> "redis.Redis":
    """Return this process's Redis client (a pool; each call waits ANSWER_SECONDS at most).

    Its calls raise redis.RedisError when Redis does not answer.
    """
    return _client(settings.REDIS_URL)
