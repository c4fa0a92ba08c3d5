"""The event stream, over a real server and a real Redis."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import redis

from console.core.events import STREAM_KEY
from tests.support.console import RunningConsole

pytestmark = pytest.mark.integration


@pytest.fixture
def console(running_console: RunningConsole) -> Iterator[RunningConsole]:
    """The running console."""
    return running_console


class Listener:
    """Reads one stream line by line; a message is a dict of its fields."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()

    def next(self) -> dict[str, str]:
        """Return the next message, comment (as `comment`) or `retry`."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line:
                return fields
            name, _, value = line.partition(":")
            fields[name or "comment"] = value.strip()
        raise EOFError

    def event(self) -> Any:
        """Return the body of the next message that has one."""
        while "data" not in (fields := self.next()):
            pass
        return json.loads(fields["data"])

    def read_to_end(self) -> None:
        """Read on until the console ends the stream; a stream that stays quiet is a time-out."""
        for _ in self._lines:
            pass

    def opened(self) -> str:
        """Read up to the id that the stream begins with; return it."""
        while "id" not in (fields := self.next()):
            pass
        return fields["id"]


@contextmanager
def listening(
    console: RunningConsole, topics: str = "", token: str | None = None, **headers: str
) -> Iterator[Listener]:
    """Open a stream for the length of the block."""
    query = {"topics": topics} if topics else {}
    with (
        console.client(token) as client,
        client.stream("GET", "/api/v1/events/", params=query, headers=headers) as response,
    ):
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"] == "text/event-stream"
        yield Listener(response)


def make_token(console: RunningConsole, name: str) -> str:
    """Cause events of topics api_token and audit; return the token's id."""
    with console.client() as client:
        return str(client.post("/api/v1/api-tokens/", json={"name": name}).json()["id"])


def test_a_committed_write_is_told_with_topic_id_and_rev_alone(console: RunningConsole) -> None:
    """No content leaves by this way."""
    with listening(console, "api_token") as listener:
        listener.opened()
        token_id = make_token(console, "one")
        event = listener.event()
    assert event.keys() == {"topic", "id", "rev"}
    assert (event["topic"], event["id"]) == ("api_token", token_id)


def test_only_the_topics_asked_for_are_told(console: RunningConsole) -> None:
    """The same write also makes an audit event."""
    with listening(console, "audit") as listener:
        listener.opened()
        make_token(console, "two")
        assert listener.event()["topic"] == "audit"


def test_a_viewer_hears_nothing_of_users(console: RunningConsole) -> None:
    """What one asks for and may not see is left out."""
    console.manage("user_create", "violet", "--role", "viewer")
    token = console.manage("apitoken_create", "--user", "violet", "--name", "listen")
    with listening(console, "user,api_token,audit", token) as listener:
        listener.opened()
        console.manage("user_create", "noel")
        assert listener.event()["topic"] == "audit"
    with console.client(token) as client:
        refused = client.get("/api/v1/events/", params={"topics": "user"})
    assert (refused.status_code, refused.json()["code"]) == (403, "permission.denied")


def test_a_client_that_comes_back_gets_what_it_missed_once(console: RunningConsole) -> None:
    """From the id it last saw, in order."""
    with listening(console, "api_token") as listener:
        last = listener.opened()
    missed = [make_token(console, f"missed{number}") for number in range(3)]
    with listening(console, "api_token", **{"Last-Event-ID": last}) as listener:
        assert [listener.event()["id"] for _ in missed] == missed
        live = make_token(console, "live")
        assert listener.event()["id"] == live


def test_a_client_that_was_away_too_long_is_told_to_read_again(
    console: RunningConsole, redis_server: str
) -> None:
    """The bus was trimmed beyond the id that it last saw."""
    with listening(console) as listener:
        last = listener.opened()
    make_token(console, "gone")
    make_token(console, "kept")
    with redis.Redis.from_url(redis_server) as bus:
        bus.xtrim(STREAM_KEY, maxlen=1, approximate=False)
    with listening(console, **{"Last-Event-ID": last}) as listener:
        while "event" not in (fields := listener.next()):
            assert "data" not in fields
        assert fields["event"] == "reset"


@pytest.mark.parametrize(
    ("headers", "query", "status", "code"),
    [
        ({}, {}, 401, "session.unauthenticated"),
        ({"Authorization": "Bearer krk_no"}, {}, 401, "session.unauthenticated"),
        (None, {"topics": "hosts"}, 400, "events.topic_unknown"),
    ],
)
def test_refusals_have_the_one_error_shape(
    console: RunningConsole, headers: Any, query: Any, status: int, code: str
) -> None:
    """Before a stream begins."""
    sent = {"Authorization": f"Bearer {console.token}"} if headers is None else headers
    response = httpx.get(f"{console.url}/api/v1/events/", params=query, headers=sent)
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_a_stream_ends_soon_after_its_token_is_revoked(console: RunningConsole) -> None:
    """Within seconds, without anything having happened on it."""
    with console.client() as client:
        made = client.post("/api/v1/api-tokens/", json={"name": "brief"}).json()
        with listening(console, "host", made["secret"]) as listener:
            listener.opened()
            client.post(f"/api/v1/api-tokens/{made['id']}/revoke/")
            begun = time.monotonic()
            listener.read_to_end()
    assert time.monotonic() - begun < 12


def test_a_stream_ends_soon_after_its_session_does(console: RunningConsole) -> None:
    """Logged in and out as a browser does."""
    password = console.manage("user_create", "sam")
    with httpx.Client(base_url=console.url) as browser:
        browser.get("/api/v1/me/")
        headers = {"X-CSRFToken": browser.cookies["csrftoken"]}
        body = {"username": "sam", "password": password}
        assert browser.post("/api/v1/session/", json=body, headers=headers).status_code == 200
        with browser.stream("GET", "/api/v1/events/", timeout=20) as response:
            listener = Listener(response)
            listener.opened()
            headers = {"X-CSRFToken": browser.cookies["csrftoken"]}
            assert browser.delete("/api/v1/session/", headers=headers).status_code == 204
            listener.read_to_end()


def test_a_quiet_stream_sends_a_comment_every_15_seconds(console: RunningConsole) -> None:
    """So that no proxy takes it for dead."""
    with listening(console, "host") as listener:
        listener.opened()
        begun = time.monotonic()
        while "comment" not in listener.next():
            pass
    assert 12 < time.monotonic() - begun < 21


def test_one_redis_connection_serves_many_streams(
    console: RunningConsole, redis_server: str
) -> None:
    """All streams of a process hear one reader."""
    with (
        listening(console, "api_token") as one,
        listening(console, "api_token") as two,
        listening(console, "api_token") as three,
        redis.Redis.from_url(redis_server) as bus,
    ):
        ends = (one, two, three)
        for listener in ends:
            listener.opened()
        readers = [c for c in bus.client_list() if c["cmd"] == "xread"]
        token_id = make_token(console, "many")
        assert [listener.event()["id"] for listener in ends] == [token_id] * 3
    assert len(readers) == 1


def test_nothing_reads_the_bus_when_nobody_listens(
    console: RunningConsole, redis_server: str
) -> None:
    """A closed browser tab leaves nothing behind."""
    with listening(console, "host") as listener:
        listener.opened()
    deadline = time.monotonic() + 15
    with redis.Redis.from_url(redis_server) as bus:
        while any(c["cmd"] == "xread" for c in bus.client_list()):
            assert time.monotonic() < deadline, "the reader goes on"
            time.sleep(0.2)
