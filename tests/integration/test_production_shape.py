"""PostgreSQL, Redis, WSGI web, ASGI events, worker, beat behind one nginx, as Compose has them."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.production import Production, compose_command, production_running

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def production(
    postgres_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Production]:
    folder = Path(tmp_path_factory.mktemp("production"))
    with production_running(folder, postgres_server) as running:
        yield running


def test_all_parts_call_themselves_ready_through_the_front(production: Production) -> None:
    with production.client(is_anonymous=True) as client:
        reply = client.get("/readyz")
    assert reply.status_code == 200
    assert set(reply.json()["checks"]) == {"database", "broker", "worker", "beat"}


def test_it_runs_on_postgresql(production: Production) -> None:
    code = "from django.db import connection; print(connection.vendor)"
    assert production.manage("shell", "--no-imports", "-c", code) == "postgresql"


def test_requests_are_served_by_wsgi_and_the_stream_by_asgi() -> None:
    assert "console.config.wsgi:application" in compose_command("web")
    assert "console.config.asgi:application" in compose_command("events")


def _listen(
    production: Production, is_open: threading.Event, seen: list[tuple[float, dict[str, str]]]
) -> None:
    """Note when the first event of a topic arrives, and what it says."""
    with (
        production.client() as client,
        client.stream("GET", "/api/v1/events/?topics=enrolment_token") as stream,
    ):
        is_open.set()
        for line in stream.iter_lines():
            if line.startswith("data:") and "enrolment_token" in line:
                seen.append((time.monotonic(), json.loads(line.removeprefix("data:"))))
                return


def test_a_change_reaches_an_open_event_stream_at_once(production: Production) -> None:
    seen: list[tuple[float, dict[str, str]]] = []
    is_open = threading.Event()
    listener = threading.Thread(target=_listen, args=(production, is_open, seen), daemon=True)
    listener.start()
    assert is_open.wait(10)
    made_at, token_id = _enrolment_token_make(production)
    listener.join(10)
    assert [event["id"] for _, event in seen] == [token_id]
    assert seen[0][0] - made_at < 2.0


def _enrolment_token_make(production: Production) -> tuple[float, str]:
    with production.client() as client:
        reply = client.post("/api/v1/enrolment-tokens/", json={"name": "shape"})
    assert reply.status_code == 201, reply.text
    return time.monotonic(), reply.json()["id"]


def test_session_cookies_are_for_https_alone(production: Production) -> None:
    password = production.manage("user_create", "eve", "--role", "operator")
    with production.client(is_anonymous=True) as client:
        client.get("/api/v1/me/")
        reply = _log_in(client, "eve", password)
        cookies = reply.headers.get_list("set-cookie")
    assert reply.status_code in {200, 201}
    session = next(cookie for cookie in cookies if cookie.startswith("sessionid="))
    assert "Secure" in session
    assert "HttpOnly" in session


def _log_in(client: httpx.Client, username: str, password: str) -> httpx.Response:
    headers = {"X-CSRFToken": client.cookies["csrftoken"], "Referer": str(client.base_url)}
    body = {"username": username, "password": password}
    return client.post("/api/v1/session/", json=body, headers=headers)


def test_browsers_are_told_to_stay_with_https(production: Production) -> None:
    with production.client(is_anonymous=True) as client:
        assert "max-age=31536000" in client.get("/").headers["strict-transport-security"]


def test_a_claimed_forwarded_address_is_not_believed(production: Production) -> None:
    with production.client(is_anonymous=True) as client:
        client.get("/api/v1/me/")
        client.headers["X-Forwarded-For"] = "198.51.100.66"
        assert _log_in(client, "adam", "not the password at all").status_code == 401
    with production.client() as client:
        audit = client.get("/api/v1/audit/", params={"verb": "session.refuse"}).text
    assert "127.0.0.1" in audit
    assert "198.51.100.66" not in audit
