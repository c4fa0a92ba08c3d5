"""How observed things look in the API. What an agent calls something stays as it came."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from console.core.api import CapabilitiesField
from console.fleet.api.serializers import HostBrief
from console.fleet.enums import WorkState
from console.inventory.enums import ChangeKind
from console.inventory.models import (
    Certificate,
    CryptoUnit,
    InventoryRow,
    InventoryScan,
    LogicalDomain,
    Mechanism,
    Provider,
    Slot,
    Snapshot,
    Token,
)

_LIFE = ("first_seen_at", "last_seen_at", "gone_at")


class AttributesField(serializers.DictField):
    """Further facts that only one kind of thing has: scalars and lists of text by name."""


class WordsField(serializers.ListField):
    """A list of words."""

    child = serializers.CharField()


class RowOutput(serializers.ModelSerializer[Any]):
    """What every observed thing shows."""

    host = HostBrief(read_only=True)
    last_seen_at = serializers.SerializerMethodField(
        help_text="While it is there: when its host's inventory was last confirmed."
    )

    def get_last_seen_at(self, row: InventoryRow) -> datetime | None:
        """Unchanged rows are not written, so their host says when they were last seen."""
        return row.host.inventory_at if row.gone_at is None else row.last_seen_at


class DomainBrief(serializers.ModelSerializer[LogicalDomain]):
    """A logical domain named by a unit."""

    class Meta:
        model = LogicalDomain
        fields = ("id", "name")


class UnitOutput(RowOutput):
    """A crypto unit."""

    domain = DomainBrief(read_only=True, allow_null=True)
    features = WordsField()
    attributes = AttributesField()

    class Meta:
        model = CryptoUnit
        fields: tuple[str, ...] = (
            "id",
            "host",
            "key",
            "kind",
            "name",
            "is_assignable",
            "state",
            "domain",
            "domain_key",
            "features",
            "reason",
            "attributes",
            *_LIFE,
        )


class DomainOutput(RowOutput):
    """A logical domain."""

    attributes = AttributesField()

    class Meta:
        model = LogicalDomain
        fields: tuple[str, ...] = (
            "id",
            "host",
            "key",
            "name",
            "kind",
            "state",
            "attributes",
            *_LIFE,
        )


class ProviderOutput(RowOutput):
    """A provider with how many mechanisms and slots it has."""

    attributes = AttributesField()

    class Meta:
        model = Provider
        fields: tuple[str, ...] = (
            "id",
            "host",
            "key",
            "kind",
            "name",
            "path",
            "state",
            "error",
            "manufacturer",
            "description",
            "version",
            "cryptoki_version",
            "is_thread_safe",
            "attributes",
            "mechanism_count",
            "slot_count",
            *_LIFE,
        )


class ProviderBrief(serializers.ModelSerializer[Provider]):
    """A provider named by something of it."""

    class Meta:
        model = Provider
        fields = ("id", "name", "kind")


class MechanismOutput(RowOutput):
    """A mechanism: offered, allowed (null: no policy), verified (null: never tested)."""

    provider = ProviderBrief(read_only=True)
    number_hex = serializers.SerializerMethodField()
    operations = WordsField()
    attributes = AttributesField()

    class Meta:
        model = Mechanism
        fields: tuple[str, ...] = (
            "id",
            "host",
            "provider",
            "name",
            "number",
            "number_hex",
            "slot_key",
            "min_key_size",
            "max_key_size",
            "key_size_unit",
            "operations",
            "is_hardware",
            "is_offered",
            "is_allowed",
            "is_verified",
            "attributes",
            *_LIFE,
        )

    def get_number_hex(self, row: Mechanism) -> str | None:
        """Return the CK_MECHANISM_TYPE as headers write it: 0x00001087."""
        return None if row.number is None else f"0x{row.number:08x}"


class SlotOutput(RowOutput):
    """A slot of a PKCS#11 library."""

    provider = ProviderBrief(read_only=True)

    class Meta:
        model = Slot
        fields: tuple[str, ...] = (
            "id",
            "host",
            "provider",
            "key",
            "slot_id",
            "description",
            "manufacturer",
            "is_hardware",
            "is_removable",
            "hardware_version",
            "firmware_version",
            "error",
            *_LIFE,
        )


