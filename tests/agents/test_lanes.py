"""Lanes: claim on until nothing is due, one order at a time, refusals, nonces that are kept."""

import threading
import time
from pathlib import Path

import pytest

from agents.daemon import carry_out_job
from agents.journal import JournalEntry
from agents.wire.names import Lane, WorkKind
from agents.wire.work import WorkOrder
from agents.worker.core import Core, HeldWork
from agents.worker.lanes import Carrier, LaneWorker
from agents.worker.runs import was_started
from tests.agents.conftest import MakeCore
from tests.agents.support.console_stub import ConsoleStub
from tests.agents.support.daemons import wait_until


def lane_of(core: Core, lane: Lane = Lane.WORK) -> LaneWorker:
    return LaneWorker(core, lane, {WorkKind.JOB_RUN: carry_out_job}, was_started)


def flushed(core: Core) -> None:
    """Hand in what the lane reported, without a sender's thread."""
    from agents.worker.sender import Sender

    while core.outbox.pending_count():
        Sender(core).send_once()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.worker.lanes._FLUSH_SECONDS", 0.0)


def test_a_lane_claims_on_until_nothing_is_due(
    core: Core, stub: ConsoleStub, tmp_path: Path
) -> None:
    orders = [stub.order(parameters={"marks": str(tmp_path / "m")}) for _ in range(3)]
    lane_of(core).claim_on()
    flushed(core)
    ends = [stub.reports_of(order.work_id)[-1].outcome for order in orders]
    assert ends == ["succeeded"] * 3
    assert core.journal.entries()[0].order is None


def test_a_lane_leaves_the_other_lanes_orders_alone(core: Core, stub: ConsoleStub) -> None:
    stub.order(lane="quick")
    lane_of(core).claim_on()
    assert len(stub.due) == 1


def test_an_unused_nonce_is_used_for_the_next_claim(core: Core, stub: ConsoleStub) -> None:
    lane = lane_of(core)
    lane.claim_on()
    lane.claim_on()
    nonces = [data["nonce"] for name, data in stub.requests if name == "claim"]
    assert len(nonces) == 2
    assert len(set(nonces)) == 1


def test_after_a_lost_reply_the_same_nonce_is_asked_again(
    core: Core, stub: ConsoleStub, tmp_path: Path
) -> None:
    stub.drop_replies["claim"] = 1
    stub.order(parameters={"marks": str(tmp_path / "m")})
    lane_of(core).claim_on()
    nonces = [data["nonce"] for name, data in stub.requests if name == "claim"]
    assert nonces[0] == nonces[1]
    assert (tmp_path / "m").read_text().count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "allow", "words"),
    [
        ("job.run", ("inventory.scan",), "own admin does not allow work of the kind 'job.run'"),
        ("disk.format", ("disk.format",), "does not know work of the kind 'disk.format'"),
    ],
)
def test_work_that_is_not_allowed_or_known_is_refused_with_a_sentence(
    make_core: MakeCore, stub: ConsoleStub, kind: str, allow: tuple[str, ...], words: str
) -> None:
    core = make_core(allow=allow)
    order = stub.order(kind=kind)
    lane_of(core).claim_on()
    flushed(core)
    (end,) = stub.reports_of(order.work_id)
    assert (end.kind, end.outcome) == ("finished", "failed")
    assert words in end.message


def test_a_defect_of_ours_ends_as_errored_and_the_lane_goes_on(
    core: Core, stub: ConsoleStub
) -> None:
    def broken(_core: Core, held: HeldWork, _entry: JournalEntry) -> bool:
        raise LookupError(held.order.work_id)

    orders = [stub.order(), stub.order()]
    LaneWorker(core, Lane.WORK, {WorkKind.JOB_RUN: broken}, was_started).claim_on()
    flushed(core)
    for order in orders:
        (end,) = stub.reports_of(order.work_id)
        assert end.outcome == "errored"
        assert "LookupError" in end.message


def test_an_agent_that_is_not_authorised_claims_nothing_more(core: Core, stub: ConsoleStub) -> None:
    stub.refuse["claim"] = (403, "agent.revoked")
    lane = lane_of(core)
    lane.claim_on()
    lane.claim_on()
    assert "agent.revoked" in core.blocked
    assert len(stub.requests) == 1


def test_work_under_way_stops_when_the_agent_is_not_authorised_any_more(core: Core) -> None:
    from agents.client import NotAuthorised

    held = core.hold(WorkOrder(work_id="w", kind="job.run", lane="work", nonce="n"))
    core.note_error(NotAuthorised("revoked"))
    assert held.must_stop


def test_an_order_given_up_while_we_were_away_is_dropped_not_started(
    core: Core, stub: ConsoleStub, tmp_path: Path
) -> None:
    nonce = core.journal.new_nonce("work")
    core.journal.claimed(
        nonce,
        WorkOrder(
            work_id="w", kind="job.run", lane="work", nonce=nonce,
            parameters={"workload": "test.marker", "parameters": {"marks": str(tmp_path / "m")}},
        ),
    )  # fmt: skip
    lane = lane_of(core)
    lane.recover()
    lane.claim_on()
    assert not (tmp_path / "m").exists()
    assert all(entry.order is None for entry in core.journal.entries())


def test_a_conflict_drops_the_nonce_and_claims_with_another(core: Core, stub: ConsoleStub) -> None:
    first = core.journal.new_nonce("work")
    stub.refuse["claim"] = (409, "work.nonce_mismatch")
    lane = lane_of(core)
    lane.recover()
    threading.Timer(0.3, stub.refuse.clear).start()
    lane.claim_on()
    assert first not in {entry.nonce for entry in core.journal.entries()}


def counting_carrier(stub: ConsoleStub, most: list[int]) -> Carrier:
    """Return a carrier that notes how many orders run at once in `most`."""
    running: list[int] = []

    def carry(_core: Core, held: HeldWork, _entry: JournalEntry) -> bool:
        running.append(1)
        most.append(len(running))
        time.sleep(0.05)
        running.pop()
        stub.due[:] = [order for order in stub.due if order.work_id != held.order.work_id]
        return True

    return carry


def test_two_doorbells_never_run_two_orders_of_a_lane_at_once(
    core: Core, stub: ConsoleStub
) -> None:
    most: list[int] = []
    carriers = {WorkKind.JOB_RUN: counting_carrier(stub, most)}
    lane = LaneWorker(core, Lane.WORK, carriers, was_started)
    thread = threading.Thread(target=lane.run)
    thread.start()
    for _ in range(4):
        stub.order()
        lane.ring()
    wait_until(lambda: len(most) == 4)
    core.stop.set()
    lane.ring()
    thread.join(5)
    assert most == [1, 1, 1, 1]


def test_the_quick_lane_does_not_wait_behind_the_work_lane(core: Core, stub: ConsoleStub) -> None:
    gate, quick_done = threading.Event(), threading.Event()
    slow: Carrier = lambda _core, _held, _entry: gate.wait(10)  # noqa: E731
    quick: Carrier = lambda _core, _held, _entry: quick_done.set() is None  # noqa: E731
    stub.order()
    stub.order(lane="quick", kind="inventory.scan")
    lanes = [
        LaneWorker(core, Lane.WORK, {WorkKind.JOB_RUN: slow}, was_started),
        LaneWorker(core, Lane.QUICK, {WorkKind.INVENTORY_SCAN: quick}, was_started),
    ]
    threads = [threading.Thread(target=lane.claim_on, daemon=True) for lane in lanes]
    for thread in threads:
        thread.start()
    assert quick_done.wait(5)
    gate.set()
    core.stop.set()
    for thread in threads:
        thread.join(5)
