"""The outbox: numbers that never go back, replay until acknowledged, bounded disk."""

import threading
from pathlib import Path

import pytest

from agents.outbox import BATCH_BYTES, Outbox, RunPosition
from agents.wire.work import Report, ReportKind

LIMIT = 64 << 20


def report(kind: str = "output", *, text: str = "", chunk: int = 0, run: str = "n1") -> Report:
    return Report(
        seq=0, kind=kind, work_id=f"w-{run}", nonce=run, at="2026-01-02T03:04:05Z",
        chunk=chunk, text=text,
    )  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "outbox.jsonl"


def opened(path: Path, limit: int = LIMIT) -> Outbox:
    return Outbox(path, max_bytes=limit)


def seqs(outbox: Outbox) -> list[int]:
    return [report.seq for report in outbox.batch()]


def test_reports_come_back_in_order_and_whole(path: Path) -> None:
    outbox = opened(path)
    for number in range(3):
        outbox.append(report(text=f"{number} ünï\n"))
    assert [(r.seq, r.text) for r in outbox.batch()] == [
        (1, "0 ünï\n"),
        (2, "1 ünï\n"),
        (3, "2 ünï\n"),
    ]


def test_what_is_not_acknowledged_is_replayed_after_a_restart(path: Path) -> None:
    outbox = opened(path)
    for _ in range(4):
        outbox.append(report())
    outbox.acknowledge(2)
    assert seqs(outbox) == seqs(opened(path)) == [3, 4]


def test_numbers_go_on_after_everything_was_acknowledged_and_restarted(path: Path) -> None:
    outbox = opened(path)
    for _ in range(3):
        outbox.append(report())
    outbox.acknowledge(3)
    assert opened(path).append(report()) == 4


def test_numbers_go_on_after_compaction(path: Path) -> None:
    outbox = opened(path)
    for _ in range(40):
        outbox.append(report(text="x" * 60_000))
    outbox.acknowledge(40)
    assert path.stat().st_size < 1000
    assert opened(path).append(report()) == 41


def test_killed_at_any_byte_numbers_and_reports_stay_whole(path: Path) -> None:
    outbox = opened(path)
    for number in range(3):
        outbox.append(report(text=str(number)), event=number + 1)
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        lines = whole[:length].count(b"\n")
        torn = opened(path)
        assert [r.text for r in torn.batch()] == [str(n) for n in range(lines)]
        assert torn.position("n1").events == lines
        assert torn.append(report(text="next")) == lines + 1


def test_a_batch_is_bounded_in_number_and_size(path: Path) -> None:
    outbox = opened(path)
    for _ in range(600):
        outbox.append(report())
    assert len(outbox.batch()) == 500
    assert len(outbox.batch(7)) == 7
    outbox.acknowledge(600)
    for _ in range(4):
        outbox.append(report(text="x" * (BATCH_BYTES // 3)))
    assert len(outbox.batch()) == 2


def test_one_report_larger_than_a_batch_still_leaves(path: Path) -> None:
    outbox = opened(path)
    outbox.append(report(text="x" * (BATCH_BYTES + 1)))
    assert len(outbox.batch()) == 1


def test_the_position_of_a_run_survives_acknowledgement_and_compaction(path: Path) -> None:
    outbox = opened(path)
    outbox.append(report("started"))
    outbox.append(report("output", text="x" * 3_000_000), event=1)
    outbox.append(report("finished"), event=2)
    outbox.acknowledge(3)
    expected = RunPosition(is_started=True, events=2, is_finished=True)
    assert outbox.position("n1") == opened(path).position("n1") == expected


def test_a_forgotten_run_is_forgotten_after_a_restart_too(path: Path) -> None:
    outbox = opened(path)
    outbox.append(report("started"))
    outbox.forget("n1")
    assert opened(path).position("n1") == RunPosition()


def test_beyond_the_limit_the_oldest_output_goes_and_a_report_says_so(path: Path) -> None:
    outbox = opened(path, 1 << 20)
    outbox.append(report("started"))
    for number in range(120):
        outbox.append(report(text="y" * 10_000, chunk=number))
    outbox.append(report("finished"))
    reports = outbox.batch()
    assert path.stat().st_size <= (1 << 20) + 20_000
    assert (reports[0].kind, reports[-1].kind) == ("started", "finished")
    assert (reports[1].seq, reports[1].chunk, reports[1].stream) == (2, 0, "stderr")
    assert "pieces of output" in reports[1].text
    kept = [r for r in reports if r.text.startswith("y")]
    assert f"{120 - len(kept)} pieces of output" in reports[1].text
    assert kept[-1].chunk == 119


def test_samples_and_ends_are_kept_beyond_the_limit(path: Path) -> None:
    outbox = opened(path, 1 << 20)
    for number in range(30):
        outbox.append(report("finished", text="z" * 60_000, run=f"n{number}"))
    outbox.append(report(text="y" * 400_000))
    kinds = [item.kind for item in outbox.batch(1000)]
    outbox.acknowledge(len(kinds))
    assert ReportKind.OUTPUT not in kinds
    assert outbox.pending_count() == 31 - len(kinds)


def test_numbers_stay_ascending_after_dropping(path: Path) -> None:
    outbox = opened(path, 1 << 20)
    for number in range(300):
        outbox.append(report(text="y" * 10_000, chunk=number, run=f"n{number % 3}"))
    numbers = seqs(outbox)
    assert numbers == sorted(set(numbers))
    assert opened(path).append(report()) == 301


def test_a_console_that_knows_more_than_we_do_moves_our_numbers_on(path: Path) -> None:
    outbox = opened(path)
    outbox.append(report(text="a"))
    outbox.append(report(text="b"))
    outbox.acknowledge(50)
    assert [(r.seq, r.text) for r in outbox.batch()] == [(51, "a"), (52, "b")]
    assert opened(path).append(report()) == 53


def test_a_refused_report_can_be_replaced_or_dropped(path: Path) -> None:
    outbox = opened(path)
    for text in "abc":
        outbox.append(report(text=text))
    outbox.substitute(2, report(text="better"))
    outbox.substitute(1, None)
    assert [(r.seq, r.text) for r in outbox.batch()] == [(2, "better"), (3, "c")]


def test_waiting_ends_with_a_report_and_with_the_end(path: Path) -> None:
    outbox = opened(path)
    assert not outbox.wait(0.01, lambda: False)
    threading.Timer(0.05, lambda: outbox.append(report())).start()
    assert outbox.wait(10, lambda: False)
    assert not outbox.wait(10, lambda: True)
