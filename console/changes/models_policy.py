"""What surrounds changes: approval rules, maintenance windows, the parts last applied."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from agents.wire.changes import Risk
from console.changes.enums import WindowKind
from console.core.models import BaseModel
from console.fleet.models import Host, HostGroup

RISKS = [(risk.value, risk.value) for risk in Risk]


class ApprovalRule(BaseModel):
    """So many people have to approve changes of these kinds, from this risk on.

    `kind_pattern`: a kind, all kinds of a noun (`unit.*`) or `*`. Of the rules that fit, the
    strictest counts.
    """

    kind_pattern = models.CharField(max_length=64)
    minimum_risk = models.CharField(max_length=16, choices=RISKS)
    approvals = models.PositiveSmallIntegerField()
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("kind_pattern", "minimum_risk")
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["kind_pattern", "minimum_risk"], name="approval_rule_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind_pattern} from {self.minimum_risk}"


class MaintenanceWindow(BaseModel):
    """When changes of a group's hosts may be applied: weekly, or once.

    `weekdays` count from Monday, 0, in `time_zone`. `opens_at` and `closes_at` are the interval
    that is open or comes next, None once there is none; windows.py writes them, and `rung_at`:
    when hosts with queued changes were last told that it opened.
    """

    group = models.ForeignKey(HostGroup, on_delete=models.CASCADE, related_name="windows")
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=8, choices=WindowKind)
    weekdays = models.JSONField(default=list)
    start_time = models.TimeField(null=True)
    duration_seconds = models.PositiveIntegerField(default=0)
    time_zone = models.CharField(max_length=64, default="UTC")
    starts_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)

    opens_at = models.DateTimeField(null=True)
    closes_at = models.DateTimeField(null=True)
    rung_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name",)
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["closes_at"], name="maintenance_window_closes"),
        ]

    def __str__(self) -> str:
        return self.name


class DesiredPart(BaseModel):
    """A part of a host as a change last left it. While it drifts, `found` is what is there."""

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="desired_parts")
    part = models.TextField()
    expected = models.JSONField(null=True)
    found = models.JSONField(null=True)
    change = models.ForeignKey("changes.Change", on_delete=models.CASCADE, related_name="+")
    applied_at = models.DateTimeField()
    drifted_since = models.DateTimeField(null=True)

    class Meta:
        ordering = ("part", "id")
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["host", "part"], name="desired_part_once")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["drifted_since", "id"],
                condition=Q(drifted_since__isnull=False),
                name="desired_part_drifted",
            ),
        ]

    def __str__(self) -> str:
        return self.part
