"""What becomes of a change when its agent is late, lost, slow or a liar."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from agents.wire.codec import to_plain
from agents.wire.names import Lane
from agents.wire.work import ReportKind
from console.accounts.models import User
from console.audit.models import AuditEvent
from console.changes.approvals import apply_judge
from console.changes.enums import ChangeState
from console.changes.models import Change, ChangeOutput, ChangePlanning, ChangeRun, Plan
from console.changes.services import (
    change_apply,
    change_approve,
    change_cancel,
    change_check,
    change_plan,
    pause_set,
)
from console.core.errors import InvalidInput, PermissionDenied, StateConflict
from console.fleet.work import work_lane_release, work_reap
from tests.console.changes.cast import ChangesTestCase, a_plan, applying, ended
from tests.console.jobs.cast import FakeAgent


class FollowingTestCase(ChangesTestCase):
    """Shortcuts."""

    def queued(self, **fields: Any) -> Change:
        """Planned, approved by ada, applied by omar."""
        change = self.planned(**fields)
        assert change.plan is not None
        digest = change.plan.digest
        change_approve(actor=self.actor(self.ada), change=change, plan_digest=digest)
        return change_apply(actor=self.actor(self.omar), change=change, plan_digest=digest)

    def state_of(self, change: Change) -> str:
        """As it now is."""
        change.refresh_from_db()
        return change.state

    def lose(self) -> None:
        """The agent falls silent."""
        ChangeRun.objects.update(lease_expires_at=timezone.now())
        work_reap()


class LateTests(FollowingTestCase):
    """Reports that come late, twice or about what is over."""

    def test_output_after_the_end_of_a_phase_queues_nothing_again(self) -> None:
        """It is kept; the next phase was queued once."""
        change = self.queued(phases=2)
        agent, order = applying(self.alpha.row)
        ended(agent, order, "succeeded", is_last=False)
        agent.send(agent.report(order, ReportKind.OUTPUT, chunk=0, step=0, text="late"))
        assert self.state_of(change) == ChangeState.QUEUED
        assert sorted(ChangeRun.objects.values_list("phase", flat=True)) == [0, 1]
        assert ChangeOutput.objects.get().text == "late"

    def test_a_replay_of_everything_changes_nothing(self) -> None:
        """Neither state nor plans nor runs nor audit."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        ended(agent, order, "needs_attention", stands=["One unit is gone."])
        before = (self.state_of(change), Plan.objects.count(), AuditEvent.objects.count())
        agent.send(*agent.sent)
        assert before == (self.state_of(change), Plan.objects.count(), AuditEvent.objects.count())

    def test_what_was_given_up_and_planned_anew_is_told_to_the_audit_only(self) -> None:
        """The new plan is not touched."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        self.lose()
        work_lane_release(host=self.alpha.row, actor=self.actor(self.adam))
        Change.objects.filter(pk=change.pk).update(state=ChangeState.PLANNING)
        ended(agent, order, "succeeded")
        assert self.state_of(change) == ChangeState.PLANNING
        assert AuditEvent.objects.get(verb="change.late_report").new["state"] == "succeeded"

    def test_contact_regained_the_change_runs_again(self) -> None:
        """Lost is not failed."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        self.lose()
        assert self.state_of(change) == ChangeState.NEEDS_ATTENTION
        assert "Contact" in change.message
        agent.send(agent.report(order, ReportKind.OUTPUT, chunk=0, text="still here"))
        assert self.state_of(change) == ChangeState.RUNNING
        assert change.message == ""

    def test_progress_of_an_older_report_does_not_go_back(self) -> None:
        """Whatever order they come in."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        old, new = (
            agent.report(order, ReportKind.PROGRESS, progress={"state": state})
            for state in ("running", "verifying")
        )
        agent.send(new)
        agent.send(old)
        assert self.state_of(change) == ChangeState.VERIFYING
        assert change.progress["state"] == "verifying"


class WaitingTests(FollowingTestCase):
    """Phases and the reboots between them."""

    def waiting(self) -> Change:
        """The first of two phases is done."""
        change = self.queued(phases=2)
        agent, order = applying(self.alpha.row)
        ended(agent, order, "waiting_reboot", is_last=False)
        return change

    def test_a_look_that_finds_no_reboot_goes_on_waiting_for_the_same(self) -> None:
        """Since when it did."""
        change = self.waiting()
        assert self.state_of(change) == ChangeState.WAITING_REBOOT
        since, waiting = change.waiting_since, change.waiting
        change_check(actor=self.actor(self.omar), change=change)
        agent, order = applying(self.alpha.row)
        ended(agent, order, "waiting_reboot", phase=0, is_last=False)
        assert self.state_of(change) == ChangeState.WAITING_REBOOT
        assert (change.phase, change.waiting_since, change.waiting) == (1, since, waiting)

    def test_a_later_phase_goes_before_what_was_queued_meanwhile(self) -> None:
        """In the order in which they were applied."""
        change = self.waiting()
        self.queued(parts={"metaslot.status": "enabled"}, ends={"metaslot.status": "disabled"})
        change_check(actor=self.actor(self.omar), change=change)
        _, order = applying(self.alpha.row)
        assert ChangeRun.objects.get(pk=order.work_id).change_id == change.pk

    def test_a_look_that_nobody_took_leaves_it_waiting(self) -> None:
        """The host's agent was away."""
        change = self.waiting()
        change_check(actor=self.actor(self.omar), change=change)
        ChangeRun.objects.filter(state="queued").update(expires_at=timezone.now())
        work_reap()
        assert self.state_of(change) == ChangeState.WAITING_REBOOT

    def test_a_later_phase_cancelled_or_not_taken_names_what_stands(self) -> None:
        """Such a change is not simply over."""
        for is_cancelled in (True, False):
            change = self.queued(phases=2)
            agent, order = applying(self.alpha.row)
            ended(agent, order, "succeeded", is_last=False)
            if is_cancelled:
                change_cancel(actor=self.actor(self.omar), change=change)
            else:
                ChangeRun.objects.filter(state="queued").update(expires_at=timezone.now())
                work_reap()
            assert self.state_of(change) == ChangeState.NEEDS_ATTENTION
            assert "Earlier phases of it took effect" in change.message

    def test_an_agent_cannot_make_it_go_on_for_ever(self) -> None:
        """After the last phase there is one look."""
        change = self.queued()
        for _ in range(2):
            agent, order = applying(self.alpha.row)
            ended(agent, order, "succeeded", is_last=False)
        assert self.state_of(change) == ChangeState.SUCCEEDED


