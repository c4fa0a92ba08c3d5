"""What time alone does to changes, what is pruned, what Prometheus is told."""

from datetime import timedelta

from django.utils import timezone

from agents.wire.names import Lane
from agents.wire.work import ReportKind
from console.audit.models import AuditEvent
from console.changes.enums import ChangeState
from console.changes.expiring import approvals_review, changes_expire
from console.changes.models import Approval, Change, ChangeOutput
from console.changes.pruning import change_output_prune
from console.changes.services import change_apply, change_approve, pause_set
from console.changes.tasks import BEAT_SCHEDULE, changes_expire_task
from console.core.beat import beat_schedule_collect
from console.core.metrics import metrics_text
from console.fleet.work import work_due
from tests.console.changes.cast import ChangesTestCase, applying, ended
from tests.console.jobs.cast import FakeAgent


class ChoresTestCase(ChangesTestCase):
    """Shortcuts."""

    def approved(self) -> Change:
        """Planned, and approved by ada."""
        change = self.planned()
        self.approve(change)
        return change

    def approve(self, change: Change) -> None:
        """By ada."""
        digest = change.plan.digest if change.plan else ""
        change_approve(actor=self.actor(self.ada), change=change, plan_digest=digest)

    def queued(self) -> Change:
        """Applied by omar."""
        change = self.approved()
        digest = change.plan.digest if change.plan else ""
        return change_apply(actor=self.actor(self.omar), change=change, plan_digest=digest)


class ExpiryTests(ChoresTestCase):
    """Plans and approvals end by themselves."""

    def test_a_plan_that_nobody_applied_expires(self) -> None:
        """Approved or not; others stay; the audit says so."""
        old, approved, new = self.planned(), self.approved(), self.planned()
        ids = [old.pk, approved.pk]
        Change.objects.filter(pk__in=ids).update(expires_at=timezone.now() - timedelta(seconds=1))
        changes_expire_task()
        states = {pk: Change.objects.get(pk=pk).state for pk in (*ids, new.pk)}
        assert states == {old.pk: "expired", approved.pk: "expired", new.pk: "awaiting_approval"}
        ends = AuditEvent.objects.filter(verb="change.end", new__state="expired")
        assert {event.object_id for event in ends} == {str(pk) for pk in ids}
        assert changes_expire() == 0

    def test_a_queued_change_is_not_expired_by_its_plan_s_age(self) -> None:
        """Its order has a time of its own."""
        change = self.queued()
        Change.objects.filter(pk=change.pk).update(expires_at=timezone.now())
        assert changes_expire() == 0

    def test_an_approval_that_lapses_has_to_be_given_again(self) -> None:
        """By the same person too."""
        change = self.approved()
        assert approvals_review() == 0
        Approval.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert approvals_review() == 1
        change.refresh_from_db()
        assert change.state == ChangeState.AWAITING_APPROVAL
        self.approve(change)
        assert change.state == ChangeState.PLANNED

    def test_the_chores_are_scheduled(self) -> None:
        """Both."""
        assert BEAT_SCHEDULE.items() <= beat_schedule_collect().items()


class PruningTests(ChoresTestCase):
    """Output is not kept for ever."""

    def test_output_of_old_runs_goes_that_of_running_ones_stays(self) -> None:
        """Whatever its age."""
        self.queued()
        agent, order = applying(self.alpha.row)
        agent.send(agent.report(order, ReportKind.OUTPUT, chunk=0, step=0, text="done"))
        later = timezone.now() + timedelta(days=400)
        assert change_output_prune(before=later) == 0
        ended(agent, order, "succeeded")
        assert change_output_prune(before=timezone.now() - timedelta(days=1)) == 0
        assert change_output_prune(before=later) == 1
        assert not ChangeOutput.objects.exists()


class PauseTests(ChoresTestCase):
    """The switch also holds what is queued already."""

    def test_nothing_queued_is_handed_out_until_it_is_set_back(self) -> None:
        """Planning goes on, and so do jobs."""
        self.queued()
        pause_set(actor=self.actor(self.adam), is_paused=True, reason="Freeze.")
        agent = FakeAgent(self.alpha.row)
        assert agent.claim() is None
        assert work_due(self.alpha.row) == {}
        self.asked("metaslot.enable")
        assert agent.must_claim(Lane.QUICK).parameters["kind"] == "metaslot.enable"
        pause_set(actor=self.actor(self.adam), is_paused=False)
        assert work_due(self.alpha.row) == {"work": 1}
        assert agent.must_claim().kind == "change.apply"


class MetricsTests(ChoresTestCase):
    """What /metrics tells."""

    def test_tells_changes_by_state_and_the_pause(self) -> None:
        """States without changes are zero, not absent."""
        self.planned()
        text = metrics_text().decode()
        assert 'keyrack_changes{state="awaiting_approval"} 1.0' in text
        assert 'keyrack_changes{state="running"} 0.0' in text
        assert "keyrack_changes_paused 0.0" in text
        assert "keyrack_changes_held 0.0" in text

    def test_tells_what_is_held_back(self) -> None:
        """By the pause, as one."""
        self.queued()
        pause_set(actor=self.actor(self.adam), is_paused=True, reason="Freeze.")
        text = metrics_text().decode()
        assert "keyrack_changes_paused 1.0" in text
        assert "keyrack_changes_held 1.0" in text
