"""Hosts, the tokens that enrol them and the credentials that their agents hold."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from console.core.models import BaseModel
from console.fleet.enums import EnrolmentTokenState, HostState


class Host(BaseModel):
    """A machine (or one agent instance on it) that runs an agent.

    `enrolled_at`, `first_inventory_at` and `last_seen_at` are three separate facts. `inventory_at`
    is the last time at which the agent confirmed that the current snapshot still holds. What an
    agent says is free text: its length is bounded by ingest, not by the column.
    """

    name = models.CharField(max_length=120, unique=True)
    machine_id = models.CharField(max_length=128, unique=True)
    state = models.CharField(max_length=16, choices=HostState, default=HostState.PENDING)
    labels = models.JSONField(default=dict)

    hostname = models.TextField(blank=True)
    platform = models.TextField(blank=True)
    os_name = models.TextField(blank=True)
    os_version = models.TextField(blank=True)
    kernel = models.TextField(blank=True)
    architecture = models.TextField(blank=True)
    cpu_model = models.TextField(blank=True)
    cpu_count = models.BigIntegerField(default=0)
    memory_bytes = models.BigIntegerField(default=0)
    is_virtual = models.BooleanField(null=True)
    is_simulated = models.BooleanField(default=False)
    source = models.TextField(default="live")
    runs_as = models.TextField(blank=True)
    blind_spots = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    workloads = models.JSONField(default=list)
    change_kinds = models.JSONField(default=list)
    parts = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)

    agent_version = models.TextField(blank=True)
    wire = models.CharField(max_length=16, blank=True)
    allow = models.JSONField(default=list)
    snapshot_digest = models.CharField(max_length=64, blank=True)

    enrolled_at = models.DateTimeField()
    first_inventory_at = models.DateTimeField(null=True)
    inventory_at = models.DateTimeField(null=True)
    last_seen_at = models.DateTimeField(null=True)

    # Written by console.fleet.work alone: the highest report number stored, and since when the lane
    # `work` is closed because contact was lost with a piece of work on it.
    acknowledged_seq = models.PositiveBigIntegerField(default=0)
    work_lane_closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("name",)
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["state", "name"], name="host_state_name"),
            models.Index(fields=["last_seen_at"], name="host_last_seen_at"),
        ]

    def __str__(self) -> str:
        return self.name


class HostGroup(BaseModel):
    """Hosts that are kept alike, as for their maintenance; a host may be in several groups."""

    name = models.CharField(max_length=100, unique=True)
    description = models.TextField(blank=True)
    hosts = models.ManyToManyField(Host, related_name="groups", blank=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class EnrolmentToken(BaseModel):
    """Lets machines become hosts, `max_uses` times until `expires_at`. Only an HMAC is stored."""

    name = models.CharField(max_length=100)
    hint = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    labels = models.JSONField(default=dict)
    max_uses = models.PositiveIntegerField(default=1)
    use_count = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.name

    @property
    def state(self) -> EnrolmentTokenState:
        """Whether it still enrols."""
        if self.revoked_at is not None:
            return EnrolmentTokenState.REVOKED
        if self.expires_at <= timezone.now():
            return EnrolmentTokenState.EXPIRED
        used_up = self.use_count >= self.max_uses
        return EnrolmentTokenState.USED_UP if used_up else EnrolmentTokenState.ACTIVE


class AgentCredential(BaseModel):
    """What an agent shows with each request. At most one per host is active; the rest is history.

    `broker_password_sha256` is what Redis keeps of the broker password, enough to make the agent's
    broker user again after a Redis that forgot it.
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="credentials")
    hint = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    broker_password_sha256 = models.CharField(max_length=64, blank=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["host"],
                condition=Q(revoked_at__isnull=True),
                name="agent_credential_one_active",
            )
        ]

    def __str__(self) -> str:
        return f"{self.hint}…"


class GaugeSeries(models.Model):
    """One gauge of one host: the newest value and a bounded list of `[epoch second, value]`."""

    id = models.BigAutoField(primary_key=True)
    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="gauge_series")
    name = models.TextField()
    subject_key = models.TextField(blank=True)
    value = models.FloatField()
    at = models.DateTimeField()
    points = models.JSONField(default=list)

    class Meta:
        ordering = ("name", "subject_key")
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["host", "name", "subject_key"], name="gauge_series_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.subject_key}".strip()
