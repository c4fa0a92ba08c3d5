"""Ids: UUID version 7, in the order of their making."""

import threading
import time
import uuid

import pytest

from console.core.ids import uuid7


def test_an_id_is_a_version_7_uuid_of_now() -> None:
    """RFC 9562 section 5.7: the first 48 bits are Unix milliseconds."""
    before = time.time_ns() // 1_000_000
    made = uuid7()
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert before - 1 <= made.int >> 80 <= time.time_ns() // 1_000_000 + 1


def test_ids_are_ordered_as_they_are_made() -> None:
    """Also many within one millisecond."""
    made = [uuid7() for _ in range(5000)]
    assert made == sorted(made)
    assert len(set(made)) == 5000


def test_a_clock_that_goes_back_does_not_turn_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time servers do that."""
    first = uuid7()
    monkeypatch.setattr("console.core.ids.time.time_ns", lambda: 0)
    assert uuid7() > first


def test_threads_never_get_the_same_moment() -> None:
    """The first 76 bits differ."""
    made: list[int] = []
    threads = [
        threading.Thread(target=lambda: made.extend(uuid7().int >> 64 for _ in range(500)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 2000
