"""A job's process: its events, and its end by cancel, deadline, defect or crash."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from agents.daemon import carry_out_job
from agents.executors.events import EventTail, EventWriter
from agents.executors.processtree import identify
from agents.journal import JournalEntry
from agents.wire.work import Report, WorkOrder
from agents.worker.core import Core, HeldWork
from agents.worker.runs import was_started
from tests.agents.support.daemons import wait_until


def order_of(nonce: str = "n1", *, deadline_seconds: int = 60, **parameters: Any) -> WorkOrder:
    return WorkOrder(
        work_id="w1", kind="job.run", lane="work", nonce=nonce, deadline_seconds=deadline_seconds,
        parameters={"workload": "test.marker", "parameters": parameters},
    )  # fmt: skip


def carry_out(core: Core, held: HeldWork) -> list[Report]:
    entry = JournalEntry(nonce=held.order.nonce, lane="work", order=held.order)
    assert carry_out_job(core, held, entry)
    return core.outbox.batch()


def run(core: Core, order: WorkOrder) -> list[Report]:
    return carry_out(core, core.hold(order))


def test_started_comes_first_and_finished_last_with_result(core: Core) -> None:
    reports = run(core, order_of(samples=2))
    kinds = [report.kind for report in reports]
    assert kinds == ["started", "output", "sample", "output", "sample", "finished"]
    assert (reports[-1].outcome, reports[-1].message) == ("succeeded", "Done.")


def test_a_refusal_of_the_host_is_failed_with_the_workloads_sentence(core: Core) -> None:
    end = run(core, order_of(refuse=True))[-1]
    assert (end.outcome, end.message) == ("failed", "This host lacks what it takes.")


def test_an_unknown_workload_is_failed_with_what_the_agent_knows(core: Core) -> None:
    order = WorkOrder(
        work_id="w", kind="job.run", lane="work", nonce="n", parameters={"workload": "x.y"}
    )
    end = run(core, order)[-1]
    assert end.outcome == "failed"
    assert "does not know the workload 'x.y'" in end.message


def test_a_defect_of_the_workload_is_errored_and_named(core: Core) -> None:
    end = run(core, order_of(defect=True))[-1]
    assert end.outcome == "errored"
    assert "ZeroDivisionError: one over nothing" in end.message


def test_a_crash_is_errored_with_the_signal(core: Core) -> None:
    end = run(core, order_of(samples=1, crash=True))[-1]
    assert end.outcome == "errored"
    assert "killed by signal 9" in end.message


def cancelled_after_start(core: Core, held: HeldWork, ready: Path) -> tuple[list[Report], float]:
    times: list[float] = []

    def cancel() -> None:
        wait_until(ready.exists)
        times.append(time.monotonic())
        held.stop("Cancelled on request.")

    thread = threading.Thread(target=cancel)
    thread.start()
    reports = carry_out(core, held)
    thread.join()
    return reports, time.monotonic() - times[0]


@pytest.mark.parametrize("how", ["seconds", "stubborn"])
def test_cancel_ends_the_whole_group_within_two_seconds(
    core: Core, tmp_path: Path, how: str
) -> None:
    marks = tmp_path / "marks"
    held = core.hold(order_of(marks=str(marks), samples=1, **{how: 60}))
    reports, seconds = cancelled_after_start(core, held, marks)
    assert seconds < 2
    assert reports[-1].outcome == "cancelled"
    assert reports[-1].message.startswith("Cancelled on request")
    assert [report.kind for report in reports].count("sample") == 1
    assert identify(int(marks.read_text())) is None


def test_cancel_also_ends_what_left_the_session(core: Core, tmp_path: Path) -> None:
    escapee = tmp_path / "escapee"
    held = core.hold(order_of(escapee=str(escapee), seconds=60))
    _, seconds = cancelled_after_start(core, held, escapee)
    assert seconds < 2
    assert identify(int(escapee.read_text())) is None


def test_what_a_finished_run_leaves_running_is_ended(core: Core, tmp_path: Path) -> None:
    escapee = tmp_path / "escapee"
    end = run(core, order_of(escapee=str(escapee)))[-1]
    assert end.outcome == "succeeded"
    assert identify(int(escapee.read_text())) is None


def test_the_job_keeps_its_deadline_itself(core: Core) -> None:
    end = run(core, order_of(deadline_seconds=1, seconds=60))[-1]
    assert end.outcome == "failed"
    assert "limit of 1 s" in end.message


def test_a_job_that_ignores_its_deadline_is_ended_from_outside(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.worker.runs.DEADLINE_MARGIN_SECONDS", 0.5)
    started = time.monotonic()
    end = run(core, order_of(deadline_seconds=1, stubborn=True))[-1]
    assert end.outcome == "failed"
    assert "limit of 1 s and ended" in end.message
    assert time.monotonic() - started < 5


def test_a_directory_is_run_once_even_if_asked_twice(core: Core, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    order = order_of(marks=str(marks))
    run(core, order)
    core.outbox.forget(order.nonce)
    reports = run(core, order)
    assert marks.read_text().count("\n") == 1
    assert reports[-1].outcome == "succeeded"


def test_an_order_counts_as_started_by_what_its_process_left(core: Core) -> None:
    order = order_of()
    entry = JournalEntry(nonce=order.nonce, lane="work", order=order)
    assert not was_started(core, entry)
    run(core, order)
    core.outbox.forget(order.nonce)
    assert was_started(core, entry)


def test_output_beyond_the_runs_cap_is_cut_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.executors.events.OUTPUT_CAP_CHARACTERS", 100)
    writer = EventWriter(tmp_path / "e")
    for _ in range(5):
        writer.output("x" * 40, "stdout")
    events = list(EventTail(tmp_path / "e", skip=0).read())
    texts = [event.fields["text"] for event in events if event.fields]
    assert [len(text) for text in texts[:-1]] == [40, 40, 20]
    assert "the rest of its output is not kept" in texts[-1]
    assert [event.fields["chunk"] for event in events if event.fields] == [0, 1, 2, 3]


def test_a_torn_event_waits_for_its_end_and_a_damaged_one_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "e"
    path.write_bytes(b'{"kind":"progress"}\nrubbish\n{"kind":"fin')
    tail = EventTail(path, skip=0)
    assert [(event.number, event.fields is None) for event in tail.read()] == [
        (1, False),
        (2, True),
    ]
    with path.open("ab") as stream:
        stream.write(b'ished"}\n')
    assert [event.is_finished for event in tail.read()] == [True]
    assert [event.number for event in EventTail(path, skip=2).read()] == [3]
