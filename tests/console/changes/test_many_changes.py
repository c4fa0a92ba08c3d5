"""Ten thousand changes on both databases: paging, indexes, and the chores of every half minute."""

import pytest

from tests.support.race import run_once

pytestmark = pytest.mark.integration
MANY = "tests.support.changes_many"
COUNT = 10_000


@pytest.fixture(scope="module")
def full(race_database: str) -> str:
    """A database with that many."""
    run_once(race_database, f"{MANY}:fill", COUNT)
    return race_database


@pytest.mark.parametrize("query", ["", "ordering=host", "ordering=-requested_by_name"])
def test_every_change_is_on_exactly_one_page(full: str, query: str) -> None:
    """Whichever the order, though all are of one host and one person."""
    rows, different, queries = run_once(full, f"{MANY}:read_all", query)
    assert (rows, different) == (COUNT, COUNT)
    assert queries <= 6


def test_search_finds_domains_in_parameters(full: str) -> None:
    """A seventh of them, planned or not."""
    rows, _, _ = run_once(full, f"{MANY}:read_all", "search=ldg3")
    assert rows == sum(number % 7 == 3 for number in range(COUNT))


@pytest.mark.parametrize("state", ["", "failed", "planned"])
def test_a_page_is_read_by_an_index(full: str, state: str) -> None:
    """None reads and sorts the whole table."""
    plan = run_once(full, f"{MANY}:explained", state)
    assert "change_created" in plan or "change_state" in plan, plan
    assert "Seq Scan" not in plan
    assert "TEMP B-TREE" not in plan


def test_the_chores_read_little_and_move_what_has_to(full: str) -> None:
    """Nothing where nothing is due; then the two whose approval expired."""
    *moved, queries = run_once(full, f"{MANY}:chores")
    assert (moved, queries) == ([0, 0, 0], 5)
    lapsed = run_once(full, f"{MANY}:lapse")
    assert lapsed == {"moved": 2, "states": ["awaiting_approval"]}
