"""Ten administrators change one host at once: real processes, on both databases."""

import pytest

from tests.support.race import race, run_once

pytestmark = pytest.mark.integration
RACE = "tests.support.changes_race"
ADMINS = 10


@pytest.fixture(scope="module")
def host_id(race_database: str) -> str:
    """The host that they change."""
    return str(run_once(race_database, f"{RACE}:admins_make"))


def test_one_change_is_approved_applied_and_claimed_once(race_database: str, host_id: str) -> None:
    """Whoever of the ten is first."""
    change = run_once(race_database, f"{RACE}:change_make", host_id)
    acts = ["approve", "apply", "claim"]
    done = race(race_database, f"{RACE}:admin_acts", change, acts, processes=ADMINS)
    assert {name: sum(name in one for one in done) for name in acts} == dict.fromkeys(acts, 1)
    assert run_once(race_database, f"{RACE}:standing", change) == {
        "state": "claimed",
        "approvals": 1,
        "approved": 1,
        "applied": 1,
        "runs": 1,
    }


def test_planned_anew_and_cancelled_meanwhile_nothing_is_half_done(
    race_database: str, host_id: str
) -> None:
    """Nobody meets a deadlock; what is told as done stands in the database and in the audit."""
    change = run_once(race_database, f"{RACE}:change_make", host_id)
    acts = ["approve", "apply", "plan", "cancel"]
    done = race(race_database, f"{RACE}:admin_acts", change, acts, processes=ADMINS)
    stands = run_once(race_database, f"{RACE}:standing", change)
    assert stands["state"] == "cancelled"
    assert sum("apply" in one for one in done) == stands["applied"] == stands["runs"]
    assert sum("approve" in one for one in done) == stands["approvals"] == stands["approved"]
    assert run_once(race_database, f"{RACE}:audit_is_whole") is True


def test_all_that_is_asked_of_one_host_at_once_is_kept(race_database: str, host_id: str) -> None:
    """Fifty changes from ten people, each with its place in the audit."""
    ids = race(race_database, f"{RACE}:admin_asks", host_id, processes=ADMINS)
    made = {pk for some in ids for pk in some}
    assert len(made) == 5 * ADMINS
    assert run_once(race_database, f"{RACE}:audit_is_whole") is True


def test_one_request_sent_ten_times_at_once_makes_one_change(
    race_database: str, host_id: str
) -> None:
    """Each gets the same reply."""
    arguments = [host_id, "one-key", "admin1"]
    ids = race(race_database, f"{RACE}:admin_sends_again", *arguments, processes=ADMINS)
    assert len(set(ids)) == 1
    assert run_once(race_database, f"{RACE}:audit_is_whole") is True
