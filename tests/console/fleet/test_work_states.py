"""The table of claimable work: every pair of states, by the table and by the database."""

import itertools

import pytest
from django.test import TestCase

from console.core.transitions import compare_and_set
from console.fleet.enums import WorkState
from console.fleet.work_states import ACTIVE, FINAL_BY_AGENT, OPEN, TERMINAL, WORK_TRANSITIONS
from console.jobs.models import JobRun
from tests.console.jobs.cast import job_made, run_of
from tests.support.hosts import host_enrolled

ALLOWED = {
    "queued": {"claimed", "cancelled", "expired"},
    "claimed": {"running", "succeeded", "failed", "errored", "cancelled", "lost"},
    "running": {"succeeded", "failed", "errored", "cancelled", "lost"},
    "lost": {"claimed", "running", "succeeded", "failed", "errored", "cancelled"},
    "succeeded": set(),
    "failed": set(),
    "errored": set(),
    "cancelled": set(),
    "expired": set(),
}
PAIRS = list(itertools.product(WorkState, WorkState))


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda state: state.value)
def test_every_pair_of_states_is_allowed_or_not_as_designed(
    source: WorkState, target: WorkState
) -> None:
    assert WORK_TRANSITIONS.allows(source, target) == (target.value in ALLOWED[source.value])


def test_the_sets_of_states_agree_with_the_table() -> None:
    assert FINAL_BY_AGENT | {WorkState.EXPIRED} == TERMINAL
    assert set(WorkState) - TERMINAL == OPEN
    assert {WorkState.QUEUED, WorkState.LOST} == OPEN - ACTIVE


def test_what_an_agent_may_finish_is_what_it_holds_or_lost() -> None:
    for final in FINAL_BY_AGENT - {WorkState.CANCELLED}:
        assert WORK_TRANSITIONS.sources(final) == ACTIVE | {WorkState.LOST}


class DatabaseTests(TestCase):
    """The same pairs through the conditional UPDATE."""

    def test_the_database_moves_exactly_along_the_table(self) -> None:
        """Every pair, each from its own source state."""
        run = run_of(job_made(host_enrolled("alpha").row))
        for source, target in PAIRS:
            JobRun.objects.filter(pk=run.pk).update(state=source)
            moved = compare_and_set(JobRun, run.pk, WORK_TRANSITIONS.sources(target), target)
            assert moved == (target.value in ALLOWED[source.value]), (source, target)
