"""Rules, roles and hosts that change while changes wait; what a plan says beyond its risk."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.wire.changes import Consequence
from agents.wire.codec import to_plain
from agents.wire.names import Lane
from console.changes.approval_rules import rule_create
from console.changes.enums import ChangeState
from console.changes.expiring import approvals_review, changes_of_gone_hosts_end
from console.changes.models import ApprovalRule, Change
from console.changes.services import change_apply, change_approve
from console.core.errors import StateConflict
from console.fleet.enums import HostState
from console.fleet.models import Host
from tests.console.changes.cast import ChangesTestCase, a_plan, applying, ended
from tests.console.jobs.cast import FakeAgent


class ReviewTestCase(ChangesTestCase):
    """Shortcuts."""

    def approved(self, **fields: Any) -> Change:
        """By ada."""
        change = self.planned(**fields)
        self.act(change_approve, change, "ada")
        return change

    def act(self, service: Any, change: Change, who: str) -> None:
        """Of the plan that it has."""
        assert change.plan is not None
        actor = self.actor(getattr(self, who))
        service(actor=actor, change=change, plan_digest=change.plan.digest)

    def rule(self, approvals: int) -> ApprovalRule:
        """For all kinds of unit."""
        fields: dict[str, Any] = {"minimum_risk": "low", "approvals": approvals}
        return rule_create(actor=self.actor(self.adam), kind_pattern="unit.*", **fields)

    def state_of(self, change: Change) -> str:
        """As it now is."""
        change.refresh_from_db()
        return change.state


class RuleTests(ReviewTestCase):
    """What is planned follows the rules."""

    def test_a_stricter_rule_is_named_to_whoever_would_apply(self) -> None:
        change = self.approved()
        self.rule(2)
        wanted = r"unit\.\* from low risk on wants 2 approvals; this plan has 1"
        with pytest.raises(StateConflict, match=wanted) as caught:
            self.act(change_apply, change, "omar")
        assert caught.value.code == "change.approval_missing"
        assert approvals_review() == 1
        assert self.state_of(change) == ChangeState.AWAITING_APPROVAL
        self.act(change_approve, change, "adam")
        assert self.state_of(change) == ChangeState.PLANNED

    def test_what_nobody_has_to_approve_any_more_is_ready(self) -> None:
        self.rule(1)
        change = self.planned(risk="low")
        ApprovalRule.objects.all().delete()
        assert approvals_review() == 1
        assert self.state_of(change) == ChangeState.PLANNED

    def test_forced_plans_stay_whatever_the_rules(self) -> None:
        change = self.planned(risk="low", needs_force="The last one.")
        ApprovalRule.objects.all().delete()
        assert approvals_review() == 0
        assert self.state_of(change) == ChangeState.AWAITING_APPROVAL

    def test_many_changes_are_reviewed_in_as_many_queries_as_few(self) -> None:
        numbers = []
        for _ in range(2):
            for _ in range(3):
                self.planned()
            with CaptureQueriesContext(connection) as queries:
                assert approvals_review() == 0
            numbers.append(len(queries))
        assert numbers == [2, 2]

    def test_a_token_of_whoever_asked_approves_no_more_than_its_owner(self) -> None:
        change = self.planned()
        Change.objects.filter(pk=change.pk).update(requested_by=self.ada)
        assert change.plan is not None
        body = {"plan_digest": change.plan.digest, "confirmation": "alpha"}
        reply = self.bearer(self.ada).post(f"/api/v1/changes/{change.pk}/approve/", body)
        assert self.error_of(reply, 403) == "change.may_not_approve"

    def test_only_approvals_that_count_are_counted(self) -> None:
        change = self.approved()
        type(self.ada).objects.filter(pk=self.ada.pk).update(is_active=False)
        found = self.session(self.vera).get(f"/api/v1/changes/{change.pk}/").json()["approval"]
        assert (found["wanted"], found["given"], len(found["approvals"])) == (1, 0, 1)
        assert found["by"].startswith("The rule for * from medium risk")


class GoneHostTests(ReviewTestCase):
    """Hosts that are retired or revoked."""

    def gone(self) -> None:
        """Alpha is."""
        Host.objects.filter(pk=self.alpha.row.pk).update(state=HostState.RETIRED)

    def test_what_was_not_begun_is_cancelled_and_says_why(self) -> None:
        queued = self.approved()
        self.act(change_apply, queued, "omar")
        changes = [queued, self.planned(), self.asked("metaslot.enable")]
        assert changes_of_gone_hosts_end() == 0
        self.gone()
        assert changes_of_gone_hosts_end() == 3
        assert {self.state_of(change) for change in changes} == {ChangeState.CANCELLED}
        assert {change.message for change in changes} == {
            "alpha is retired: nothing of this was run."
        }
        assert changes_of_gone_hosts_end() == 0

    def test_what_waits_for_a_reboot_needs_a_person(self) -> None:
        change = self.approved(phases=2)
        self.act(change_apply, change, "omar")
        agent, order = applying(self.alpha.row)
        ended(agent, order, "waiting_reboot", is_last=False)
        self.gone()
        assert changes_of_gone_hosts_end() == 1
        assert self.state_of(change) == ChangeState.NEEDS_ATTENTION
        assert "stands there" in change.message

    def test_nothing_is_applied_to_them(self) -> None:
        change = self.approved()
        self.gone()
        change.host.refresh_from_db()
        with pytest.raises(StateConflict, match="alpha is retired"):
            self.act(change_apply, change, "omar")


class RiskTests(ReviewTestCase):
    """Rules go by what a plan does, not only by what its agent calls it."""

    def test_what_others_notice_is_of_medium_risk_at_least(self) -> None:
        for kind in ("reboot", "domain_restart", "sessions_cut", "outage", "delete"):
            noticed = [Consequence(kind=kind, subject="ldg1", text="It stops.")]
            change = self.planned(risk="low", consequences=noticed)
            assert change.plan is not None
            assert (change.plan.risk, change.state) == ("medium", "awaiting_approval"), kind
        change = self.planned(risk="low", phases=2)
        assert change.state == ChangeState.AWAITING_APPROVAL

    def test_higher_risks_stay_and_harmless_ones_too(self) -> None:
        harmless = [Consequence(kind="restart_needed", subject="sshd", text="Restart it.")]
        for risk in ("low", "high"):
            plan = self.planned(risk=risk, consequences=harmless).plan
            assert plan is not None
            assert plan.risk == risk

    def test_a_plan_for_other_parameters_is_none(self) -> None:
        change, agent = self.asked(), FakeAgent(self.alpha.row)
        other = a_plan(self.asked(counts={"primary": 0}))
        order = agent.must_claim(Lane.QUICK)
        agent.send(agent.finished(order, result={"plan": to_plain(other)}))
        assert self.state_of(change) == ChangeState.FAILED
        assert "other parameters" in change.message
