"""Claim, renew, cancel and release of work, as an agent and an administrator see them."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.conf import settings
from django.utils import timezone

from agents.wire.names import Lane
from console.audit.models import AuditEvent
from console.core.errors import StateConflict
from console.fleet.enums import WorkState
from console.fleet.models import Host
from console.fleet.work import work_cancel, work_due, work_lane_release, work_reap, work_renew
from console.jobs.models import JobRun
from tests.console.base import ConsoleTestCase
from tests.console.jobs.cast import FakeAgent, job_made, run_of
from tests.support.hosts import host_enrolled


class WorkTestCase(ConsoleTestCase):
    """Two hosts, alpha and beta, and the agent of alpha."""

    def setUp(self) -> None:
        """Enrol them."""
        self.alpha = host_enrolled("alpha").row
        self.beta = host_enrolled("beta").row
        self.agent = FakeAgent(self.alpha)

    def state_of(self, work_id: str) -> str:
        """The state now."""
        return str(JobRun.objects.get(pk=work_id).state)

    def silence(self) -> None:
        """Let every lease run out, and reap."""
        later = timezone.now() + timedelta(seconds=settings.WORK_LEASE_SECONDS + 1)
        with patch("console.fleet.work.timezone.now", return_value=later):
            work_reap()

    def alpha_now(self) -> Host:
        """The row of alpha as it now is."""
        return Host.objects.get(pk=self.alpha.pk)


class ClaimTests(WorkTestCase):
    """Claiming."""

    def test_gives_the_oldest_order_of_the_host_and_lane(self) -> None:
        first, second = job_made(self.alpha), job_made(self.alpha)
        job_made(self.beta)
        assert self.agent.must_claim().work_id == str(run_of(first).pk)
        assert run_of(second).state == WorkState.QUEUED

    def test_the_order_carries_what_the_agent_needs(self) -> None:
        job = job_made(self.alpha, algorithms=["sha256"])
        order = self.agent.must_claim()
        assert (order.kind, order.lane) == ("job.run", "work")
        assert order.parameters == {"workload": "openssl.speed", "parameters": job.parameters}
        assert order.lease_seconds == settings.WORK_LEASE_SECONDS
        assert order.deadline_seconds > job.expected_seconds

    def test_nothing_is_due_on_the_other_lane(self) -> None:
        job_made(self.alpha)
        assert self.agent.claim(Lane.QUICK) is None

    def test_the_same_nonce_gets_the_same_order_again(self) -> None:
        job_made(self.alpha)
        job_made(self.alpha)
        order = self.agent.must_claim()
        assert self.agent.claim(nonce=order.nonce) == order
        assert JobRun.objects.filter(state=WorkState.CLAIMED).count() == 1

    def test_the_work_lane_gives_one_order_at_a_time(self) -> None:
        job_made(self.alpha)
        second = job_made(self.alpha)
        order = self.agent.begin()
        assert self.agent.claim() is None
        self.agent.send(self.agent.finished(order))
        assert self.agent.must_claim().work_id == str(run_of(second).pk)

    def test_an_order_that_is_over_is_not_given_again(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        self.agent.send(self.agent.finished(order))
        assert self.agent.claim(nonce=order.nonce) is None

    def test_an_order_that_waited_too_long_is_not_given(self) -> None:
        run = run_of(job_made(self.alpha))
        JobRun.objects.filter(pk=run.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
        assert self.agent.claim() is None

    def test_what_is_due_counts_the_queued_of_each_lane(self) -> None:
        job_made(self.alpha)
        job_made(self.alpha)
        alpha = self.alpha_now()
        with self.assertNumQueries(1):
            assert work_due(alpha) == {"work": 2}
        self.agent.begin()
        assert work_due(self.alpha_now()) == {"work": 1}


class LeaseTests(WorkTestCase):
    """Renewing, losing and regaining."""

    def test_renewing_extends_the_lease(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        JobRun.objects.update(lease_expires_at=timezone.now())
        reply = work_renew(host=self.alpha, work_id=order.work_id, nonce=order.nonce)
        assert (reply.is_held, reply.cancel_requested) == (True, False)
        lease = JobRun.objects.get().lease_expires_at
        assert lease is not None
        assert lease > timezone.now() + timedelta(seconds=settings.WORK_LEASE_SECONDS - 5)

    def test_another_nonce_is_refused(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        with pytest.raises(StateConflict) as caught:
            work_renew(host=self.alpha, work_id=order.work_id, nonce="0" * 32)
        assert caught.value.code == "work.nonce_mismatch"

    def test_work_that_is_over_unknown_or_of_another_host_is_not_held(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        self.agent.send(self.agent.finished(order))
        for host, work_id in (
            (self.alpha, order.work_id),
            (self.beta, order.work_id),
            (self.alpha, "no id"),
        ):
            assert not work_renew(host=host, work_id=work_id, nonce=order.nonce).is_held

    def test_a_silent_agent_loses_its_order_and_closes_the_lane(self) -> None:
        job_made(self.alpha)
        job_made(self.alpha)
        order = self.agent.begin()
        self.silence()
        assert self.state_of(order.work_id) == WorkState.LOST
        assert self.alpha_now().work_lane_closed_at is not None
        assert work_due(self.alpha_now()) == {}
        assert self.agent.claim() is None
        assert AuditEvent.objects.filter(verb="work.lose", object_id=order.work_id).count() == 1

    def test_a_renewal_before_the_reaper_keeps_the_order(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        work_renew(host=self.alpha, work_id=order.work_id, nonce=order.nonce)
        work_reap()
        assert self.state_of(order.work_id) == WorkState.RUNNING

    def test_a_renewal_after_the_reaper_regains_it_and_opens_the_lane(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        self.silence()
        assert work_renew(host=self.alpha, work_id=order.work_id, nonce=order.nonce).is_held
        run = JobRun.objects.get()
        assert (run.state, run.message) == (WorkState.RUNNING, "")
        assert self.alpha_now().work_lane_closed_at is None

    def test_a_lost_order_that_never_began_is_given_again_under_its_nonce(self) -> None:
        job_made(self.alpha)
        order = self.agent.must_claim()
        self.silence()
        assert self.agent.claim(nonce=order.nonce) == order
        assert self.state_of(order.work_id) == WorkState.CLAIMED

    def test_reaping_without_leases_only_expires_the_queue(self) -> None:
        late = run_of(job_made(self.alpha))
        job_made(self.beta)
        held = FakeAgent(self.beta).begin()
        JobRun.objects.filter(pk=late.pk).update(expires_at=timezone.now())
        JobRun.objects.filter(pk=held.work_id).update(lease_expires_at=timezone.now())
        assert work_reap(with_leases=False) == {"expired": 1, "lost": 0}
        assert run_of(late.job).message == "alpha did not take this order in time."
        assert self.state_of(held.work_id) == WorkState.RUNNING


class ReleaseTests(WorkTestCase):
    """An administrator gives up waiting."""

    def lose_one(self) -> str:
        """Begin an order and lose it; a second one waits. Returns the lost one's id."""
        job_made(self.alpha)
        job_made(self.alpha)
        self.order = self.agent.begin()
        self.silence()
        return self.order.work_id

    def release(self) -> None:
        """Release the lane of alpha."""
        work_lane_release(host=self.alpha, actor=self.actor(self.adam))

    def test_releasing_opens_the_lane_for_the_next_order(self) -> None:
        lost = self.lose_one()
        self.release()
        assert self.agent.must_claim().work_id != lost
        event = AuditEvent.objects.get(verb="work_lane.release")
        assert (event.actor_name, event.new) == ("adam", {"released": [lost]})

    def test_a_released_order_is_no_longer_held_nor_given_again(self) -> None:
        lost = self.lose_one()
        self.release()
        assert not work_renew(host=self.alpha, work_id=lost, nonce=self.order.nonce).is_held
        assert self.agent.claim(nonce=self.order.nonce) is None

    def test_a_late_report_of_a_released_order_still_tells_the_truth(self) -> None:
        lost = self.lose_one()
        self.release()
        self.agent.send(self.agent.finished(self.order))
        assert self.state_of(lost) == WorkState.SUCCEEDED

    def test_a_late_report_of_a_released_order_leaves_the_lane_closed_for_another(self) -> None:
        first = self.lose_one()
        self.release()
        second = self.agent.begin()
        self.silence()
        self.agent.send(self.agent.finished(self.order))
        assert self.state_of(first) == WorkState.SUCCEEDED
        assert self.state_of(second.work_id) == WorkState.LOST
        assert self.alpha_now().work_lane_closed_at is not None

    def test_an_open_lane_cannot_be_released(self) -> None:
        with pytest.raises(StateConflict) as caught:
            self.release()
        assert caught.value.code == "work_lane.open"


