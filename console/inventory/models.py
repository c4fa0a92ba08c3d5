"""Observed state: snapshots, and the rows that the newest snapshot of each host was turned into.

Rows are written by console.inventory.ingest alone. Their ids are derived from host, kind and key
(console.inventory.rows), so that a thing that comes back is the same row again.
"""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from agents.wire.names import WorkKind
from console.core import events
from console.core.models import BaseModel
from console.fleet.claimable import ClaimableWork
from console.fleet.models import Host

PRESENT = Q(gone_at__isnull=True)
SCAN_DEADLINE_SECONDS = 600


class Snapshot(BaseModel):
    """One inventory of one host as it came: canonical JSON of the facts, gzip-compressed."""

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="snapshots")
    digest = models.CharField(max_length=64)
    taken_at = models.DateTimeField()
    received_at = models.DateTimeField()
    duration_seconds = models.FloatField(default=0.0)
    counts = models.JSONField(default=dict)
    facts_gzip = models.BinaryField()

    class Meta:
        ordering = ("-received_at",)
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["host", "-received_at"], name="snapshot_host_received"),
            models.Index(fields=["received_at", "id"], name="snapshot_received"),
        ]

    def __str__(self) -> str:
        return f"{self.host_id} {self.digest[:12]}"


class InventoryRow(BaseModel):
    """What every observed thing has.

    `last_seen_at` is written only when the thing goes; while it is there, the host's `inventory_at`
    says it, so that an unchanged row needs no write. `facts_hash` tells whether it changed.
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+")
    key = models.TextField()
    facts_hash = models.CharField(max_length=32)
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField(null=True)
    gone_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class LogicalDomain(InventoryRow):
    """An LDom, a libvirt domain or a vfio-ap mediated device's guest."""

    name = models.TextField()
    kind = models.TextField()
    state = models.TextField(blank=True)
    attributes = models.JSONField(default=dict)

    class Meta:
        ordering = ("name", "id")

    def __str__(self) -> str:
        return self.name


class CryptoUnit(InventoryRow):
    """An accelerator or another crypto resource of the hardware; `state` is the platform's word."""

    kind = models.TextField()
    name = models.TextField()
    is_assignable = models.BooleanField(default=False)
    state = models.TextField(default="present")
    domain_key = models.TextField(null=True)  # noqa: DJ001 - None: unassigned; "" would be a key
    domain = models.ForeignKey(
        LogicalDomain, on_delete=models.SET_NULL, null=True, related_name="units"
    )
    features = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    attributes = models.JSONField(default=dict)

    class Meta:
        ordering = ("name", "id")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["kind", "state"], name="unit_kind_state", condition=PRESENT),
        ]

    def __str__(self) -> str:
        return self.name


class Provider(InventoryRow):
    """A PKCS#11 library, a kernel provider, an OpenSSL provider or engine."""

    kind = models.TextField()
    name = models.TextField()
    path = models.TextField(blank=True)
    state = models.TextField(default="ok")
    error = models.TextField(blank=True)
    manufacturer = models.TextField(blank=True)
    description = models.TextField(blank=True)
    version = models.TextField(blank=True)
    cryptoki_version = models.TextField(blank=True)
    is_thread_safe = models.BooleanField(null=True)
    attributes = models.JSONField(default=dict)
    mechanism_count = models.IntegerField(default=0)
    slot_count = models.IntegerField(default=0)

    class Meta:
        ordering = ("name", "id")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["kind", "name"], name="provider_kind_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Mechanism(InventoryRow):
    """One mechanism of one provider with its three facts: offered, allowed, verified."""

    provider = models.ForeignKey(Provider, on_delete=models.CASCADE, related_name="mechanisms")
    name = models.TextField()
    number = models.BigIntegerField(null=True)
    slot_key = models.TextField(blank=True)
    min_key_size = models.BigIntegerField(null=True)
    max_key_size = models.BigIntegerField(null=True)
    key_size_unit = models.TextField(blank=True)
    operations = models.JSONField(default=list)
    is_hardware = models.BooleanField(default=False)
    is_offered = models.BooleanField(default=True)
    is_allowed = models.BooleanField(null=True)
    is_verified = models.BooleanField(null=True)
    attributes = models.JSONField(default=dict)

    class Meta:
        ordering = ("name", "id")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["name", "id"], name="mechanism_present", condition=PRESENT),
            models.Index(fields=["host", "name", "id"], name="mechanism_host_name"),
            models.Index(fields=["provider", "name", "id"], name="mechanism_provider_name"),
            models.Index(fields=["number", "id"], name="mechanism_number"),
        ]

    def __str__(self) -> str:
        return self.name


