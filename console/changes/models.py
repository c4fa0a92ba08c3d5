"""Changes, their plans and approvals, the work that agents claim for them, and its output."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, Q
from django.utils import timezone

from agents.wire.names import WorkKind
from console.changes.enums import ChangeState
from console.changes.models_policy import ApprovalRule, DesiredPart, MaintenanceWindow
from console.core import events
from console.core.models import BaseModel
from console.fleet.claimable import ClaimableWork
from console.fleet.models import Host

PLANNING_DEADLINE_SECONDS = 120
APPLY_DEADLINE_SECONDS = 3600


class ChangeBatch(BaseModel):
    """The same change asked of many hosts: one change each."""

    kind = models.CharField(max_length=64)
    parameters = models.JSONField(default=dict)
    reason = models.TextField()
    total = models.PositiveIntegerField()
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    requested_by_name = models.CharField(max_length=200)
    request_key = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name_plural = "change batches"
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["requested_by", "request_key"],
                condition=~Q(request_key=""),
                name="change_batch_request_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.total} hosts"


class Change(BaseModel):
    """Desired state for one host. `plan` is its newest plan; older ones are kept.

    `request_key` is the client's: a request sent twice makes one change.
    `phase` counts the phases that are over. `waiting` says whose reboot ends the wait; `result` is
    what the agent said last (agents.wire.changes.ApplyResult).
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=64)
    parameters = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    state = models.CharField(max_length=20, choices=ChangeState, default=ChangeState.DRAFT)
    message = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    requested_by_name = models.CharField(max_length=200)
    request_key = models.CharField(max_length=64, blank=True)
    batch = models.ForeignKey(
        ChangeBatch, on_delete=models.CASCADE, null=True, related_name="changes"
    )
    batch_position = models.PositiveIntegerField(default=0)
    rollback_of = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, related_name="rollbacks"
    )

    plan = models.ForeignKey("Plan", on_delete=models.SET_NULL, null=True, related_name="+")
    phase = models.PositiveIntegerField(default=0)
    progress = models.JSONField(default=dict)
    progress_seq = models.PositiveBigIntegerField(default=0)
    result = models.JSONField(default=dict)
    waiting = models.JSONField(null=True)
    stale_difference = models.JSONField(default=list)

    planned_at = models.DateTimeField(null=True)
    queued_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    waiting_since = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at",)
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-created_at", "-id"], name="change_created"),
            models.Index(fields=["state", "-created_at"], name="change_state"),
            models.Index(fields=["host", "state"], name="change_host_state"),
            models.Index(
                fields=["expires_at"],
                condition=Q(state__in=["planned", "awaiting_approval"]),
                name="change_expiry",
            ),
        ]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["requested_by", "request_key"],
                condition=~Q(request_key=""),
                name="change_request_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.host}"

    def announce(self, at: datetime) -> None:
        """Publish that this changed at `at`; inside the transaction of the change."""
        events.publish("change", self.pk, at)
        if self.batch_id is not None:
            events.publish("batch", self.batch_id, at)


class Plan(BaseModel):
    """One plan of a change, as its agent made it; never altered."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="plans")
    digest = models.CharField(max_length=64)
    sentence = models.TextField()
    risk = models.CharField(max_length=16)
    is_noop = models.BooleanField(default=False)
    data = models.JSONField()

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.sentence

    @property
    def phase_digests(self) -> list[str]:
        """The digests of its phases, in order."""
        return [phase["digest"] for phase in self.data["phases"]]


class Approval(BaseModel):
    """One person's yes to one plan; it says nothing about any other plan."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="approvals")
    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="approvals")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    by_name = models.CharField(max_length=200)
    comment = models.TextField(blank=True)
    is_self = models.BooleanField(default=False)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ("created_at",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["plan", "by"], name="approval_once_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.by_name}: {self.plan_id}"


class ChangePlanning(ClaimableWork):
    """A request that the agent make a plan."""

    kind: ClassVar[WorkKind] = WorkKind.CHANGE_PLAN

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="plannings")
    result = models.JSONField(default=dict)

    class Meta(ClaimableWork.Meta):
        ordering = ("-queued_at",)

    def __str__(self) -> str:
        return f"planning of {self.change_id}"

    def order_parameters(self) -> dict[str, Any]:
        """See ClaimableWork."""
        return {"kind": self.change.kind, "parameters": self.change.parameters}

    def deadline_seconds(self) -> int:
        """See ClaimableWork."""
        return PLANNING_DEADLINE_SECONDS

    def finish_fields(self, result: dict[str, Any]) -> dict[str, Any]:
        """See ClaimableWork."""
        return {"result": result}

    def announce(self, at: datetime) -> None:
        """See ClaimableWork; the change follows."""
        from console.changes.following import planning_changed

        planning_changed(self.pk, at)


class ChangeRun(ClaimableWork):
    """One phase of a plan being applied, or the look after the last one."""

    kind: ClassVar[WorkKind] = WorkKind.CHANGE_APPLY

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="runs")
    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="runs")
    phase = models.PositiveIntegerField()
    result = models.JSONField(default=dict)
    output_bytes = models.PositiveIntegerField(default=0)

    class Meta(ClaimableWork.Meta):
        ordering = ("-queued_at",)

    def __str__(self) -> str:
        return f"phase {self.phase} of {self.change_id}"

    @classmethod
    def due_rows(cls, rows: models.QuerySet[Any]) -> models.QuerySet[Any]:
        """None while all applies are held back, or outside the host's maintenance windows."""
        from console.changes.windows import rows_outside

        paused = Exists(ApplyPause.objects.filter(is_paused=True))
        return rows.exclude(paused).exclude(rows_outside(timezone.now()))

    def admit(self) -> bool:
        """See ClaimableWork; the first phase only while its plan is approved."""
        from console.changes.queueing import run_admit

        return run_admit(self)

    def order_parameters(self) -> dict[str, Any]:
        """See ClaimableWork."""
        return {
            "kind": self.change.kind,
            "parameters": self.change.parameters,
            "plan_digest": self.plan.digest,
            "phase": self.phase,
            "phase_digests": self.plan.phase_digests,
        }

    def deadline_seconds(self) -> int:
        """See ClaimableWork."""
        return APPLY_DEADLINE_SECONDS

    def finish_fields(self, result: dict[str, Any]) -> dict[str, Any]:
        """See ClaimableWork."""
        return {"result": result}

    def announce(self, at: datetime) -> None:
        """See ClaimableWork; the change follows."""
        from console.changes.following import run_changed

        run_changed(self.pk, at)


class ChangeOutput(models.Model):
    """A piece of what a step's tool wrote; `chunk` counts from 0 within the run."""

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(ChangeRun, on_delete=models.CASCADE, related_name="output_chunks")
    chunk = models.PositiveIntegerField()
    step = models.PositiveIntegerField(null=True)
    stream = models.CharField(max_length=8, default="stdout")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("id",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["run", "chunk"], name="change_output_natural_key")
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.chunk}"


class ApplyPause(models.Model):
    """The one switch that holds all applies back; a single row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    is_paused = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    by_name = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return "paused" if self.is_paused else "not paused"


__all__ = [
    "ApplyPause",
    "Approval",
    "ApprovalRule",
    "Change",
    "ChangeBatch",
    "ChangeOutput",
    "ChangePlanning",
    "ChangeRun",
    "DesiredPart",
    "MaintenanceWindow",
    "Plan",
]
