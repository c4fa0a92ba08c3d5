"""Publishing: after the commit, without content, and never at the writer's expense."""

import json

import pytest
import redis
from django.db import transaction
from django.utils import timezone

from console.core import events

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _new_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget that Redis was down in an earlier test."""
    monkeypatch.setattr(events, "_bus", events._Bus())


def bus_of(url: str) -> list[dict[str, str]]:
    """Return what the bus holds."""
    with redis.Redis.from_url(url, decode_responses=True) as bus:
        return [json.loads(fields["body"]) for _, fields in bus.xrange(events.STREAM_KEY)]


def test_an_event_appears_when_the_transaction_commits(redis_url: str) -> None:
    """Not before: readers would find the old state."""
    with transaction.atomic():
        events.publish("host", "h1", 3)
        assert bus_of(redis_url) == []
    assert bus_of(redis_url) == [{"topic": "host", "id": "h1", "rev": 3}]


def test_a_write_that_is_rolled_back_is_never_told(redis_url: str) -> None:
    """It did not happen."""
    with transaction.atomic():
        events.publish("host", "h1", 3)
        transaction.set_rollback(True)
    assert bus_of(redis_url) == []


def test_a_time_serves_as_revision(redis_url: str) -> None:
    """As ISO text."""
    now = timezone.now()
    events.publish("run", "r1", now)
    assert bus_of(redis_url)[0]["rev"] == now.isoformat()


def test_the_writer_does_not_notice_that_redis_is_down() -> None:
    """The event is lost; browsers read again when their stream comes back."""
    with transaction.atomic():
        events.publish("host", "h1", 3)


def test_a_redis_that_is_down_is_not_asked_for_every_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The writer would wait for the time-out each time."""
    asked = []

    def client() -> None:
        asked.append(1)
        raise redis.ConnectionError

    monkeypatch.setattr(events, "redis_client", client)
    for rev in range(5):
        events.publish("host", "h1", rev)
    assert len(asked) == 1


def test_a_topic_that_does_not_exist_is_a_defect() -> None:
    """Not a silent nothing."""
    with pytest.raises(ValueError, match="unknown topic hosts"):
        events.publish("hosts", "h1", 3)
