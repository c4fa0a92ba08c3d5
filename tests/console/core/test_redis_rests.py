"""A broker that is down or says nothing costs a request one short wait at most."""

import time
from collections.abc import Callable, Iterator

import pytest
import redis
from pytest_django import Settings

from agents.wire.names import Lane
from console.core import events
from console.core import redis as core_redis
from console.core.redis import ANSWER_SECONDS, redis_client
from console.fleet.doorbell import DIRECT_LIMIT, Ring, ring_on_commit
from console.fleet.pulse import pulse_invalidate
from tests.support.silent import silent_broker

RING = Ring("01900000-0000-7000-8000-000000000001", Lane.WORK, "the-run", True)


@pytest.fixture
def silent(settings: Settings) -> Iterator[str]:
    """A Redis that takes connections and never says a word."""
    with silent_broker() as url:
        settings.REDIS_URL = url
        yield url


def seconds_of(act: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.monotonic()
    act()
    return time.monotonic() - began


def tells_everything() -> None:
    """What a request about many hosts tells Redis once it has committed."""
    for number in range(20):
        events.publish("change", number, number)
    pulse_invalidate([RING.host_id])
    ring_on_commit([RING])
    ring_on_commit([RING] * (DIRECT_LIMIT + 1))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("silent")
def test_all_that_a_request_tells_a_silent_broker_costs_one_wait() -> None:
    assert seconds_of(tells_everything) < ANSWER_SECONDS + 0.5


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_not_there_costs_nothing_to_speak_of() -> None:
    assert seconds_of(tells_everything) < 0.5


@pytest.mark.usefixtures("silent")
def test_it_is_asked_again_after_its_rest() -> None:
    with pytest.raises(redis.RedisError):
        redis_client().ping()
    with pytest.raises(redis.ConnectionError, match="a moment ago"):
        redis_client().ping()
    core_redis._rests.update(dict.fromkeys(core_redis._rests, time.monotonic()))
    with pytest.raises(redis.TimeoutError):
        redis_client().ping()


def test_a_rest_is_of_one_address(redis_url: str, silent: str, settings: Settings) -> None:
    settings.REDIS_URL = silent
    with pytest.raises(redis.RedisError):
        redis_client().ping()
    settings.REDIS_URL = redis_url
    assert redis_client().ping() is True
