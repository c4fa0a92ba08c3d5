"""How approval rules, maintenance windows and drift look in the API."""

from typing import Any
from zoneinfo import available_timezones

from rest_framework import serializers

from console.changes.approval_rules import MAX_APPROVALS
from console.changes.enums import WindowKind
from console.changes.kinds.registry import kind_title
from console.changes.models import Change
from console.changes.models_policy import RISKS, ApprovalRule, DesiredPart, MaintenanceWindow
from console.changes.windows import MAX_SECONDS
from console.core.api import CapabilitiesField
from console.fleet.api.serializers import HostBrief
from console.fleet.models import HostGroup


class ApprovalRuleOutput(serializers.ModelSerializer[ApprovalRule]):
    """So many people have to approve changes of these kinds from this risk on."""

    capabilities = CapabilitiesField("approval_rule.manage")

    class Meta:
        model = ApprovalRule
        fields = (
            "id",
            "kind_pattern",
            "minimum_risk",
            "approvals",
            "note",
            "created_at",
            "updated_at",
            "capabilities",
        )


class ApprovalRuleCreateInput(serializers.Serializer[Any]):
    """A new rule; of the rules that fit a plan the strictest counts."""

    kind_pattern = serializers.CharField(
        max_length=64, help_text="A kind of change, all kinds of a noun (unit.*), or *."
    )
    minimum_risk = serializers.ChoiceField(choices=RISKS)
    approvals = serializers.IntegerField(min_value=0, max_value=MAX_APPROVALS)
    note = serializers.CharField(max_length=2000, allow_blank=True, required=False)


class ApprovalRuleUpdateInput(ApprovalRuleCreateInput):
    """What is left out stays."""

    kind_pattern = serializers.CharField(max_length=64, required=False)
    minimum_risk = serializers.ChoiceField(choices=RISKS, required=False)
    approvals = serializers.IntegerField(min_value=0, max_value=MAX_APPROVALS, required=False)


class HostGroupBrief(serializers.ModelSerializer[HostGroup]):
    """A group named by something of it."""

    class Meta:
        model = HostGroup
        fields = ("id", "name")


class WeekdaysField(serializers.ListField):
    """Days of the week, 0 is Monday."""

    child = serializers.IntegerField(min_value=0, max_value=6)

    def to_internal_value(self, data: Any) -> list[int]:
        """Each day once, in order."""
        return sorted(set(super().to_internal_value(data)))


class MaintenanceWindowOutput(serializers.ModelSerializer[MaintenanceWindow]):
    """When changes of a group's hosts may be applied; `opens_at` is the interval open or next."""

    group = HostGroupBrief(read_only=True)
    weekdays = WeekdaysField(read_only=True)
    capabilities = CapabilitiesField("maintenance_window.manage")

    class Meta:
        model = MaintenanceWindow
        fields = (
            "id",
            "group",
            "name",
            "kind",
            "weekdays",
            "start_time",
            "duration_seconds",
            "time_zone",
            "starts_at",
            "ends_at",
            "opens_at",
            "closes_at",
            "created_at",
            "updated_at",
            "capabilities",
        )


class MaintenanceWindowUpdateInput(serializers.Serializer[Any]):
    """What is left out stays. Weekly: days, start, duration, zone; once: from and to."""

    name = serializers.CharField(max_length=100, required=False)
    kind = serializers.ChoiceField(choices=WindowKind.choices, required=False)
    weekdays = WeekdaysField(required=False)
    start_time = serializers.TimeField(required=False, allow_null=True)
    duration_seconds = serializers.IntegerField(required=False, min_value=0, max_value=MAX_SECONDS)
    time_zone = serializers.CharField(max_length=64, required=False, help_text="As Europe/Prague.")
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    ends_at = serializers.DateTimeField(required=False, allow_null=True)

    def validate_time_zone(self, value: str) -> str:
        """It is one that this console knows."""
        if value not in available_timezones():
            raise serializers.ValidationError("There is no such time zone.")
        return value


class MaintenanceWindowCreateInput(MaintenanceWindowUpdateInput):
    """A new window of a group."""

    group = serializers.UUIDField()
    name = serializers.CharField(max_length=100)
    kind = serializers.ChoiceField(choices=WindowKind.choices)


class ChangeBrief(serializers.ModelSerializer[Change]):
    """A change named by what it left."""

    title = serializers.SerializerMethodField()

    class Meta:
        model = Change
        fields = ("id", "kind", "title")

    def get_title(self, change: Change) -> str:
        """The kind's title."""
        return kind_title(change.kind)


class DriftOutput(serializers.ModelSerializer[DesiredPart]):
    """A part of a host that is not as a change last left it; values are of any kind."""

    host = HostBrief(read_only=True)
    expected = serializers.JSONField(read_only=True, allow_null=True)
    found = serializers.JSONField(read_only=True, allow_null=True)
    change = ChangeBrief(read_only=True)
    since = serializers.DateTimeField(source="drifted_since", read_only=True)

    class Meta:
        model = DesiredPart
        fields = ("id", "host", "part", "expected", "found", "change", "applied_at", "since")