class TokenOutput(RowOutput):
    """A PKCS#11 token. Limits: null is unavailable (not zero), -1 unlimited."""

    provider = ProviderBrief(read_only=True)
    slot_id = serializers.SerializerMethodField(help_text="Today's slot number; it may change.")
    flags = WordsField()
    public_objects = serializers.DictField(child=serializers.IntegerField())
    gauges = serializers.SerializerMethodField(help_text="Newest figures, such as token.sessions.")

    class Meta:
        model = Token
        fields: tuple[str, ...] = (
            "id",
            "host",
            "provider",
            "slot_id",
            "key",
            "label",
            "serial",
            "model",
            "manufacturer",
            "flags",
            "is_initialised",
            "user_pin_state",
            "so_pin_state",
            "min_pin_length",
            "max_pin_length",
            "max_sessions",
            "max_rw_sessions",
            "total_public_memory_bytes",
            "total_private_memory_bytes",
            "hardware_version",
            "firmware_version",
            "public_objects",
            "has_pin_source",
            "certificate_count",
            "gauges",
            *_LIFE,
        )

    def get_slot_id(self, row: Token) -> int:
        """Return the number of its slot as last seen."""
        return row.slot.slot_id

    def get_gauges(self, row: Token) -> dict[str, float]:
        """Return what the view found in the newest heartbeats."""
        found: dict[str, float] = getattr(row, "gauges", {})
        return found


class TokenBrief(serializers.ModelSerializer[Token]):
    """A token named by a certificate."""

    class Meta:
        model = Token
        fields = ("id", "label")


class CertificateOutput(RowOutput):
    """A certificate that a token shows without login."""

    token = TokenBrief(read_only=True)
    names = WordsField()

    class Meta:
        model = Certificate
        fields: tuple[str, ...] = (
            "id",
            "host",
            "token",
            "sha256",
            "label",
            "object_id",
            "subject",
            "issuer",
            "serial",
            "names",
            "not_before",
            "not_after",
            "key_type",
            "key_bits",
            "error",
            *_LIFE,
        )


class SnapshotOutput(serializers.ModelSerializer[Snapshot]):
    """A snapshot without its facts."""

    host = HostBrief(read_only=True)
    counts = serializers.DictField(child=serializers.IntegerField())

    class Meta:
        model = Snapshot
        fields: tuple[str, ...] = (
            "id",
            "host",
            "digest",
            "taken_at",
            "received_at",
            "duration_seconds",
            "counts",
        )


class SnapshotDetailOutput(SnapshotOutput):
    """A snapshot with its facts as the agent sent them."""

    facts = serializers.DictField()

    class Meta(SnapshotOutput.Meta):
        fields = (*SnapshotOutput.Meta.fields, "facts")


class FieldChangeOutput(serializers.Serializer[Any]):
    """One field that differs; null where the field was, or is, not there."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class ChangeOutput(serializers.Serializer[Any]):
    """One thing that was added, removed or changed between two snapshots."""

    section = serializers.CharField()
    key = serializers.CharField()
    name = serializers.CharField()
    change = serializers.ChoiceField(choices=ChangeKind.choices)
    # The word on the wire hides the base's property of that name, which only its instances use.
    fields = FieldChangeOutput(many=True)  # type: ignore[assignment]


class SnapshotDiffOutput(serializers.Serializer[Any]):
    """How one snapshot differs from another."""

    older = SnapshotOutput()
    newer = SnapshotOutput()
    changes = ChangeOutput(many=True)


class ScanOutput(serializers.ModelSerializer[InventoryScan]):
    """A scan that somebody asked for."""

    host = HostBrief(read_only=True)
    state = serializers.ChoiceField(choices=WorkState.choices, read_only=True)
    capabilities = CapabilitiesField("inventory.scan")

    class Meta:
        model = InventoryScan
        fields = (
            "id",
            "host",
            "state",
            "message",
            "queued_at",
            "claimed_at",
            "started_at",
            "finished_at",
            "expires_at",
            "capabilities",
        )
