"""One Redis connection per process reads the event bus for all open streams of the process."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import redis
import redis.asyncio
import structlog
from django.conf import settings

from console.core.events import STREAM_KEY

QUEUE_LENGTH = 1000
"""Events that a slow reader may be behind; beyond that its stream ends and it resumes."""

BLOCK_MILLISECONDS = 10_000
REPLAY_COUNT = 2000
"""Events that are replayed to a client that comes back; further behind it has to read again."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the bus: its id in the stream, its topic, and the JSON that clients get."""

    id: str
    topic: str
    body: str


@dataclass(eq=False)
class Subscriber:
    """One open stream's queue. `None` in it means: the bus was lost or you are too slow; end."""

    queue: "asyncio.Queue[Event | None]" = field(
        default_factory=lambda: asyncio.Queue(QUEUE_LENGTH + 1)
    )

    def put(self, event: Event) -> None:
        """Hand an event over; a full queue gets the end instead."""
        if self.queue.qsize() < QUEUE_LENGTH:
            self.queue.put_nowait(event)
        else:
            self.end()

    def end(self) -> None:
        """Say that nothing follows."""
        if not self.queue.full():
            self.queue.put_nowait(None)


class EventHub:
    """Reads the bus while anybody listens. Belongs to one event loop."""

    def __init__(self, url: str) -> None:
        self._redis = redis.asyncio.Redis.from_url(
            url,
            socket_connect_timeout=2,
            socket_timeout=BLOCK_MILLISECONDS / 1000 + 5,
            decode_responses=True,
        )
        self._subscribers: set[Subscriber] = set()
        self._reader: asyncio.Task[None] | None = None

    @property
    def listeners(self) -> int:
        """How many streams are open in this process."""
        return len(self._subscribers)

    @contextmanager
    def subscription(self) -> Iterator[Subscriber]:
        """Listen from now on, for the length of the block."""
        subscriber = Subscriber()
        self._subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            self._subscribers.discard(subscriber)
            if not self._subscribers and self._reader is not None:
                self._reader.cancel()
                self._reader = None

    async def start(self) -> str:
        """Start reading unless that is under way; return the id of the newest event ("0-0": none).

        Raise redis.RedisError when the bus cannot be reached.
        """
        newest = await self._newest()
        if self._reader is None or self._reader.done():
            self._reader = asyncio.get_running_loop().create_task(self._read(newest))
        return newest

    async def since(self, event_id: str) -> list[Event] | None:
        """Return what followed `event_id`; None when that cannot be told without a gap."""
        try:
            oldest: Any = await self._redis.xrange(STREAM_KEY, count=1)
            rows: Any = await self._redis.xrange(
                STREAM_KEY, min=f"({event_id}", count=REPLAY_COUNT + 1
            )
        except redis.ResponseError:
            return None
        if not oldest or _order(event_id) < _order(oldest[0][0]) or len(rows) > REPLAY_COUNT:
            return None
        return [_event(row) for row in rows]

    async def _newest(self) -> str:
        rows: Any = await self._redis.xrevrange(STREAM_KEY, count=1)
        return str(rows[0][0]) if rows else "0-0"

    async def _read(self, last: str) -> None:
        try:
            while True:
                reply: Any = await self._redis.xread(
                    {STREAM_KEY: last}, count=500, block=BLOCK_MILLISECONDS
                )
                for _, rows in reply or ():
                    for row in rows:
                        last = str(row[0])
                        self._fan_out(_event(row))
        except redis.RedisError as error:
            log.warning("events.bus_lost", reason=type(error).__name__)
            for subscriber in list(self._subscribers):
                subscriber.end()

    def _fan_out(self, event: Event) -> None:
        for subscriber in list(self._subscribers):
            subscriber.put(event)


_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, EventHub]" = WeakKeyDictionary()


def hub() -> EventHub:
    """Return the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = EventHub(settings.REDIS_URL)
    return _hubs[loop]


def is_event_id(text: str) -> bool:
    """Return whether `text` looks like an id of a Redis stream: milliseconds-number."""
    head, dash, tail = text.partition("-")
    return bool(dash) and head.isdecimal() and tail.isdecimal() and len(text) <= 40


def is_later(first: str, second: str) -> bool:
    """Return whether event id `first` comes after `second`."""
    return _order(first) > _order(second)


def _order(event_id: str) -> tuple[int, int]:
    head, _, tail = event_id.partition("-")
    return int(head), int(tail)


def _event(row: Any) -> Event:
    event_id, fields = row
    return Event(str(event_id), str(fields.get("topic", "")), str(fields.get("body", "{}")))
