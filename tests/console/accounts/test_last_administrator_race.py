"""However many demote administrators at once, one stays; on both databases."""

import pytest

from tests.support.race import race, run_once

pytestmark = pytest.mark.integration
RACE = "tests.support.users_race"


def test_one_administrator_is_left(race_database: str) -> None:
    """Each process demotes all of them, in the same order."""
    ids = run_once(race_database, f"{RACE}:administrators_make", 6)
    race(race_database, f"{RACE}:administrators_demote", ids, processes=3)
    assert run_once(race_database, f"{RACE}:administrators_count") == 1
