"""Transition tables and the one compare-and-set."""

from enum import Enum

import pytest

from console.accounts.enums import Role
from console.accounts.models import User
from console.core.errors import StateConflict
from console.core.transitions import TransitionTable, compare_and_set, transition_or_conflict

# Any column with an enum will do: here a user's role stands for a state.
TABLE = TransitionTable(
    "user",
    Role,
    {
        Role.VIEWER: {Role.OPERATOR},
        Role.OPERATOR: {Role.APPROVER, Role.ADMINISTRATOR},
        Role.APPROVER: {Role.ADMINISTRATOR},
        Role.ADMINISTRATOR: set(),
    },
)


@pytest.fixture
def user(db: None) -> User:
    """Somebody in the first state."""
    return User.objects.create(username="vera", role=Role.VIEWER)


def test_a_table_answers_in_both_directions() -> None:
    """What may follow, and what it may follow."""
    assert TABLE.allows(Role.VIEWER, Role.OPERATOR)
    assert not TABLE.allows(Role.OPERATOR, Role.VIEWER)
    assert TABLE.targets(Role.APPROVER) == {Role.ADMINISTRATOR}
    assert TABLE.sources(Role.ADMINISTRATOR) == {Role.OPERATOR, Role.APPROVER}
    assert TABLE.terminal == {Role.ADMINISTRATOR}


def test_a_table_that_forgets_a_state_is_refused() -> None:
    """When the module is imported, not when the state is reached."""

    class Two(Enum):
        A = "a"
        B = "b"

    with pytest.raises(ValueError, match="no entry for"):
        TransitionTable("two", Two, {Two.A: {Two.B}})


def test_only_the_first_of_two_callers_makes_the_change(user: User) -> None:
    """The second finds the row in another state."""
    change = (User, user.pk, {Role.VIEWER}, Role.OPERATOR)
    first = compare_and_set(*change, field="role", email="a@example.org")
    second = compare_and_set(*change, field="role", email="b@example.org")
    assert (first, second) == (True, False)
    changed = User.objects.get()
    assert (changed.role, changed.email) == ("operator", "a@example.org")
    assert changed.updated_at > user.updated_at


def test_a_transition_that_the_table_lacks_is_a_conflict(user: User) -> None:
    """Which says what the state is."""
    with pytest.raises(StateConflict) as caught:
        transition_or_conflict(TABLE, User, user.pk, Role.ADMINISTRATOR, field="role")
    assert caught.value.code == "user.state"
    assert caught.value.extra == {"state": "viewer", "wanted": "administrator"}


def test_a_caller_may_narrow_the_sources_but_not_widen_them(user: User) -> None:
    """The table has the last word."""
    with pytest.raises(StateConflict):
        transition_or_conflict(
            TABLE, User, user.pk, Role.OPERATOR, field="role", from_states={Role.APPROVER}
        )
    transition_or_conflict(TABLE, User, user.pk, Role.OPERATOR, field="role")
    assert User.objects.get().role == "operator"


def test_a_row_that_is_gone_is_a_conflict(db: None) -> None:
    """Said so."""
    with pytest.raises(StateConflict, match="is gone"):
        transition_or_conflict(TABLE, User, User().pk, Role.OPERATOR, field="role")