class CancelTests(WorkTestCase):
    """Cancelling, and what it races with."""

    def cancel(self) -> tuple[int, int]:
        """Cancel all runs."""
        return work_cancel(rows=JobRun.objects.all())

    def test_queued_work_is_cancelled_at_once(self) -> None:
        run = run_of(job_made(self.alpha))
        assert self.cancel() == (1, 0)
        assert self.state_of(str(run.pk)) == WorkState.CANCELLED
        assert self.agent.claim() is None

    def test_held_work_is_asked_to_stop_once(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        assert self.cancel() == (0, 1)
        first = JobRun.objects.get().cancel_requested_at
        assert self.cancel() == (0, 1)
        assert JobRun.objects.get().cancel_requested_at == first
        reply = work_renew(host=self.alpha, work_id=order.work_id, nonce=order.nonce)
        assert (reply.is_held, reply.cancel_requested) == (True, True)

    def test_an_agent_that_was_faster_still_succeeds(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        self.cancel()
        self.agent.send(self.agent.finished(order, "succeeded"))
        assert self.state_of(order.work_id) == WorkState.SUCCEEDED

    def test_what_is_over_stays_as_it_is(self) -> None:
        job_made(self.alpha)
        order = self.agent.begin()
        self.agent.send(self.agent.finished(order, "failed"))
        assert self.cancel() == (0, 0)
        assert self.state_of(order.work_id) == WorkState.FAILED
