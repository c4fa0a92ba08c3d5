"""The daemon killed with SIGKILL at every point of a run's life, and restarted: real processes."""

from pathlib import Path

import pytest

from agents.journal import Journal
from agents.wire.work import WorkOrder
from tests.agents.support.console_stub import ConsoleStub, StubServer
from tests.agents.support.daemons import DaemonProcess, enrolled, wait_until

# test_the_kill_points_cover_a_whole_run counts them; their number varies a little with how many
# reports go in one batch.
KILL_POINTS = range(1, 57)


def finished(stub: ConsoleStub, order: WorkOrder) -> bool:
    return bool(stub.reports_of(order.work_id, "finished"))


def nothing_open(state_dir: Path) -> bool:
    """Return whether the journal has no order that is not closed; looks at a copy of it."""
    copy = state_dir.with_suffix(".journal")
    copy.write_bytes((state_dir / "journal.jsonl").read_bytes())
    journal = Journal(copy)
    journal.close()
    return all(entry.order is None for entry in journal.entries())


def run_marked(stub: ConsoleStub, marks: Path, **parameters: object) -> WorkOrder:
    return stub.order(parameters={"marks": str(marks), "samples": 3, **parameters})


def check_reports_are_whole(stub: ConsoleStub, order: WorkOrder) -> None:
    """Each report exactly once, in order, with all output and all samples."""
    reports = stub.reports_of(order.work_id)
    kinds = [report.kind for report in reports]
    assert kinds == ["started", *["output", "sample"] * 3, "finished"]
    assert [r.chunk for r in reports if r.kind == "output"] == [0, 1, 2]
    assert [r.sample.value for r in reports if r.sample] == [0.0, 1.0, 2.0]
    assert reports[-1].outcome == "succeeded", reports[-1].message


@pytest.mark.parametrize("kill_at", KILL_POINTS)
def test_killed_at_a_point_a_run_happens_once_and_is_reported_once(
    stub: ConsoleStub, tmp_path: Path, kill_at: int
) -> None:
    state_dir, marks = tmp_path / "state", tmp_path / "marks"
    enrolled(state_dir, stub.url)
    order = run_marked(stub, marks)
    first = DaemonProcess(state_dir, kill_at=kill_at)
    wait_until(lambda: first.process.poll() is not None or finished(stub, order))
    first.end()
    second = DaemonProcess(state_dir)
    wait_until(lambda: finished(stub, order))
    wait_until(lambda: nothing_open(state_dir))
    wait_until(lambda: not any((state_dir / "runs").iterdir()))
    second.terminate()
    assert marks.read_text().count("\n") == 1
    check_reports_are_whole(stub, order)


def test_the_kill_points_cover_a_whole_run(stub: ConsoleStub, tmp_path: Path) -> None:
    state_dir, counts = tmp_path / "state", tmp_path / "counts"
    enrolled(state_dir, stub.url)
    order = run_marked(stub, tmp_path / "marks")
    daemon = DaemonProcess(state_dir, count_file=counts)
    wait_until(lambda: finished(stub, order))
    wait_until(lambda: nothing_open(state_dir))
    daemon.terminate()
    lines = counts.read_text().splitlines()
    assert {line.split(" ", 1)[1] for line in lines} >= {
        f"{when} {name}"
        for when in ("before", "after")
        for name in ("_append", "_write", "spawn_detached", "claim", "reports")
    }
    assert len(lines) < KILL_POINTS.stop


def test_killed_in_the_middle_of_a_run_the_child_lives_on_and_is_adopted(
    stub: ConsoleStub, tmp_path: Path
) -> None:
    state_dir, marks = tmp_path / "state", tmp_path / "marks"
    enrolled(state_dir, stub.url)
    order = run_marked(stub, marks, seconds=2)
    first = DaemonProcess(state_dir)
    wait_until(lambda: len(stub.reports_of(order.work_id, "sample")) == 3)
    first.kill()
    second = DaemonProcess(state_dir)
    wait_until(lambda: finished(stub, order))
    second.terminate()
    check_reports_are_whole(stub, order)
    assert stub.reports_of(order.work_id)[-1].result["pid"] == int(marks.read_text())


