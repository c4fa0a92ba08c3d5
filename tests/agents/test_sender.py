"""Handing reports in: acknowledgement, splitting, replacing what is refused, cancel by reply."""

from typing import Any

import pytest

from agents.client import ConsoleClient, InvalidMessage, TooLarge
from agents.wire.messages import ReportsReply, ReportsRequest
from agents.wire.work import Report, WorkOrder
from agents.worker.core import Core
from agents.worker.sender import Sender
from tests.agents.support.console_stub import ConsoleStub


def report(kind: str = "output", text: str = "", **fields: Any) -> Report:
    return Report(seq=0, kind=kind, work_id="w", nonce="n", at="", chunk=0, text=text, **fields)


def add(core: Core, *texts: str) -> None:
    for text in texts:
        core.outbox.append(report(text=text))


def send_all(core: Core) -> None:
    sender = Sender(core)
    for _ in range(30):
        if not core.outbox.pending_count():
            return
        sender.send_once()
    raise AssertionError("the outbox does not get empty")


def test_reports_are_handed_in_once_and_dropped_when_acknowledged(
    core: Core, stub: ConsoleStub
) -> None:
    add(core, "a", "b")
    send_all(core)
    assert [r.text for r in stub.reports] == ["a", "b"]
    assert stub.seen_seqs == [1, 2]


def test_a_lost_reply_is_followed_by_a_replay_that_the_console_recognises(
    core: Core, stub: ConsoleStub
) -> None:
    stub.drop_replies["reports"] = 1
    add(core, "a")
    assert Sender(core).send_once() >= 0
    send_all(core)
    assert stub.seen_seqs == [1, 1]
    assert len(stub.reports) == 1


def refusing(
    monkeypatch: pytest.MonkeyPatch, error: type[InvalidMessage] | type[TooLarge], text: str
) -> list[list[str]]:
    """Make the console refuse every batch that holds `text`; return what was taken."""
    taken: list[list[str]] = []

    def reports(_self: ConsoleClient, request: ReportsRequest) -> ReportsReply:
        words = [r.text or r.message for r in request.reports]
        if text in words:
            raise error("no")
        taken.append(words)
        return ReportsReply(acknowledged_seq=request.reports[-1].seq)

    monkeypatch.setattr(ConsoleClient, "reports", reports)
    return taken


def test_one_bad_report_among_many_costs_only_itself(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = refusing(monkeypatch, InvalidMessage, "bad")
    add(core, "a", "b", "bad", "c", "d")
    send_all(core)
    assert [word for words in taken for word in words] == ["a", "b", "c", "d"]


def test_a_batch_that_is_too_large_is_split(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def reports(_self: ConsoleClient, request: ReportsRequest) -> ReportsReply:
        sizes.append(len(request.reports))
        if len(request.reports) > 2:
            raise TooLarge("too much")
        return ReportsReply(acknowledged_seq=request.reports[-1].seq)

    monkeypatch.setattr(ConsoleClient, "reports", reports)
    add(core, *"abcdefgh")
    send_all(core)
    assert sizes[:3] == [8, 4, 2]


def test_an_end_that_is_refused_arrives_as_errored_with_the_reason(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = refusing(monkeypatch, InvalidMessage, "huge result")
    end = report("finished", outcome="succeeded", message="huge result", result={"x": "y"})
    core.outbox.append(end)
    send_all(core)
    assert "the console refused its result: no" in taken[0][0]


def test_an_end_that_is_refused_in_every_form_is_given_up(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reports(_self: ConsoleClient, _request: ReportsRequest) -> ReportsReply:
        raise InvalidMessage("never")

    monkeypatch.setattr(ConsoleClient, "reports", reports)
    core.outbox.append(report("finished", outcome="succeeded"))
    send_all(core)


def test_the_reply_can_ask_to_stop_a_run(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    held = core.hold(WorkOrder(work_id="w9", kind="job.run", lane="work", nonce="n"))
    reply = ReportsReply(acknowledged_seq=1, cancel=["w9", "unknown"])
    monkeypatch.setattr(ConsoleClient, "reports", lambda *_: reply)
    add(core, "a")
    Sender(core).send_once()
    assert held.must_stop


def test_a_console_that_acknowledges_nothing_is_not_asked_in_a_tight_loop(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.client.random.uniform", lambda _low, high: high)
    monkeypatch.setattr(ConsoleClient, "reports", lambda *_: ReportsReply(acknowledged_seq=0))
    add(core, "a")
    sender = Sender(core)
    assert [sender.send_once() for _ in range(3)] == [1.0, 2.0, 4.0]


def test_an_agent_that_is_revoked_waits_minutes(core: Core, stub: ConsoleStub) -> None:
    stub.refuse["reports"] = (403, "agent.revoked")
    add(core, "a")
    assert Sender(core).send_once() == 300
    assert core.outbox.pending_count() == 1
