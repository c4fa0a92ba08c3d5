"""What waits in the queue: held back its time stands still, and its approval may run out."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from console.accounts.enums import Role
from console.accounts.models import User
from console.audit.models import AuditEvent
from console.changes.approval_rules import rule_create
from console.changes.enums import ChangeState
from console.changes.expiring import approvals_review, changes_expire
from console.changes.models import Approval, Change, ChangeRun, MaintenanceWindow
from console.changes.services import change_apply, change_approve, pause_set
from console.changes.windows import window_create, window_delete, windows_tick
from console.fleet.groups import host_group_create
from console.fleet.work import work_reap
from tests.console.changes.cast import ChangesTestCase, applying, ended
from tests.console.jobs.cast import FakeAgent


class QueueTestCase(ChangesTestCase):
    """Shortcuts."""

    def queued(self, risk: str = "medium", phases: int = 1) -> Change:
        """Approved by ada where need be, applied by omar."""
        change = self.planned(risk=risk, phases=phases)
        assert change.plan is not None
        digest = change.plan.digest
        if change.state == ChangeState.AWAITING_APPROVAL:
            change_approve(actor=self.actor(self.ada), change=change, plan_digest=digest)
        return change_apply(actor=self.actor(self.omar), change=change, plan_digest=digest)

    def pause(self, is_paused: bool = True) -> None:
        """By adam."""
        pause_set(actor=self.actor(self.adam), is_paused=is_paused, reason="audit week")

    def times_up(self) -> None:
        """The time of all orders in the queue has passed, and the reaper comes."""
        ChangeRun.objects.update(expires_at=timezone.now())
        work_reap()

    def lapse(self) -> None:
        """All approvals expire."""
        Approval.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    def window(self, opens: timedelta) -> MaintenanceWindow:
        """An hour for alpha, from then on."""
        actor, starts = self.actor(self.adam), timezone.now() + opens
        group = host_group_create(actor=actor, name="night", hosts=[self.alpha.row.pk])
        return window_create(
            actor=actor, group=group, name="night", kind="once",
            starts_at=starts, ends_at=starts + timedelta(hours=1),
        )  # fmt: skip

    def state_of(self, change: Change) -> str:
        """As it now is."""
        change.refresh_from_db()
        return change.state


class StandingTimeTests(QueueTestCase):
    """The pause and windows do not let orders expire."""

    def test_a_paused_order_does_not_expire_and_has_its_whole_time_afterwards(self) -> None:
        change = self.queued()
        self.pause()
        self.times_up()
        assert self.state_of(change) == ChangeState.QUEUED
        self.pause(False)
        left = ChangeRun.objects.get().expires_at - timezone.now()
        assert left > timedelta(seconds=settings.WORK_QUEUE_SECONDS - 60)
        assert FakeAgent(self.alpha.row).must_claim().kind == "change.apply"

    def test_an_order_outside_its_window_does_not_expire_and_runs_in_it(self) -> None:
        window = self.window(timedelta(hours=2))
        change = self.queued()
        self.times_up()
        assert self.state_of(change) == ChangeState.QUEUED
        MaintenanceWindow.objects.filter(pk=window.pk).update(opens_at=timezone.now())
        windows_tick()
        assert FakeAgent(self.alpha.row).must_claim().kind == "change.apply"

    def test_without_the_window_the_order_s_time_begins_anew(self) -> None:
        window = self.window(timedelta(hours=2))
        change = self.queued()
        ChangeRun.objects.update(expires_at=timezone.now())
        window_delete(actor=self.actor(self.adam), window=window)
        work_reap()
        assert self.state_of(change) == ChangeState.QUEUED

    def test_while_it_is_held_back_the_tick_keeps_its_time(self) -> None:
        self.queued()
        ChangeRun.objects.update(expires_at=timezone.now())
        windows_tick()
        assert ChangeRun.objects.get().expires_at < timezone.now()
        self.pause()
        windows_tick()
        assert ChangeRun.objects.get().expires_at > timezone.now()

    def test_held_back_for_a_week_it_ends_and_says_by_what(self) -> None:
        change = self.queued(risk="low")
        self.pause()
        assert changes_expire() == 0
        Change.objects.update(queued_at=timezone.now() - timedelta(days=8))
        assert changes_expire() == 1
        assert self.state_of(change) == ChangeState.EXPIRED
        assert "adam has paused all changes: audit week" in change.message
        self.pause(False)
        assert FakeAgent(self.alpha.row).claim() is None


class LapsedTests(QueueTestCase):
    """No order is handed out whose plan is not approved any more."""

    def test_an_order_whose_approval_ran_out_waits_for_approval_again(self) -> None:
        change = self.queued()
        self.pause()
        self.lapse()
        assert approvals_review() == 1
        assert self.state_of(change) == ChangeState.AWAITING_APPROVAL
        assert "audit week" in change.message
        assert "expired on" in change.message
        assert AuditEvent.objects.filter(verb="change.lapse").count() == 1

    def test_not_even_in_the_moment_before_anybody_noticed(self) -> None:
        change = self.queued()
        self.lapse()
        assert FakeAgent(self.alpha.row).claim() is None
        assert self.state_of(change) == ChangeState.AWAITING_APPROVAL

    def test_whoever_may_not_approve_any_more_has_not_approved(self) -> None:
        for fields in ({"role": Role.OPERATOR}, {"is_active": False}):
            User.objects.filter(pk=self.ada.pk).update(role=Role.APPROVER, is_active=True)
            change = self.queued()
            User.objects.filter(pk=self.ada.pk).update(**fields)
            assert FakeAgent(self.alpha.row).claim() is None
            assert self.state_of(change) == ChangeState.AWAITING_APPROVAL
            assert "ada approved this plan and may not approve any more" in change.message

    def test_a_stricter_rule_holds_for_what_is_queued_and_is_named(self) -> None:
        change = self.queued()
        actor = self.actor(self.adam)
        rule_create(actor=actor, kind_pattern="unit.*", minimum_risk="low", approvals=2)
        assert approvals_review() == 1
        assert self.state_of(change) == ChangeState.AWAITING_APPROVAL
        wanted = "The rule for unit.* from low risk on wants 2 approvals; this plan has 1."
        assert change.message.endswith(wanted)

    def test_a_later_phase_goes_on_whatever_became_of_the_approval(self) -> None:
        change = self.queued(phases=2)
        agent, order = applying(self.alpha.row)
        ended(agent, order, "succeeded", is_last=False)
        self.lapse()
        assert approvals_review() == 0
        assert self.state_of(change) == ChangeState.QUEUED
        assert agent.must_claim().parameters["phase"] == 1

    def test_approved_and_applied_again_it_runs(self) -> None:
        change = self.queued()
        self.lapse()
        approvals_review()
        change.refresh_from_db()
        assert change.plan is not None
        digest = change.plan.digest
        change_approve(actor=self.actor(self.ada), change=change, plan_digest=digest)
        change_apply(actor=self.actor(self.omar), change=change, plan_digest=digest)
        assert FakeAgent(self.alpha.row).must_claim().kind == "change.apply"