class PlanningTests(FollowingTestCase):
    """Plans that are late or not what they should be."""

    def answer(self, change: Change, **wrong: Any) -> None:
        """The agent's plan for it, with something wrong."""
        agent = FakeAgent(self.alpha.row)
        plain = to_plain(replace(a_plan(change), **wrong))
        agent.send(agent.finished(agent.must_claim(Lane.QUICK), result={"plan": plain}))

    def test_a_plan_without_a_proper_digest_is_refused(self) -> None:
        """What is approved is the digest."""
        for digest in ("", "0" * 63, "G" * 64, "0" * 65):
            change = self.asked()
            self.answer(change, digest=digest)
            assert self.state_of(change) == ChangeState.FAILED, digest
        assert not Plan.objects.exists()

    def test_a_plan_that_contradicts_itself_is_refused(self) -> None:
        """Steps and nothing to do; no steps and something to do."""
        for wrong in ({"is_noop": True}, {"phases": []}):
            change = self.asked()
            self.answer(change, **wrong)
            assert self.state_of(change) == ChangeState.FAILED, wrong

    def test_a_plan_larger_than_the_limit_is_refused(self) -> None:
        """Bounded like every word of an agent."""
        change = self.asked()
        self.answer(change, warnings=["x" * 15_000] * 150)
        assert self.state_of(change) == ChangeState.FAILED
        assert "larger than" in change.message

    def test_a_plan_is_kept_once_and_audited(self) -> None:
        """Not in the planning as well."""
        change = self.planned()
        assert ChangePlanning.objects.get().result == {}
        assert change.plan is not None
        event = AuditEvent.objects.get(verb="change.planned")
        assert (event.new["digest"], event.new["state"]) == (change.plan.digest, change.state)

    def test_a_planning_that_is_cancelled_takes_no_plan_any_more(self) -> None:
        """And does not talk of lost contact."""
        change = self.asked()
        change_cancel(actor=self.actor(self.omar), change=change)
        assert change.state == ChangeState.CANCELLED
        assert "Contact" not in change.message

    def test_parameters_that_look_like_a_secret_are_refused(self) -> None:
        """They would be in the database, the audit and every reply."""
        for secret in ({"pin": "x4711"}, {"token": "pkcs11:token=a?pin-value=x4711"}):
            with pytest.raises(InvalidInput) as caught:
                self.asked("metaslot.enable", **secret)
            assert caught.value.code == "change.secret"

    def test_what_a_tool_wrote_is_kept_without_secrets(self) -> None:
        """By the one filter of logs and audit."""
        self.queued()
        agent, order = applying(self.alpha.row)
        text = "pkcs11:token=a?pin-value=x4711"
        agent.send(agent.report(order, ReportKind.OUTPUT, chunk=0, step=0, text=text))
        assert "x4711" not in ChangeOutput.objects.get().text


