"""The chores: comparing, pruning, reaping with patience after a start."""

import time
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.conf import settings
from django.test import TestCase
from django.utils import timezone

from agents.wire.work import ReportKind
from console.core.beat import beat_schedule_collect
from console.core.pulse import WEB_STALE_SECONDS, Pulse, pulse_write
from console.core.redis import redis_client
from console.fleet.enums import WorkState
from console.fleet.pulse import WATCH_KEY, watch_restart
from console.jobs.comparing import run_compare
from console.jobs.models import Comparison, Job, JobRun, OutputChunk
from console.jobs.pruning import output_prune
from console.jobs.tasks import (
    BEAT_SCHEDULE,
    leases_may_be_reaped,
    runs_compare_task,
    work_reap_task,
)
from tests.console.jobs.cast import FakeAgent, job_made
from tests.console.jobs.samples import sample_data
from tests.support.hosts import host_enrolled


class CompareTests(TestCase):
    """Comparisons of a run with one measured cell."""

    def setUp(self) -> None:
        """Begin a run and measure."""
        alpha = host_enrolled("alpha").row
        job_made(alpha)
        self.agent = FakeAgent(alpha)
        self.order = self.agent.begin()
        self.measure(5)

    def measure(self, pairs: int) -> None:
        """Report so many pairs of one cell."""
        values = [(n, v) for n in range(pairs) for v in ("software", "accelerated")]
        made = [
            sample_data(
                variant=v, round=n, value=1e8 * (5 if v == "accelerated" else 1), position=i
            )
            for i, (n, v) in enumerate(values)
        ]
        self.agent.send(*self.agent.samples(self.order, made))

    def test_a_run_that_is_not_over_is_left_alone(self) -> None:
        assert run_compare(run_id=JobRun.objects.get().pk) == 0

    def test_comparing_twice_gives_the_same_once(self) -> None:
        self.agent.send(self.agent.finished(self.order))
        run_id = JobRun.objects.get().pk
        assert run_compare(run_id=run_id) == run_compare(run_id=run_id) == 1
        comparison = Comparison.objects.get()
        assert (comparison.verdict, comparison.ratio) == ("faster", pytest.approx(5.0))
        assert JobRun.objects.get().sentence == comparison.sentence

    def test_what_was_measured_before_a_failure_is_compared_too(self) -> None:
        self.agent.send(self.agent.finished(self.order, "failed"))
        assert run_compare(run_id=JobRun.objects.get().pk) == 1

    def test_late_samples_make_the_comparison_due_again(self) -> None:
        self.agent.send(self.agent.finished(self.order))
        run_compare(run_id=JobRun.objects.get().pk)
        self.measure(6)
        assert JobRun.objects.get().compared_at is None
        run_compare(run_id=JobRun.objects.get().pk)
        assert Comparison.objects.get().pairs == 6

    def test_without_a_broker_the_comparison_is_computed_at_once(self) -> None:
        with self.captureOnCommitCallbacks(execute=True):
            self.agent.send(self.agent.finished(self.order))
        assert Comparison.objects.count() == 1

    def test_a_comparison_whose_message_was_lost_is_made_up_for(self) -> None:
        self.agent.send(self.agent.finished(self.order))
        runs_compare_task()
        assert not Comparison.objects.exists()
        JobRun.objects.update(updated_at=timezone.now() - timedelta(minutes=1))
        runs_compare_task()
        assert Comparison.objects.count() == 1

    def test_a_run_that_cannot_be_compared_holds_up_no_other(self) -> None:
        self.agent.send(self.agent.finished(self.order))
        JobRun.objects.update(updated_at=timezone.now() - timedelta(minutes=1))
        Job.objects.update(workload="of.yesterday")
        runs_compare_task()
        assert JobRun.objects.get().compared_at is not None


class PruneTests(TestCase):
    """Raw output after its time."""

    def test_old_output_goes_and_samples_stay(self) -> None:
        alpha = host_enrolled("alpha").row
        job_made(alpha)
        agent = FakeAgent(alpha)
        order = agent.begin()
        sample = sample_data(variant="software", round=0, value=1.0, position=0)
        text = agent.report(order, ReportKind.OUTPUT, chunk=0, text="raw")
        agent.send(text, *agent.samples(order, [sample]), agent.finished(order))
        assert output_prune(before=timezone.now() - timedelta(days=1)) == 0
        assert output_prune(before=timezone.now() + timedelta(days=1)) == 1
        run = JobRun.objects.get()
        assert (run.is_output_pruned, run.samples.count()) == (True, 1)
        assert not OutputChunk.objects.exists()


@pytest.mark.django_db
def test_after_a_start_the_reaper_waits_one_lease(redis_url: str) -> None:
    alpha = host_enrolled("alpha").row
    job_made(alpha)
    FakeAgent(alpha).begin()
    JobRun.objects.update(lease_expires_at=timezone.now())
    pulse_write(Pulse.WEB)
    watch_restart()
    work_reap_task()
    assert JobRun.objects.get().state == WorkState.RUNNING
    _watch_for(settings.WORK_LEASE_SECONDS + 1)
    work_reap_task()
    assert JobRun.objects.get().state == WorkState.LOST


def _watch_for(seconds: float) -> None:
    redis_client().set(WATCH_KEY, time.time() - seconds)


@pytest.mark.django_db
def test_while_no_web_server_listens_nobody_is_blamed_for_silence(redis_url: str) -> None:
    _watch_for(settings.WORK_LEASE_SECONDS + 1)
    with patch("console.core.pulse.time.time", return_value=time.time() - WEB_STALE_SECONDS - 1):
        pulse_write(Pulse.WEB)
    assert not leases_may_be_reaped()
    pulse_write(Pulse.WEB)
    assert not leases_may_be_reaped()  # It listens again, but not yet for a whole lease.


def test_a_redis_that_forgot_or_does_not_answer_gives_patience(redis_url: str) -> None:
    assert not leases_may_be_reaped()


def test_without_redis_no_lease_is_reaped() -> None:
    assert not leases_may_be_reaped()


def test_every_chore_is_in_the_schedule_that_beat_collects() -> None:
    collected = beat_schedule_collect()
    assert collected.items() >= BEAT_SCHEDULE.items()