def test_a_child_that_ended_while_no_daemon_ran_is_reported_with_its_result(
    stub: ConsoleStub, tmp_path: Path
) -> None:
    state_dir, marks = tmp_path / "state", tmp_path / "marks"
    enrolled(state_dir, stub.url)
    order = run_marked(stub, marks, seconds=0.5)
    first = DaemonProcess(state_dir)
    wait_until(marks.exists)
    first.kill()
    run_dir = next((state_dir / "runs").iterdir())
    wait_until(lambda: '"finished"' in (run_dir / "events.jsonl").read_text())
    second = DaemonProcess(state_dir)
    wait_until(lambda: finished(stub, order))
    second.terminate()
    check_reports_are_whole(stub, order)


def test_a_child_that_is_gone_without_a_result_is_reported_errored(
    stub: ConsoleStub, tmp_path: Path
) -> None:
    state_dir = tmp_path / "state"
    enrolled(state_dir, stub.url)
    order = run_marked(stub, tmp_path / "marks", crash=True)
    daemon = DaemonProcess(state_dir)
    wait_until(lambda: finished(stub, order))
    daemon.terminate()
    end = stub.reports_of(order.work_id)[-1]
    assert end.outcome == "errored"
    assert "without a result (killed by signal 9)" in end.message


def test_sigterm_leaves_the_run_going_and_the_next_start_adopts_it(
    stub: ConsoleStub, tmp_path: Path
) -> None:
    state_dir, marks = tmp_path / "state", tmp_path / "marks"
    enrolled(state_dir, stub.url)
    order = run_marked(stub, marks, seconds=2)
    first = DaemonProcess(state_dir)
    wait_until(marks.exists)
    assert first.terminate() == 0
    assert not finished(stub, order)
    second = DaemonProcess(state_dir)
    wait_until(lambda: finished(stub, order))
    second.terminate()
    check_reports_are_whole(stub, order)


def test_a_console_that_stops_in_the_middle_gets_every_report_when_it_is_back(
    tmp_path: Path,
) -> None:
    stub = ConsoleStub()
    server = StubServer(stub)
    state_dir, marks = tmp_path / "state", tmp_path / "marks"
    enrolled(state_dir, server.url)
    order = run_marked(stub, marks, seconds=0.5)
    daemon = DaemonProcess(state_dir)
    wait_until(lambda: bool(stub.claimed))
    server.close()
    wait_until(marks.exists)
    server = StubServer(stub, int(server.url.rpartition(":")[2]))
    wait_until(lambda: finished(stub, order), 40)
    daemon.terminate()
    server.close()
    check_reports_are_whole(stub, order)


@pytest.mark.parametrize("path", ["claim", "reports"])
def test_a_lost_reply_loses_nothing_and_runs_nothing_twice(
    stub: ConsoleStub, tmp_path: Path, path: str
) -> None:
    state_dir, marks = tmp_path / "state", tmp_path / "marks"
    enrolled(state_dir, stub.url)
    stub.drop_replies[path] = 2
    order = run_marked(stub, marks)
    daemon = DaemonProcess(state_dir)
    wait_until(lambda: finished(stub, order))
    daemon.terminate()
    assert marks.read_text().count("\n") == 1
    check_reports_are_whole(stub, order)


def test_a_scan_order_that_was_cut_short_is_done_again_and_reported_once(
    stub: ConsoleStub, tmp_path: Path
) -> None:
    state_dir = tmp_path / "state"
    enrolled(state_dir, stub.url)
    order = stub.order(lane="quick", kind="inventory.scan")
    first = DaemonProcess(state_dir)
    wait_until(lambda: stub.claimed)
    first.kill()
    second = DaemonProcess(state_dir)
    wait_until(lambda: finished(stub, order))
    second.terminate()
    kinds = [report.kind for report in stub.reports_of(order.work_id)]
    assert kinds == ["started", "finished"]
    assert stub.reports_of(order.work_id)[-1].outcome == "succeeded"
