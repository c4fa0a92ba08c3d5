"""What one stream's queue does when its reader is slow, and how ids of the bus compare."""

import asyncio

import pytest
from django.test import Client

from console.core import event_hub
from console.core.event_hub import Event, EventHub, Subscriber, is_event_id, is_later

pytestmark = pytest.mark.django_db


def event(number: int) -> Event:
    """Return an event."""
    return Event(f"{number}-0", "host", "{}")


def test_a_reader_that_is_too_slow_gets_the_end_and_keeps_what_came_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Memory is bounded; the client resumes from the last id that it got."""
    monkeypatch.setattr(event_hub, "QUEUE_LENGTH", 2)

    async def scenario() -> list[Event | None]:
        subscriber = Subscriber(asyncio.Queue(3))
        for number in range(5):
            subscriber.put(event(number))
        return [subscriber.queue.get_nowait() for _ in range(subscriber.queue.qsize())]

    assert asyncio.run(scenario()) == [event(0), event(1), None]


def test_streams_end_when_the_bus_is_lost(redis_url: str) -> None:
    """So that the dashboard says so instead of looking live."""

    async def scenario() -> Event | None:
        hub = EventHub(redis_url)
        with hub.subscription() as subscriber:
            await hub.start()
            await asyncio.sleep(0.2)
            await hub._redis.client_kill_filter(_type="normal", skipme=True)
            await hub._redis.set("probe", 1)
            return await asyncio.wait_for(subscriber.queue.get(), 10)

    assert asyncio.run(scenario()) is None


def test_ids_are_compared_as_numbers() -> None:
    """As text, 9 would come after 10."""
    assert is_later("10-0", "9-5")
    assert is_later("9-10", "9-9")
    assert not is_later("9-9", "9-9")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1-0", True), ("1", False), ("a-0", False), ("1-", False), ("$", False), ("9" * 50, False)],
)
def test_only_ids_of_the_bus_are_resumed_from(text: str, expected: bool) -> None:
    """Anything else could be a command of Redis."""
    assert is_event_id(text) is expected


def test_a_process_that_cannot_stream_says_so() -> None:
    """Under WSGI a stream would hold a whole thread."""
    response = Client().get("/api/v1/events/")
    assert (response.status_code, response.json()["code"]) == (503, "events.not_here")
