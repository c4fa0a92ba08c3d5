"""The chain stays whole when several processes append at once, on both databases."""

import pytest

from tests.support.race import race, run_once

pytestmark = pytest.mark.integration
RACE = "tests.support.audit_race"
PROCESSES, EACH = 3, 25


def test_concurrent_appends_make_one_whole_chain(race_database: str) -> None:
    """No number twice, none left out, each row bound to the one before it."""
    before = run_once(race_database, f"{RACE}:verify")["count"]
    done = race(race_database, f"{RACE}:record_many", EACH, processes=PROCESSES)
    assert sum(done) == PROCESSES * EACH
    verdict = run_once(race_database, f"{RACE}:verify")
    assert verdict == {"count": before + PROCESSES * EACH, "broken": []}


def test_the_database_refuses_to_change_a_row(race_database: str) -> None:
    """Whoever asks: here plain SQL."""
    run_once(race_database, f"{RACE}:record_many", 1)
    assert "never changed" in run_once(race_database, f"{RACE}:tamper")
