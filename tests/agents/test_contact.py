"""Heartbeats and leases: what they carry, what the reply sets in motion, and status.json."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from agents.client import ConsoleClient
from agents.wire.inventory import Gauge
from agents.wire.messages import HeartbeatReply, HeartbeatRequest, LeaseReply
from agents.wire.work import Report, WorkOrder
from agents.worker.contact import Contact
from agents.worker.core import Core, HeldWork
from agents.worker.scans import Scanner
from tests.agents.support.console_stub import ConsoleStub


class Cast:
    """A contact loop with the lanes that it rang."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.rung: list[str] = []
        self.scanner = Scanner(core)
        self.contact = Contact(core, self.scanner, self.rung.append)


@pytest.fixture
def cast(core: Core) -> Cast:
    return Cast(core)


def held_in(core: Core, work_id: str = "w1") -> HeldWork:
    return core.hold(
        WorkOrder(work_id=work_id, kind="job.run", lane="work", nonce="n", lease_seconds=60)
    )


def last(stub: ConsoleStub) -> Any:
    return stub.requests[-1][1]


def test_a_heartbeat_says_what_runs_and_what_is_allowed(cast: Cast, stub: ConsoleStub) -> None:
    held_in(cast.core)
    cast.contact.heartbeat_once()
    assert last(stub)["running"] == ["w1"]
    assert last(stub)["allow"] == ["job.run", "inventory.scan"]
    assert last(stub)["uptime_seconds"] > 0


