"""Approval rules: how many people have to approve which changes."""

from typing import Any

from console.audit.models import AuditEvent
from console.changes.approval_rules import approvals_by_rule, rule_create
from console.changes.enums import ChangeState
from console.changes.models import ApprovalRule
from tests.console.base import DetailTests, EndpointTests, ListTests
from tests.console.changes.cast import ChangesTestCase

_KINDS = ("unit.*", "unit.assign", "metaslot.*", "metaslot.enable", "provider.*", "spconfig.*",
          "spconfig.save", "reconf.*", "driver.*", "mechanism.*", "provider.unload")  # fmt: skip


class RuleTestCase(ChangesTestCase):
    """Rules beside the one to begin with."""

    def rule(self, pattern: str, risk: str = "low", approvals: int = 2) -> ApprovalRule:
        """A rule of adam's making."""
        fields: dict[str, Any] = {"minimum_risk": risk, "approvals": approvals}
        return rule_create(actor=self.actor(self.adam), kind_pattern=pattern, **fields)


class ApprovalRuleListApi(ListTests, RuleTestCase):
    """GET /approval-rules/"""

    view_name = "approval-rule-list"
    verb = "change.read"

    def make_rows(self, count: int) -> None:
        have = ApprovalRule.objects.count() - 1
        for pattern in _KINDS[have : have + count]:
            self.rule(pattern)

    def test_begins_with_four_eyes_from_medium_risk_on(self) -> None:
        row = self.listed()["results"][0]
        found = (row["kind_pattern"], row["minimum_risk"], row["approvals"])
        assert found == ("*", "medium", 1)
        wanted = [approvals_by_rule("unit.assign", risk) for risk in ("low", "medium", "high")]
        assert wanted == [0, 1, 1]

    def test_the_strictest_rule_that_fits_counts(self) -> None:
        self.rule("unit.*", "high", 2)
        self.rule("unit.assign", "low", 1)
        assert approvals_by_rule("unit.assign", "high") == 2
        assert approvals_by_rule("unit.assign", "low") == 1
        assert approvals_by_rule("metaslot.enable", "high") == 1

    def test_a_risk_that_is_not_known_counts_as_the_highest(self) -> None:
        assert approvals_by_rule("unit.assign", "cosmic") == 1

    def test_a_plan_waits_for_as_many_people_as_its_rule_wants(self) -> None:
        self.rule("unit.assign", "low", 1)
        assert self.planned(risk="low").state == ChangeState.AWAITING_APPROVAL

    def test_without_rules_nobody_has_to_approve(self) -> None:
        ApprovalRule.objects.all().delete()
        assert self.planned(risk="high").state == ChangeState.PLANNED


class ApprovalRuleCreateApi(EndpointTests, RuleTestCase):
    """POST /approval-rules/"""

    view_name = "approval-rule-list"
    method = "post"
    verb = "approval_rule.manage"
    success = 201

    def body(self) -> dict[str, Any]:
        return {"kind_pattern": "unit.*", "minimum_risk": "high", "approvals": 2}

    def test_refuses_patterns_without_a_kind_and_rules_that_are_there(self) -> None:
        client = self.session(self.adam)
        for pattern in ("units.*", "unit", "unit.fly", "*.assign", ""):
            body = {**self.body(), "kind_pattern": pattern}
            assert client.post(self.url(), body, format="json").status_code == 400, pattern
        assert self.call(client).status_code == 201
        assert self.error_of(self.call(client), 409) == "approval_rule.exists"
        assert AuditEvent.objects.filter(verb="approval_rule.create").count() == 1


class ApprovalRuleDetailApi(DetailTests, RuleTestCase):
    """GET /approval-rules/<id>/"""

    view_name = "approval-rule-detail"
    verb = "change.read"

    def url_kwargs(self) -> dict[str, Any]:
        have = ApprovalRule.objects.filter(kind_pattern="unit.*").first()
        return {"pk": (have or self.rule("unit.*", approvals=1)).pk}


class ApprovalRuleUpdateApi(ApprovalRuleDetailApi):
    """PATCH /approval-rules/<id>/"""

    method = "patch"
    verb = "approval_rule.manage"

    def body(self) -> dict[str, Any]:
        return {"approvals": 2}

    def test_the_audit_has_the_old_and_the_new_number(self) -> None:
        self.call(self.session(self.adam))
        event = AuditEvent.objects.get(verb="approval_rule.update")
        assert [(row or {})["approvals"] for row in (event.old, event.new)] == [1, 2]


class ApprovalRuleDeleteApi(ApprovalRuleDetailApi):
    """DELETE /approval-rules/<id>/"""

    method = "delete"
    verb = "approval_rule.manage"
    success = 204
