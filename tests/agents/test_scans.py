"""Scans by the daemon: the child, the snapshot sent only when new, failures that change nothing."""

import threading
from typing import Any

import pytest

from agents.journal import JournalEntry
from agents.wire.messages import SnapshotReply
from agents.wire.work import WorkOrder
from agents.worker import scans
from agents.worker.core import Core
from agents.worker.scans import ScanFailed, Scanner, carry_out_scan
from tests.agents.support.console_stub import ConsoleStub
from tests.agents.support.daemons import wait_until


def never() -> bool:
    return False


def scan_by(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(scans, "SCAN_ENTRY", ("-c", code))


def carried_out(core: Core, scanner: Scanner) -> Any:
    order = WorkOrder(work_id="w", kind="inventory.scan", lane="quick", nonce="n")
    entry = JournalEntry(nonce="n", lane="quick", order=order)
    assert carry_out_scan(scanner, core, core.hold(order), entry)
    return core.outbox.batch()


def test_a_snapshot_is_sent_once_and_not_again_while_nothing_changed(
    core: Core, stub: ConsoleStub
) -> None:
    scanner = Scanner(core)
    for _ in range(3):
        scanner.scan(never)
        scanner.hand_in()
    assert stub.snapshots == [core.snapshot_digest]


def test_the_digest_is_known_again_after_a_restart(core: Core, stub: ConsoleStub) -> None:
    Scanner(core).scan(never)
    digest = core.snapshot_digest
    core.snapshot_digest = ""
    Scanner(core)
    assert core.snapshot_digest == digest


def test_the_gauges_of_a_scan_are_there_once(core: Core) -> None:
    scanner = Scanner(core)
    scanner.scan(never)
    assert [gauge.name for gauge in scanner.take_gauges()] == ["g"]
    assert scanner.take_gauges() == []


def test_a_console_that_wants_the_snapshot_gets_it_again(core: Core, stub: ConsoleStub) -> None:
    scanner = Scanner(core)
    scanner.scan(never)
    scanner.hand_in()
    scanner.want_snapshot()
    scanner.hand_in()
    assert len(stub.snapshots) == 2


def test_a_console_that_asks_while_the_snapshot_is_on_its_way_gets_it_once(
    core: Core, stub: ConsoleStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanner = Scanner(core)
    scanner.scan(never)
    send = core.client.snapshot

    def asked_meanwhile(body: bytes) -> SnapshotReply:
        scanner.want_snapshot()
        return send(body)

    monkeypatch.setattr(core.client, "snapshot", asked_meanwhile)
    scanner.hand_in()
    scanner.hand_in()
    assert len(stub.snapshots) == 1


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.exit('no driver here')", "ended with 1: no driver here"),
        ("import os; os.abort()", "ended with -6: it said nothing"),
        ("import time; time.sleep(60)", "longer than 1 s"),
    ],
)
def test_a_failed_scan_says_how_and_keeps_the_last_facts(
    core: Core, make_core: Any, monkeypatch: pytest.MonkeyPatch, code: str, words: str
) -> None:
    core = make_core(scan_timeout_seconds=1)
    scanner = Scanner(core)
    core.snapshot_digest = "before"
    scan_by(monkeypatch, code)
    with pytest.raises(ScanFailed, match=words):
        scanner.scan(never)
    assert core.snapshot_digest == "before"


def test_a_scan_order_is_started_and_finished_with_its_digest(
    core: Core, stub: ConsoleStub
) -> None:
    started, end = carried_out(core, Scanner(core))
    assert (started.kind, end.kind, end.outcome) == ("started", "finished", "succeeded")
    assert end.result["digest"] == core.snapshot_digest == stub.snapshots[0]


def test_a_scan_order_whose_snapshot_cannot_be_sent_yet_says_so(
    core: Core, stub: ConsoleStub
) -> None:
    stub.refuse["snapshot"] = (503, "server.busy")
    end = carried_out(core, Scanner(core))[-1]
    assert end.outcome == "succeeded"
    assert "follows as soon as the console takes it" in end.message


def test_a_failed_scan_order_is_errored(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    scan_by(monkeypatch, "import sys; sys.exit(7)")
    end = carried_out(core, Scanner(core))[-1]
    assert (end.outcome, "ended with 7" in end.message) == ("errored", True)


def test_no_scan_on_schedule_beside_a_job(
    core: Core, stub: ConsoleStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scans, "_RETRY_SECONDS", 0.05)
    held = core.hold(WorkOrder(work_id="w", kind="job.run", lane="work", nonce="n"))
    scanner = Scanner(core)
    thread = threading.Thread(target=scanner.run)
    thread.start()
    core.stop.wait(0.5)
    assert core.snapshot_digest == ""
    core.release(held)
    wait_until(lambda: stub.snapshots)
    core.stop.set()
    scanner.wake()
    thread.join(5)
