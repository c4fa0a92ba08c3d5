"""Snapshots of one host at the same moment, and machines with one token; on both databases."""

import pytest

from tests.support.hosts_race import ROUNDS
from tests.support.race import race, run_once

pytestmark = pytest.mark.integration
RACE = "tests.support.hosts_race"


def test_snapshots_of_one_host_are_ingested_one_after_the_other(race_database: str) -> None:
    host_id = run_once(race_database, f"{RACE}:host_make")
    news = race(race_database, f"{RACE}:facts_ingest", host_id, processes=3)
    units, mechanisms, snapshots = run_once(race_database, f"{RACE}:state_of", host_id)
    assert (units, mechanisms) in {(1, 10), (2, 20)}, "rows of two snapshots are mixed"
    assert snapshots == sum(news) <= 3 * ROUNDS


def test_a_token_never_lets_in_more_machines_than_it_says(race_database: str) -> None:
    secret = run_once(race_database, f"{RACE}:token_make", 5)
    let_in = race(race_database, f"{RACE}:token_use", secret, processes=4)
    assert sum(let_in) == 5
    assert run_once(race_database, f"{RACE}:token_uses") == [5]
