"""GET /api/v1/events/: server-sent events (WHATWG HTML, section 9.2) that say what changed."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

import redis
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from console.accounts.actors import Actor
from console.accounts.credentials import Credential, actor_behind, credential_of
from console.accounts.policies import can
from console.core.db import connection_release
from console.core.error_handler import error_response
from console.core.errors import (
    InvalidInput,
    KeyrackError,
    NotAuthenticated,
    PermissionDenied,
    Unavailable,
)
from console.core.event_hub import Event, Subscriber, hub, is_event_id, is_later
from console.core.events import TOPIC_VERBS

KEEP_ALIVE_SECONDS = 15.0
RECHECK_SECONDS = 5.0
"""How long a stream may outlive the session or token that opened it."""

LIFE_SECONDS = 3600.0
MAX_STREAMS = 500
RETRY_MILLISECONDS = 3000


@dataclass(frozen=True, slots=True)
class Listener:
    """Who listens, by which credential, to what."""

    credential: Credential
    asked: frozenset[str]
    actor: Actor

    def may_hear(self, topic: str) -> bool:
        """Whether an event of `topic` goes to this listener."""
        return topic in self.asked and can(self.actor, TOPIC_VERBS[topic])


@require_GET
async def events(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Stream `{topic, id, rev}` of the topics asked for that the caller may see."""
    try:
        if not isinstance(request, ASGIRequest):
            raise Unavailable("events.not_here", "The event stream is served by the ASGI process.")
        listener = await sync_to_async(_listener)(request)
        if hub().listeners >= MAX_STREAMS:
            raise Unavailable("events.full", "Too many event streams are open; try again later.")
        newest = await _start()
    except KeyrackError as error:
        return error_response(error)
    last_id = request.headers.get("Last-Event-ID", "").strip()
    response = StreamingHttpResponse(
        _stream(listener, last_id, newest), content_type="text/event-stream"
    )
    response["Cache-Control"] = "no-store"
    # nginx would otherwise gather the stream before passing it on.
    response["X-Accel-Buffering"] = "no"
    return response


def _listener(request: HttpRequest) -> Listener:
    try:
        credential = credential_of(request)
        actor = actor_behind(credential) if credential else None
        if credential is None or actor is None:
            raise NotAuthenticated("session.unauthenticated", "Log in first.")
        listener = Listener(credential, _topics(request), actor)
        if not any(listener.may_hear(topic) for topic in listener.asked):
            raise PermissionDenied("permission.denied", "None of these topics is open to you.")
        return listener
    finally:
        connection_release()


def _topics(request: HttpRequest) -> frozenset[str]:
    text = request.GET.get("topics", "")
    topics = frozenset(part.strip() for part in text.split(",") if part.strip())
    if unknown := sorted(topics - TOPIC_VERBS.keys()):
        raise InvalidInput(
            "events.topic_unknown",
            f"There is no topic {', '.join(unknown)}.",
            extra={"choices": sorted(TOPIC_VERBS)},
        )
    return topics or frozenset(TOPIC_VERBS)


async def _start() -> str:
    try:
        return await hub().start()
    except redis.RedisError as error:
        raise Unavailable(
            "events.bus_down", f"The event bus (Redis) does not answer: {type(error).__name__}."
        ) from None


async def _stream(listener: Listener, last_id: str, newest: str) -> AsyncGenerator[str, None]:
    """Yield the stream's text: first what was missed, then what happens, until it must end."""
    with hub().subscription() as subscriber:
        # The reader may have stopped between opening and now, when nobody else was listening.
        try:
            newest = await hub().start()
            sent, missed, is_complete = await _missed(last_id, newest)
        except redis.RedisError:
            return
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        if not is_complete:
            yield _text("reset", newest, "{}")
        for event in missed:
            sent = event.id
            if listener.may_hear(event.topic):
                yield _message(event)
        # An id without data: a client cut off before its first event resumes from here.
        yield f"id: {sent}\n\n"
        async with aclosing(_follow(listener, subscriber, sent)) as follow:
            async for text in follow:
                yield text


async def _missed(last_id: str, newest: str) -> tuple[str, list[Event], bool]:
    """Return (last id to count from, events to replay, whether nothing was lost)."""
    if not last_id:
        return newest, [], True
    if not is_event_id(last_id):
        return newest, [], False
    if not is_later(newest, last_id):
        return (last_id, [], True) if newest == last_id else (newest, [], False)
    missed = await hub().since(last_id)
    return (newest, [], False) if missed is None else (last_id, missed, True)


async def _follow(
    listener: Listener, subscriber: Subscriber, sent: str
) -> AsyncGenerator[str, None]:
    """Yield live events, a comment when it is quiet, and stop when the listener must go."""
    started = spoke = checked = time.monotonic()
    while (now := time.monotonic()) - started < LIFE_SECONDS:
        if now - checked >= RECHECK_SECONDS:
            actor = await sync_to_async(_actor_now)(listener.credential)
            if actor is None:
                return
            listener = Listener(listener.credential, listener.asked, actor)
            checked = time.monotonic()
        try:
            event = await asyncio.wait_for(subscriber.queue.get(), RECHECK_SECONDS)
        except TimeoutError:
            if time.monotonic() - spoke >= KEEP_ALIVE_SECONDS - RECHECK_SECONDS / 2:
                spoke = time.monotonic()
                yield ": alive\n\n"
            continue
        if event is None:
            return
        if is_later(event.id, sent) and listener.may_hear(event.topic):
            spoke = time.monotonic()
            yield _message(event)


def _actor_now(credential: Credential) -> Actor | None:
    try:
        return actor_behind(credential)
    finally:
        connection_release()


def _message(event: Event) -> str:
    return _text("", event.id, event.body)


def _text(kind: str, event_id: str, body: str) -> str:
    head = f"event: {kind}\n" if kind else ""
    return f"{head}id: {event_id}\ndata: {body}\n\n"
