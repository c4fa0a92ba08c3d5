"""Endpoints of approval rules, maintenance windows and drift."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from console.changes.api.policy_serializers import (
    ApprovalRuleCreateInput,
    ApprovalRuleOutput,
    ApprovalRuleUpdateInput,
    DriftOutput,
    MaintenanceWindowCreateInput,
    MaintenanceWindowOutput,
    MaintenanceWindowUpdateInput,
)
from console.changes.approval_rules import rule_create, rule_delete, rule_list, rule_update
from console.changes.drift import drift_list
from console.changes.enums import WindowKind
from console.changes.models_policy import RISKS, ApprovalRule, DesiredPart, MaintenanceWindow
from console.changes.windows import window_create, window_delete, window_list, window_update
from console.core.api import DetailApi, ListApi
from console.core.filters import (
    ChoicesFilter,
    IdsFilter,
    KeyrackFilterSet,
    SearchFilter,
    TimeFilter,
    WordsFilter,
)
from console.fleet.api.filters import GroupFilter
from console.fleet.selectors import host_group_list


class ApprovalRuleFilter(KeyrackFilterSet):
    """?minimum_risk=&search="""

    minimum_risk = ChoicesFilter("minimum_risk", choices=RISKS)
    search = SearchFilter("kind_pattern", "note")

    class Meta:
        model = ApprovalRule
        fields: tuple[str, ...] = ()


class MaintenanceWindowFilter(KeyrackFilterSet):
    """?group=&kind=&search="""

    group = IdsFilter("group")
    kind = ChoicesFilter("kind", choices=WindowKind.choices)
    search = SearchFilter("name", "group__name")

    class Meta:
        model = MaintenanceWindow
        fields: tuple[str, ...] = ()


class DriftFilter(KeyrackFilterSet):
    """?host=&group=&part=&kind=&is_simulated=&since_after=&search="""

    host = IdsFilter("host")
    group = GroupFilter("host")
    part = WordsFilter("part")
    kind = WordsFilter("change__kind")
    is_simulated = django_filters.BooleanFilter("host__is_simulated")
    since_after = TimeFilter("drifted_since", lookup_expr="gte")
    search = SearchFilter("part", "host__name")

    class Meta:
        model = DesiredPart
        fields: tuple[str, ...] = ()


class ApprovalRuleListApi(ListApi):
    """Approval rules."""

    verbs = {"GET": "change.read", "POST": "approval_rule.manage"}
    serializer_class = ApprovalRuleOutput
    inputs = {"POST": ApprovalRuleCreateInput}
    statuses = {"POST": 201}
    filterset_class = ApprovalRuleFilter
    ordering = "kind_pattern"
    ordering_fields = {"kind_pattern": "kind_pattern", "created_at": "created_at"}

    def selector(self) -> QuerySet[ApprovalRule]:
        """All of them."""
        return rule_list(actor=self.actor)

    def post(self, _request: Request) -> Response:
        """Make a rule."""
        return self.reply(rule_create(actor=self.actor, **self.read_input()))


class ApprovalRuleDetailApi(DetailApi):
    """One approval rule."""

    verbs = {
        "GET": "change.read",
        "PATCH": "approval_rule.manage",
        "DELETE": "approval_rule.manage",
    }
    serializer_class = ApprovalRuleOutput
    inputs = {"PATCH": ApprovalRuleUpdateInput}
    statuses = {"DELETE": 204}
    noun = "approval_rule"

    def selector(self) -> QuerySet[ApprovalRule]:
        """All of them."""
        return rule_list(actor=self.actor)

    def patch(self, _request: Request, pk: Any) -> Response:
        """Alter it."""
        given = self.read_input()
        rule = self.one(self.get_queryset(), self.noun)
        return self.reply(rule_update(actor=self.actor, rule=rule, **given))

    def delete(self, _request: Request, pk: Any) -> Response:
        """Delete it."""
        rule_delete(actor=self.actor, rule=self.one(self.get_queryset(), self.noun))
        return self.reply()


class MaintenanceWindowListApi(ListApi):
    """Maintenance windows."""

    verbs = {"GET": "change.read", "POST": "maintenance_window.manage"}
    serializer_class = MaintenanceWindowOutput
    inputs = {"POST": MaintenanceWindowCreateInput}
    statuses = {"POST": 201}
    filterset_class = MaintenanceWindowFilter
    ordering = "name"
    ordering_fields = {"name": "name", "group": "group__name", "opens_at": "opens_at"}

    def selector(self) -> QuerySet[MaintenanceWindow]:
        """All of them."""
        return window_list(actor=self.actor)

    def post(self, _request: Request) -> Response:
        """Make a window of a group of hosts."""
        given = self.read_input()
        group = self.one(host_group_list(actor=self.actor), "host_group", given.pop("group"))
        return self.reply(window_create(actor=self.actor, group=group, **given))


class MaintenanceWindowDetailApi(DetailApi):
    """One maintenance window."""

    verbs = {
        "GET": "change.read",
        "PATCH": "maintenance_window.manage",
        "DELETE": "maintenance_window.manage",
    }
    serializer_class = MaintenanceWindowOutput
    inputs = {"PATCH": MaintenanceWindowUpdateInput}
    statuses = {"DELETE": 204}
    noun = "maintenance_window"

    def selector(self) -> QuerySet[MaintenanceWindow]:
        """All of them."""
        return window_list(actor=self.actor)

    def patch(self, _request: Request, pk: Any) -> Response:
        """Alter it."""
        given = self.read_input()
        window = self.one(self.get_queryset(), self.noun)
        return self.reply(window_update(actor=self.actor, window=window, **given))

    def delete(self, _request: Request, pk: Any) -> Response:
        """Delete it; what it held back goes on where no other one holds it."""
        window_delete(actor=self.actor, window=self.one(self.get_queryset(), self.noun))
        return self.reply()


class DriftListApi(ListApi):
    """Drift."""

    verbs = {"GET": "change.read"}
    serializer_class = DriftOutput
    filterset_class = DriftFilter
    ordering = "-since"
    ordering_fields = {"since": "drifted_since", "host": "host__name", "part": "part"}

    def selector(self) -> QuerySet[DesiredPart]:
        """Parts that are not as a change last left them."""
        return drift_list(actor=self.actor)
