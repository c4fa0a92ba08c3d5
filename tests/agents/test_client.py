"""The HTTP client over an in-memory transport: what is sent, and what each answer becomes."""

import gzip
import json
from collections.abc import Callable

import httpx
import pytest

from agents import client as c
from agents.wire import WIRE_VERSION
from agents.wire.messages import (
    ClaimRequest,
    HeartbeatRequest,
    ReportsRequest,
)
from agents.wire.work import Report

Handler = Callable[[httpx.Request], httpx.Response]


def client_of(handler: Handler) -> c.ConsoleClient:
    return c.ConsoleClient(
        "http://127.0.0.1:1", credential="kra_x", transport=httpx.MockTransport(handler)
    )


def answering(status: int, body: object) -> c.ConsoleClient:
    return client_of(lambda _request: httpx.Response(status, json=body))


def heartbeat() -> HeartbeatRequest:
    return HeartbeatRequest(snapshot_digest="", agent_version="1")


def test_a_request_carries_credential_path_and_wire() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"wire": "1.0", "due": {"work": 2}})

    assert client_of(handler).heartbeat(heartbeat()).due == {"work": 2}
    assert seen[0].url.path == "/agent/v1/heartbeat/"
    assert seen[0].headers["Authorization"] == "Bearer kra_x"
    assert json.loads(seen[0].content)["wire"] == WIRE_VERSION


def test_a_long_body_is_sent_compressed_and_a_short_one_is_not() -> None:
    encodings: list[str | None] = []

    def handler(request: httpx.Request) -> httpx.Response:
        encoding = request.headers.get("Content-Encoding")
        encodings.append(encoding)
        body = gzip.decompress(request.content) if encoding else request.content
        reports = json.loads(body)["reports"]
        return httpx.Response(200, json={"wire": "1.0", "acknowledged_seq": reports[-1]["seq"]})

    def report(text: str) -> ReportsRequest:
        return ReportsRequest(
            reports=[Report(seq=9, kind="output", work_id="w", nonce="n", at="", text=text)]
        )

    console = client_of(handler)
    assert console.reports(report("x")).acknowledged_seq == 9
    assert console.reports(report("x" * 5000)).acknowledged_seq == 9
    assert encodings == [None, "gzip"]


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "wire.invalid", c.InvalidMessage),
        (401, "agent.unauthenticated", c.NotAuthorised),
        (403, "agent.revoked", c.NotAuthorised),
        (403, "agent.retired", c.NotAuthorised),
        (409, "work.nonce_mismatch", c.WorkConflict),
        (413, "wire.too_large", c.TooLarge),
        (426, "wire.unsupported", c.WireUnsupported),
        (429, "request.throttled", c.ConsoleUnreachable),
        (500, "server.error", c.ConsoleUnreachable),
        (503, "server.busy", c.ConsoleUnreachable),
        (404, "request.not_found", c.ConsoleError),
    ],
)
def test_each_refusal_becomes_its_class_with_the_consoles_code_and_words(
    status: int, code: str, kind: type[c.ConsoleError]
) -> None:
    console = answering(status, {"code": code, "message": "because", "extra": {}})
    with pytest.raises(kind, match="because") as caught:
        console.claim(ClaimRequest(lane="work", nonce="n"))
    assert type(caught.value) is kind
    assert caught.value.code == code


def test_an_invalid_message_carries_the_paths_that_did_not_fit() -> None:
    body = {"code": "wire.invalid", "message": "m", "extra": {"problems": ["reports[0].seq: x"]}}
    with pytest.raises(c.InvalidMessage) as caught:
        answering(400, body).heartbeat(heartbeat())
    assert caught.value.problems == ["reports[0].seq: x"]


def test_an_error_page_of_something_else_is_survived() -> None:
    console = client_of(lambda _request: httpx.Response(502, html="<h1>Bad gateway</h1>"))
    with pytest.raises(c.ConsoleUnreachable, match="answered 502"):
        console.heartbeat(heartbeat())


@pytest.mark.parametrize("body", ["[]", "no json", '{"wire":"1.0","due":[]}', '{"wire":"9.0"}'])
def test_an_answer_that_does_not_fit_is_no_answer(body: str) -> None:
    console = client_of(lambda _request: httpx.Response(200, text=body))
    with pytest.raises(c.ConsoleUnreachable, match="not understood"):
        console.heartbeat(heartbeat())


def test_a_text_that_is_no_unicode_reaches_the_console_as_it_is() -> None:
    sent: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.read())["reports"][0]["text"])
        return httpx.Response(200, json={"wire": "1.0", "acknowledged_seq": 1})

    report = Report(seq=1, kind="output", work_id="w", nonce="n", at="", text="\udcff")
    client_of(handler).reports(ReportsRequest(reports=[report]))
    assert sent == ["\udcff"]


def test_a_lost_connection_is_no_answer() -> None:
    def handler(_request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("connection reset")

    with pytest.raises(c.ConsoleUnreachable, match="connection reset"):
        client_of(handler).heartbeat(heartbeat())


def test_the_clock_offset_comes_from_the_date_header() -> None:
    date = {"Date": "Thu, 01 Jan 1970 00:00:00 GMT"}
    console = client_of(lambda _request: httpx.Response(200, headers=date))
    assert console.clock_offset_seconds() < -1e9


def test_backoff_grows_with_full_jitter_and_starts_again_after_a_success() -> None:
    backoff = c.Backoff()
    waits = [backoff.next_seconds() for _ in range(50)]
    assert all(0 <= wait <= min(60, 2**index) for index, wait in enumerate(waits))
    assert max(waits) > 10
    backoff.reset()
    assert backoff.next_seconds() <= 1