class Slot(InventoryRow):
    """One slot of a PKCS#11 library; `slot_id` is only today's number."""

    provider = models.ForeignKey(Provider, on_delete=models.CASCADE, related_name="slots")
    slot_id = models.BigIntegerField()
    description = models.TextField(blank=True)
    manufacturer = models.TextField(blank=True)
    is_hardware = models.BooleanField(default=False)
    is_removable = models.BooleanField(default=False)
    hardware_version = models.TextField(blank=True)
    firmware_version = models.TextField(blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("slot_id", "id")

    def __str__(self) -> str:
        return f"{self.slot_id}"


class Token(InventoryRow):
    """One PKCS#11 token. A limit of None is unavailable (not zero), of -1 unlimited."""

    provider = models.ForeignKey(Provider, on_delete=models.CASCADE, related_name="tokens")
    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="tokens")
    label = models.TextField(blank=True)
    serial = models.TextField(blank=True)
    model = models.TextField(blank=True)
    manufacturer = models.TextField(blank=True)
    flags = models.JSONField(default=list)
    is_initialised = models.BooleanField(default=True)
    user_pin_state = models.TextField()
    so_pin_state = models.TextField()
    min_pin_length = models.BigIntegerField(null=True)
    max_pin_length = models.BigIntegerField(null=True)
    max_sessions = models.BigIntegerField(null=True)
    max_rw_sessions = models.BigIntegerField(null=True)
    total_public_memory_bytes = models.BigIntegerField(null=True)
    total_private_memory_bytes = models.BigIntegerField(null=True)
    hardware_version = models.TextField(blank=True)
    firmware_version = models.TextField(blank=True)
    public_objects = models.JSONField(default=dict)
    has_pin_source = models.BooleanField(default=False)
    certificate_count = models.IntegerField(default=0)

    class Meta:
        ordering = ("label", "id")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["serial"], name="token_serial"),
            models.Index(fields=["user_pin_state"], name="token_pin", condition=PRESENT),
        ]

    def __str__(self) -> str:
        return self.label or self.serial


class Certificate(InventoryRow):
    """An X.509 certificate that a token shows without login."""

    token = models.ForeignKey(Token, on_delete=models.CASCADE, related_name="certificates")
    sha256 = models.TextField()
    label = models.TextField(blank=True)
    object_id = models.TextField(blank=True)
    subject = models.TextField(blank=True)
    issuer = models.TextField(blank=True)
    serial = models.TextField(blank=True)
    names = models.JSONField(default=list)
    not_before = models.DateTimeField(null=True)
    not_after = models.DateTimeField(null=True)
    key_type = models.TextField(blank=True)
    key_bits = models.BigIntegerField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("not_after", "id")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["not_after", "id"], name="certificate_expiry", condition=PRESENT),
            models.Index(fields=["sha256"], name="certificate_sha256"),
        ]

    def __str__(self) -> str:
        return self.subject or self.sha256


ROW_MODELS: tuple[type[Any], ...] = (
    LogicalDomain,
    CryptoUnit,
    Provider,
    Slot,
    Token,
    Certificate,
    Mechanism,
)
"""All row models, parents before children."""


class InventoryScan(ClaimableWork):
    """A request that the agent scan its host now. Its result is a snapshot, if anything changed."""

    kind: ClassVar[WorkKind] = WorkKind.INVENTORY_SCAN

    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta(ClaimableWork.Meta):
        ordering = ("-queued_at",)

    def __str__(self) -> str:
        return f"scan of {self.host_id}"

    def order_parameters(self) -> dict[str, Any]:
        """Return nothing: a scan has no parameters."""
        return {}

    def deadline_seconds(self) -> int:
        """Return the hard limit of a scan; each PKCS#11 module has a shorter one of its own."""
        return SCAN_DEADLINE_SECONDS

    def announce(self, at: datetime) -> None:
        """Publish on topic `inventory`, under the host's id."""
        events.publish("inventory", self.host_id, at)
