"""The life of a change through its services and its agent's reports."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents.wire.codec import to_plain
from agents.wire.names import Lane
from agents.wire.work import ReportKind
from console.audit.models import AuditEvent
from console.changes.enums import ChangeState
from console.changes.following import changes_follow_inventory
from console.changes.models import Approval, Change, ChangeOutput, ChangeRun
from console.changes.services import (
    change_apply,
    change_approve,
    change_cancel,
    change_check,
    change_rollback,
    pause_set,
)
from console.core.errors import InvalidInput, PermissionDenied, StateConflict
from console.fleet.work import work_reap
from tests.console.changes.cast import (
    ChangesTestCase,
    a_plan,
    answer_plan,
    applying,
    asked_of,
    ended,
    taking_host,
)
from tests.console.jobs.cast import FakeAgent


class LifeTestCase(ChangesTestCase):
    """Shortcuts."""

    def approve(self, change: Change, who: str = "ada", **fields: str) -> None:
        """By ada, who did not ask for it."""
        digest = change.plan.digest if change.plan else ""
        actor = self.actor(getattr(self, who))
        change_approve(actor=actor, change=change, plan_digest=digest, **fields)

    def apply(self, change: Change, **fields: str) -> None:
        """By omar."""
        digest = change.plan.digest if change.plan else ""
        change_apply(actor=self.actor(self.omar), change=change, plan_digest=digest, **fields)

    def queued(self, **fields: Any) -> Change:
        """Planned, approved, applied."""
        change = self.planned(**fields)
        self.approve(change)
        self.apply(change)
        return change

    def state_of(self, change: Change) -> str:
        """As it now is."""
        change.refresh_from_db()
        return change.state


class PlanningTests(LifeTestCase):
    """From the request to a plan."""

    def test_the_order_names_kind_and_parameters(self) -> None:
        """And nothing that could be run."""
        self.asked(counts={"primary": 1})
        order = FakeAgent(self.alpha.row).must_claim(Lane.QUICK)
        wanted = {"kind": "unit.assign", "parameters": {"counts": {"primary": 1}}}
        assert order.parameters == wanted

    def test_low_risk_needs_no_approval_and_more_does(self) -> None:
        """Planned, or waiting for a second person."""
        assert self.planned(risk="low").state == ChangeState.PLANNED
        assert self.planned(risk="medium").state == ChangeState.AWAITING_APPROVAL
        assert self.planned(risk="unheard of").state == ChangeState.AWAITING_APPROVAL

    def test_what_destroys_or_is_forced_needs_a_second_person_at_any_risk(self) -> None:
        """Whatever the planner thought of the risk."""
        assert self.planned(risk="low", destroys=["key"]).state == ChangeState.AWAITING_APPROVAL
        assert self.planned(risk="low", needs_force="x").state == ChangeState.AWAITING_APPROVAL

    def test_nothing_to_do_is_a_success(self) -> None:
        """It says so."""
        change = self.planned(is_noop=True, phases=0)
        assert (change.state, change.message) == ("succeeded", "Take 1 crypto unit from primary.")

    def test_a_refusal_is_kept_with_its_remedy(self) -> None:
        """The change fails; nothing was run."""
        change, agent = self.asked(), FakeAgent(self.alpha.row)
        order = agent.must_claim(Lane.QUICK)
        refusal = {"code": "unit.core", "message": "No.", "remedy": "Move it.", "subject": "ldg1"}
        agent.send(agent.finished(order, "failed", message="No.", result={"refusal": refusal}))
        assert self.state_of(change) == ChangeState.FAILED
        assert change.result["refusal"]["remedy"] == "Move it."

    def test_a_plan_of_another_kind_or_shape_is_refused(self) -> None:
        """An agent is not trusted either."""
        for plain in ({"phases": 3}, to_plain(a_plan(self.asked("metaslot.enable")))):
            change, agent = self.asked(), FakeAgent(self.alpha.row)
            while (order := agent.must_claim(Lane.QUICK)).parameters["kind"] != "unit.assign":
                agent.send(agent.finished(order, "failed"))
            agent.send(agent.finished(order, result={"plan": plain}))
            assert self.state_of(change) == ChangeState.FAILED, plain

    def test_an_offline_host_lets_it_expire(self) -> None:
        """Never planned later."""
        change = self.asked()
        change.plannings.update(expires_at=timezone.now())
        work_reap()
        assert self.state_of(change) == ChangeState.EXPIRED


class ApprovalTests(LifeTestCase):
    """Four eyes."""

    def test_whoever_asked_may_not_approve_administrator_or_not(self) -> None:
        """As long as somebody else could."""
        change = asked_of(self.alpha.row, self.actor(self.adam))
        answer_plan(self.alpha.row, a_plan(change, risk="high"))
        change.refresh_from_db()
        with pytest.raises(PermissionDenied):
            self.approve(change, "adam", confirmation="alpha")
        self.approve(change, "ada")
        assert change.state == ChangeState.PLANNED

    def test_the_only_one_who_could_types_the_name_and_is_recorded(self) -> None:
        """Not silently."""
        change = asked_of(self.alpha.row, self.actor(self.adam))
        answer_plan(self.alpha.row, a_plan(change, risk="high"))
        change.refresh_from_db()
        type(self.ada).objects.filter(pk=self.ada.pk).update(is_active=False)
        with pytest.raises(InvalidInput):
            self.approve(change, "adam")
        self.approve(change, "adam", confirmation="alpha")
        assert Approval.objects.get().is_self
        assert AuditEvent.objects.filter(verb="change.self_approve").exists()

    def test_an_approval_is_of_one_plan(self) -> None:
        """Another digest is refused; a new plan needs a new approval."""
        change = self.planned()
        with pytest.raises(StateConflict):
            change_approve(actor=self.actor(self.ada), change=change, plan_digest="0" * 64)

    def test_an_expired_approval_does_not_apply(self) -> None:
        """The change has to be planned and approved again."""
        change = self.planned()
        self.approve(change)
        Approval.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        with pytest.raises(StateConflict, match="expired"):
            self.apply(change)

    def test_what_destroys_asks_for_the_hosts_name(self) -> None:
        """When it is applied."""
        change = self.planned(destroys=["key 7"])
        self.approve(change)
        with pytest.raises(InvalidInput):
            self.apply(change)
        self.apply(change, confirmation="alpha")
        assert change.state == ChangeState.QUEUED


class ApplyTests(LifeTestCase):
    """Through the agent."""

    def test_it_runs_and_succeeds(self) -> None:
        """Each state as the agent tells it; what the tool wrote is kept by step."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        assert self.state_of(change) == ChangeState.RUNNING
        agent.send(agent.report(order, ReportKind.OUTPUT, chunk=0, step=0, text="done"))
        ended(agent, order, "succeeded")
        assert self.state_of(change) == ChangeState.SUCCEEDED
        assert ChangeOutput.objects.get().step == 0

    def test_the_order_carries_the_approved_digests(self) -> None:
        """Of the plan and of each phase."""
        change = self.queued()
        order = FakeAgent(self.alpha.row).must_claim()
        assert change.plan is not None
        assert order.parameters["plan_digest"] == change.plan.digest
        assert order.parameters["phase_digests"] == change.plan.phase_digests

    def test_each_end_is_told_as_it_is(self) -> None:
        """And a defect of ours in the middle needs a person."""
        for state in ("failed", "rolled_back", "needs_attention", "cancelled"):
            change = self.queued()
            agent, order = applying(self.alpha.row)
            ended(agent, order, state)
            assert self.state_of(change) == state
        change = self.queued()
        agent, order = applying(self.alpha.row)
        agent.send(agent.finished(order, "errored", message="A defect."))
        assert self.state_of(change) == ChangeState.NEEDS_ATTENTION

    def test_phases_follow_the_reboots(self) -> None:
        """Waiting, seen in an inventory, the next phase, the end."""
        change = self.queued(phases=2)
        agent, order = applying(self.alpha.row)
        ended(agent, order, "waiting_reboot", is_last=False)
        assert self.state_of(change) == ChangeState.WAITING_REBOOT
        changes_follow_inventory(self.alpha.row, {"domain.reconfiguration/primary": "pending"})
        assert self.state_of(change) == ChangeState.WAITING_REBOOT
        changes_follow_inventory(self.alpha.row, {"domain.reconfiguration/primary": "none"})
        agent, order = applying(self.alpha.row)
        assert order.parameters["phase"] == 1
        ended(agent, order, "succeeded")
        assert self.state_of(change) == ChangeState.SUCCEEDED

    def test_a_later_phase_that_fails_needs_attention(self) -> None:
        """Earlier ones stand."""
        change = self.queued(phases=2)
        agent, order = applying(self.alpha.row)
        ended(agent, order, "waiting_reboot", is_last=False)
        change_check(actor=self.actor(self.omar), change=change)
        agent, order = applying(self.alpha.row)
        ended(agent, order, "failed")
        assert self.state_of(change) == ChangeState.NEEDS_ATTENTION

    def test_a_stale_plan_is_shown_with_the_difference(self) -> None:
        """Nothing was run."""
        change = self.queued()
        new = to_plain(a_plan(change, parts={"unit.count/primary": 3}))
        agent, order = applying(self.alpha.row)
        ended(agent, order, "stale", plan=new)
        assert self.state_of(change) == ChangeState.STALE
        difference = [{"part": "unit.count/primary", "expected": 2, "found": 3}]
        assert change.stale_difference == difference

    def test_lost_contact_needs_attention_and_a_late_report_is_the_truth(self) -> None:
        """Whatever was thought meanwhile."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        ChangeRun.objects.update(lease_expires_at=timezone.now())
        work_reap()
        assert self.state_of(change) == ChangeState.NEEDS_ATTENTION
        ended(agent, order, "rolled_back")
        assert self.state_of(change) == ChangeState.ROLLED_BACK

    def test_expired_before_the_host_came_back_it_never_runs(self) -> None:
        """Nothing is handed out any more."""
        change = self.queued()
        ChangeRun.objects.update(expires_at=timezone.now())
        work_reap()
        assert self.state_of(change) == ChangeState.EXPIRED
        assert FakeAgent(self.alpha.row).claim() is None


class TogetherTests(LifeTestCase):
    """Several changes of one host, the switch, cancelling, rolling back."""

    def test_plans_that_saw_what_was_changed_become_stale(self) -> None:
        """Others do not."""
        first, same, other = self.queued(), self.queued(), self.planned(parts={"metaslot": "on"})
        agent, order = applying(self.alpha.row)
        ended(agent, order, "succeeded")
        assert self.state_of(first) == ChangeState.SUCCEEDED
        assert self.state_of(same) == ChangeState.STALE
        assert self.state_of(other) == ChangeState.AWAITING_APPROVAL
        assert agent.claim() is None

    def test_one_at_a_time_in_order(self) -> None:
        """The second waits for the first."""
        first = self.queued()
        self.queued(parts={"metaslot": "on"})
        agent, order = applying(self.alpha.row)
        assert ChangeRun.objects.get(pk=order.work_id).change_id == first.pk
        assert agent.claim() is None

    def test_paused_nothing_is_applied(self) -> None:
        """Until the switch is set back."""
        change = self.planned(risk="low")
        pause_set(actor=self.actor(self.adam), is_paused=True, reason="Freeze.")
        with pytest.raises(StateConflict, match="Freeze"):
            self.apply(change)
        pause_set(actor=self.actor(self.adam), is_paused=False)
        self.apply(change)
        assert change.state == ChangeState.QUEUED

    def test_cancelled_before_it_began_nothing_runs(self) -> None:
        """At every station on the way."""
        for change in (self.planned(), self.queued(), self.asked()):
            change_cancel(actor=self.actor(self.omar), change=change)
            assert change.state == ChangeState.CANCELLED
        assert FakeAgent(self.alpha.row).claim() is None

    def test_a_running_one_is_asked_to_stop(self) -> None:
        """And says itself how it ended."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        change_cancel(actor=self.actor(self.omar), change=change)
        assert change.state == ChangeState.RUNNING
        assert order.work_id in agent.send(agent.started(order)).cancel

    def test_rolling_back_asks_for_what_was_before(self) -> None:
        """As a change of its own."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        ended(agent, order, "succeeded")
        change.refresh_from_db()
        back = change_rollback(actor=self.actor(self.omar), change=change, reason="Wrong host")
        assert (back.parameters, back.rollback_of) == ({"counts": {"primary": 2}}, change)
        assert back.state == ChangeState.PLANNING

    def test_a_host_that_does_not_take_it_is_not_asked(self) -> None:
        """It says why."""
        host = taking_host("beta").row
        with pytest.raises(InvalidInput, match="Not allowed here"):
            asked_of(host, self.actor(self.omar), "spconfig.save", name="x")
        with pytest.raises(InvalidInput, match="knows no provider"):
            asked_of(host, self.actor(self.omar), "provider.unload")
