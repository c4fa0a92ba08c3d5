"""The states of changes: the table whole, and every move through the one function."""

import itertools

import pytest

from console.changes.enums import CHANGE_TRANSITIONS, TERMINAL, ChangeState
from console.changes.models import Change
from console.changes.states import change_move
from tests.console.changes.cast import ChangesTestCase

S = ChangeState


class MoveTests(ChangesTestCase):
    """change_move"""

    def test_exactly_what_the_table_allows_is_done(self) -> None:
        """Every pair of states."""
        change = self.asked()
        for source, target in itertools.product(ChangeState, ChangeState):
            Change.objects.filter(pk=change.pk).update(state=source)
            change.refresh_from_db()
            moved = change_move(change, target)
            assert moved is CHANGE_TRANSITIONS.allows(source, target), (source, target)
            assert change.state == (target if moved else source)

    def test_an_end_has_its_time(self) -> None:
        """Also where nothing else is written."""
        change = self.asked()
        assert change_move(change, S.CANCELLED)
        assert change.finished_at is not None


def test_the_ends_are_those_of_the_design() -> None:
    assert {S.SUCCEEDED, S.FAILED, S.ROLLED_BACK, S.CANCELLED, S.EXPIRED} == TERMINAL


@pytest.mark.parametrize("state", sorted(set(ChangeState) - {S.DRAFT}))
def test_every_state_can_be_reached(state: ChangeState) -> None:
    reached, new = {S.DRAFT}, {S.DRAFT}
    while new:
        new = {target for source in new for target in CHANGE_TRANSITIONS.targets(source)} - reached
        reached |= new
    assert state in reached
