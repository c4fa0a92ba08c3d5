"""This process's connection to Redis."""

from functools import lru_cache

import redis
from django.conf import settings


@lru_cache(maxsize=4)
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(
        url, socket_timeout=2, socket_connect_timeout=1, health_check_interval=30
    )


def redis_client() -> "redis.Redis":
    """Return this process's Redis client (a pool; time-outs of one and two seconds).

    Its calls raise redis.RedisError when Redis does not answer.
    """
    return _client(settings.REDIS_URL)
