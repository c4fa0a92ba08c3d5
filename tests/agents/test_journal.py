"""The journal: what survives a restart, a torn line and compaction."""

import os
from pathlib import Path

from agents.executors.processtree import ProcessIdentity
from agents.journal import COMPACT_FROM_LINES, Journal
from agents.wire.work import WorkOrder

CHILD = ProcessIdentity(pid=4711, start_time="boot:99")


def order_of(nonce: str) -> WorkOrder:
    return WorkOrder(
        work_id=f"work-{nonce}", kind="job.run", lane="work", nonce=nonce, parameters={"a": [1]}
    )


def reopened(path: Path) -> Journal:
    return Journal(path)


def test_a_nonce_is_on_disk_before_it_is_returned(tmp_path: Path) -> None:
    nonce = Journal(tmp_path / "j").new_nonce("work")
    assert nonce in (tmp_path / "j").read_text()
    assert [entry.nonce for entry in reopened(tmp_path / "j").entries()] == [nonce]


def test_order_and_child_survive_a_restart(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    nonce = journal.new_nonce("work")
    journal.claimed(nonce, order_of(nonce))
    journal.started(nonce, CHILD, 12.5)
    (entry,) = reopened(tmp_path / "j").entries()
    assert (entry.order, entry.child, entry.started_at) == (order_of(nonce), CHILD, 12.5)


def test_what_is_closed_is_gone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    first, second = journal.new_nonce("work"), journal.new_nonce("quick")
    journal.close_entry(first)
    assert [entry.nonce for entry in reopened(tmp_path / "j").entries()] == [second]


def test_killed_at_any_byte_the_journal_holds_a_state_that_was(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = Journal(path)
    states = [journal.entries()]
    nonce = journal.new_nonce("work")
    states.append(journal.entries())
    journal.claimed(nonce, order_of(nonce))
    states.append(journal.entries())
    journal.started(nonce, CHILD, 1.0)
    states.append(journal.entries())
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        assert reopened(path).entries() == states[whole[:length].count(b"\n")]


def test_a_line_after_a_torn_one_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "j"
    first = Journal(path).new_nonce("work")
    with path.open("ab") as stream:
        stream.write(b'{"nonce": "to')
    second = reopened(path).new_nonce("quick")
    assert [entry.nonce for entry in reopened(path).entries()] == [first, second]


def test_a_damaged_line_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "j"
    first = Journal(path).new_nonce("work")
    with path.open("ab") as stream:
        stream.write(b'\x00\x00rubbish\n{"order": 1}\n')
    assert [entry.nonce for entry in reopened(path).entries()] == [first]


def test_compaction_keeps_what_is_open_and_only_that(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = Journal(path)
    kept = journal.new_nonce("work")
    journal.claimed(kept, order_of(kept))
    journal.started(kept, CHILD, 3.0)
    before = journal.entries()
    for _ in range(COMPACT_FROM_LINES):
        journal.close_entry(journal.new_nonce("quick"))
    assert path.read_bytes().count(b"\n") < COMPACT_FROM_LINES
    assert reopened(path).entries() == journal.entries() == before


def test_the_journal_is_private(tmp_path: Path) -> None:
    Journal(tmp_path / "j").new_nonce("work")
    assert os.stat(tmp_path / "j").st_mode & 0o777 == 0o600
