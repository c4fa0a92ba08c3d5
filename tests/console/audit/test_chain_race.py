"""The chain stays whole when several processes append at once, on both databases."""

from pathlib import Path

import pytest

from tests.support.race import migrate, race, run_once

pytestmark = pytest.mark.integration
PROCESSES, EACH = 4, 25


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty, migrated database that several processes can use."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'race.sqlite3'}"
    else:
        url = request.getfixturevalue("postgres_database")
    migrate(url)
    return url


def test_concurrent_appends_make_one_whole_chain(database: str) -> None:
    """No number twice, none left out, each row bound to the one before it."""
    done = race(database, "tests.support.audit_race:record_many", EACH, processes=PROCESSES)
    assert sum(done) == PROCESSES * EACH
    verdict = run_once(database, "tests.support.audit_race:verify")
    assert verdict == {"count": PROCESSES * EACH, "broken": []}


def test_the_database_refuses_to_change_a_row(database: str) -> None:
    """Whoever asks: here plain SQL."""
    run_once(database, "tests.support.audit_race:record_many", 1)
    assert "never changed" in run_once(database, "tests.support.audit_race:tamper")