def meanwhile(cast: Cast, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Let something happen between a heartbeat's reply and the moment that it is read."""
    send = cast.core.client.heartbeat

    def late(request: HeartbeatRequest) -> HeartbeatReply:
        reply = send(request)
        happens()
        return reply

    monkeypatch.setattr(cast.core.client, "heartbeat", late)


def test_a_snapshot_handed_in_while_the_console_asked_for_it_is_not_sent_again(
    cast: Cast, stub: ConsoleStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.scanner.scan(lambda: False)
    meanwhile(cast, monkeypatch, cast.scanner.hand_in)
    cast.contact.heartbeat_once()
    cast.scanner.hand_in()
    assert stub.snapshots == [cast.core.snapshot_digest]


def test_facts_scanned_while_the_console_answered_are_not_taken_for_known(
    cast: Cast, stub: ConsoleStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.scanner.scan(lambda: False)
    cast.scanner.hand_in()
    meanwhile(cast, monkeypatch, lambda: setattr(cast.core, "snapshot_digest", "newer"))
    cast.contact.heartbeat_once()
    assert cast.core.acknowledged_digest == stub.snapshots[0]


def test_the_next_heartbeat_is_when_the_console_says_with_jitter(
    cast: Cast, stub: ConsoleStub
) -> None:
    stub.heartbeat_seconds = 40
    waits = {cast.contact.heartbeat_once() for _ in range(20)}
    assert len(waits) > 10
    assert all(36 <= wait <= 44 for wait in waits)


def test_what_is_due_rings_its_lane(cast: Cast, stub: ConsoleStub) -> None:
    cast.contact.heartbeat_once()
    cast.rung.clear()
    stub.order(lane="quick")
    cast.contact.heartbeat_once()
    assert cast.rung == ["quick"]


def test_after_an_absence_both_lanes_look(cast: Cast, stub: ConsoleStub) -> None:
    stub.refuse["heartbeat"] = (503, "server.busy")
    cast.contact.heartbeat_once()
    stub.refuse.clear()
    cast.contact.heartbeat_once()
    assert cast.rung == [""]


def test_who_waits_after_a_failure_goes_on_when_the_console_is_back(
    cast: Cast, stub: ConsoleStub
) -> None:
    stub.refuse["heartbeat"] = (503, "server.busy")
    cast.contact.heartbeat_once()
    stub.refuse.clear()
    begun = time.monotonic()
    threading.Timer(0.1, cast.contact.heartbeat_once).start()
    cast.core.pause(30)
    assert time.monotonic() - begun < 10


def test_gauges_are_sent_once_and_kept_when_sending_failed(cast: Cast, stub: ConsoleStub) -> None:
    cast.scanner.return_gauges([Gauge(name="g", subject_key="", value=1.0)])
    stub.refuse["heartbeat"] = (503, "server.busy")
    cast.contact.heartbeat_once()
    stub.refuse.clear()
    cast.contact.heartbeat_once()
    assert [gauge["name"] for gauge in last(stub)["gauges"]] == ["g"]
    cast.contact.heartbeat_once()
    assert last(stub)["gauges"] == []


def test_reports_that_the_console_holds_are_dropped(cast: Cast, stub: ConsoleStub) -> None:
    cast.core.outbox.append(Report(seq=0, kind="output", work_id="w", nonce="n", at=""))
    stub.acknowledged = 1
    cast.contact.heartbeat_once()
    assert cast.core.outbox.pending_count() == 0


def test_a_lease_is_renewed_at_a_third(cast: Cast, stub: ConsoleStub) -> None:
    stub.lease_seconds = 90
    held = held_in(cast.core)
    assert 19 < held.lease_at - time.monotonic() < 21
    cast.contact.renew_once(held)
    assert 29 < held.lease_at - time.monotonic() < 31


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (LeaseReply(is_held=True, cancel_requested=True), "Cancelled on request"),
        (LeaseReply(is_held=False), "no longer counts on this host"),
    ],
)
def test_the_lease_reply_can_stop_the_work(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, reply: LeaseReply, words: str
) -> None:
    monkeypatch.setattr(ConsoleClient, "lease", lambda *_: reply)
    held = held_in(cast.core)
    cast.contact.renew_once(held)
    assert held.must_stop
    assert words in held.stop_reason


def test_a_lease_held_under_another_claim_stops_the_work(cast: Cast, stub: ConsoleStub) -> None:
    stub.refuse["lease"] = (409, "work.nonce_mismatch")
    held = held_in(cast.core)
    cast.contact.renew_once(held)
    assert held.must_stop


def test_a_console_that_is_away_does_not_stop_the_work(cast: Cast, stub: ConsoleStub) -> None:
    stub.refuse["lease"] = (503, "server.busy")
    held = held_in(cast.core)
    cast.contact.renew_once(held)
    assert not held.must_stop
    assert held.lease_at - time.monotonic() < 2


def test_however_long_the_console_is_away_a_lease_is_tried_at_least_at_a_third(
    cast: Cast, stub: ConsoleStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.client.random.uniform", lambda _low, high: high)
    stub.refuse["lease"] = (503, "server.busy")
    held = held_in(cast.core)
    for _ in range(12):
        cast.contact.renew_once(held)
    assert held.lease_at - time.monotonic() <= 20


def test_a_doorbell_that_names_held_work_renews_its_lease_at_once(core: Core) -> None:
    held = held_in(core)
    assert core.renew_now("w1")
    assert held.lease_at <= time.monotonic()
    assert not core.renew_now("another")


@pytest.mark.parametrize(
    ("status", "code", "wait"),
    [(401, "agent.unauthenticated", 300), (426, "wire.unsupported", 300)],
)
def test_a_refusal_that_time_does_not_cure_blocks_work_and_is_in_the_status(
    cast: Cast, stub: ConsoleStub, status: int, code: str, wait: float
) -> None:
    stub.refuse["heartbeat"] = (status, code)
    assert cast.contact.heartbeat_once() == wait
    shown = json.loads((cast.core.state_dir / "status.json").read_text())
    assert code in shown["blocked"]


def test_work_goes_on_once_the_console_accepts_the_agent_again(
    cast: Cast, stub: ConsoleStub
) -> None:
    stub.refuse["heartbeat"] = (401, "agent.unauthenticated")
    cast.contact.heartbeat_once()
    stub.refuse.clear()
    cast.contact.heartbeat_once()
    assert cast.core.blocked == ""
    assert cast.rung == [""]