class GuardTests(FollowingTestCase):
    """What services refuse."""

    def test_nothing_is_planned_anew_while_the_last_run_is_out(self) -> None:
        """Until it reports, or the lane is released."""
        change = self.queued()
        applying(self.alpha.row)
        self.lose()
        change.refresh_from_db()
        with pytest.raises(StateConflict) as caught:
            change_plan(actor=self.actor(self.omar), change=change)
        assert caught.value.code == "change.run_open"
        work_lane_release(host=self.alpha.row, actor=self.actor(self.adam))
        assert change_plan(actor=self.actor(self.omar), change=change).state == ChangeState.PLANNING

    def test_cancelling_what_is_lost_asks_its_agent_to_stop(self) -> None:
        """It is not called cancelled before anybody knows."""
        change = self.queued()
        _, order = applying(self.alpha.row)
        self.lose()
        change_cancel(actor=self.actor(self.omar), change=change)
        assert change.state == ChangeState.NEEDS_ATTENTION
        assert ChangeRun.objects.get(pk=order.work_id).cancel_requested_at is not None

    def test_what_is_forced_is_never_approved_by_who_asked(self) -> None:
        """Not even by the only one who could."""
        change = self.planned(needs_force="No provider would be left for AES.")
        User.objects.exclude(pk=self.adam.pk).update(is_active=False)
        Change.objects.filter(pk=change.pk).update(requested_by=self.adam)
        change.refresh_from_db()
        assert change.plan is not None
        with pytest.raises(PermissionDenied, match="second person"):
            change_approve(
                actor=self.actor(self.adam),
                change=change,
                plan_digest=change.plan.digest,
                confirmation="alpha",
            )

    def test_whoever_may_apply_is_told_what_stands_in_the_way(self) -> None:
        """Before asking for it."""
        change, omar = self.planned(risk="low"), self.actor(self.omar)
        assert apply_judge(omar, change).may
        pause_set(actor=self.actor(self.adam), is_paused=True, reason="Freeze.")
        judgement = apply_judge(omar, change)
        assert (judgement.may, judgement.obstacle) == (False, "change.paused")
        assert "Freeze." in judgement.why_not

    def test_the_audit_tells_old_and_new_state_of_all_that_people_did(self) -> None:
        """In order."""
        self.queued()
        verbs = ("change.request", "change.approve", "change.apply")
        told = [
            (event.verb, (event.old or {}).get("state"), event.new["state"])
            for event in AuditEvent.objects.filter(verb__in=verbs).order_by("seq")
        ]
        assert told == [
            ("change.request", None, "planning"),
            ("change.approve", "awaiting_approval", "planned"),
            ("change.apply", "planned", "queued"),
        ]
