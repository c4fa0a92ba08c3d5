"""Findings: what a person should know about one subject on one host."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from console.advice.enums import FindingState
from console.core.models import BaseModel
from console.fleet.models import Host


class Finding(BaseModel):
    """One finding, from its first appearance on; it may resolve and come back as the same row.

    `last_seen_at` is written when it resolves; while it is open the host's `inventory_at` says it.
    An acknowledgement belongs to one appearance: a finding that comes back is unacknowledged.
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="findings")
    code = models.TextField()
    severity = models.TextField()
    subject_kind = models.TextField()
    subject_key = models.TextField()
    message = models.TextField()
    remedy = models.TextField(blank=True)
    evidence = models.JSONField(default=dict)
    appearance_count = models.IntegerField(default=1)
    first_seen_at = models.DateTimeField()
    appeared_at = models.DateTimeField()
    last_seen_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    comment = models.TextField(blank=True)

    class Meta:
        ordering = ("-appeared_at", "id")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["severity", "-appeared_at"],
                name="finding_open",
                condition=Q(resolved_at__isnull=True),
            ),
            models.Index(fields=["appeared_at", "id"], name="finding_appeared"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.subject_key}"

    @property
    def state(self) -> FindingState:
        """Where it stands."""
        if self.resolved_at is not None:
            return FindingState.RESOLVED
        known = self.acknowledged_at is not None
        return FindingState.ACKNOWLEDGED if known else FindingState.OPEN
