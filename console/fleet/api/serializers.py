"""What goes in and out of the fleet's endpoints."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from console.accounts.api.serializers import UserBrief
from console.changes.kinds.registry import kind_title
from console.core.api import CapabilitiesField
from console.fleet.enums import EnrolmentTokenState
from console.fleet.models import EnrolmentToken, GaugeSeries, Host

LabelsField = serializers.DictField


class HostBrief(serializers.ModelSerializer[Host]):
    """A host named by something on it."""

    class Meta:
        model = Host
        fields = ("id", "name", "is_simulated")


class HostOutput(serializers.ModelSerializer[Host]):
    """A host. `last_seen_at` is contact, `inventory_at` when its facts were last confirmed."""

    labels = LabelsField(child=serializers.CharField())
    allow = serializers.ListField(
        child=serializers.CharField(), help_text="Kinds of work that the host's own admin accepts."
    )
    blind_spots = serializers.ListField(
        child=serializers.CharField(), help_text="What its agent cannot see, in sentences."
    )
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="Things in the newest inventory, by kind."
    )
    settings = serializers.DictField(help_text="Host-wide settings by dotted name.")
    capabilities = CapabilitiesField("host.update", "host.retire", "inventory.scan", "job.run")

    class Meta:
        model = Host
        fields: tuple[str, ...] = (
            "id",
            "name",
            "state",
            "hostname",
            "platform",
            "os_name",
            "os_version",
            "kernel",
            "architecture",
            "cpu_model",
            "cpu_count",
            "memory_bytes",
            "is_virtual",
            "is_simulated",
            "source",
            "runs_as",
            "agent_version",
            "wire",
            "labels",
            "allow",
            "blind_spots",
            "counts",
            "settings",
            "enrolled_at",
            "first_inventory_at",
            "last_seen_at",
            "inventory_at",
            "work_lane_closed_at",
            "updated_at",
            "capabilities",
        )


class HostChangeKindOutput(serializers.Serializer[Any]):
    """Whether a host takes a kind of change, by its driver and its own admin."""

    name = serializers.CharField()
    title = serializers.SerializerMethodField()
    is_accepted = serializers.BooleanField()
    reason = serializers.CharField(help_text="Why not; empty where it does.")

    def get_title(self, kind: Any) -> str:
        """The kind's title."""
        return kind_title(str(kind["name"]))


class HostDetailOutput(HostOutput):
    """A host with the kinds of change that it knows; empty until its agent has told."""

    changes = HostChangeKindOutput(source="change_kinds", many=True, read_only=True)

    class Meta(HostOutput.Meta):
        fields = (*HostOutput.Meta.fields, "changes")


class HostUpdateInput(serializers.Serializer[Any]):
    """What administrators change of a host; what is left out stays. `labels` replaces all."""

    name = serializers.CharField(max_length=120, required=False)
    labels = LabelsField(
        child=serializers.CharField(allow_blank=True, max_length=200), required=False
    )


class GaugeOutput(serializers.ModelSerializer[GaugeSeries]):
    """A gauge with its series of the last 24 hours, one point every five minutes."""

    points = serializers.SerializerMethodField()

    class Meta:
        model = GaugeSeries
        fields = ("name", "subject_key", "value", "at", "points")

    def get_points(self, row: GaugeSeries) -> list[list[float]]:
        """Return `[epoch second, value]` pairs, oldest first."""
        return [list(point) for point in row.points]


class HostGaugesOutput(serializers.Serializer[Any]):
    """The newest heartbeat's figures and the series behind them."""

    at = serializers.DateTimeField(allow_null=True, help_text="When the last heartbeat came.")
    uptime_seconds = serializers.FloatField(allow_null=True)
    is_broker_reached = serializers.BooleanField(
        allow_null=True, help_text="Whether doorbells reach it; without them work waits longer."
    )
    gauges = GaugeOutput(many=True)


class EnrolmentTokenOutput(serializers.ModelSerializer[EnrolmentToken]):
    """An enrolment token without its secret."""

    state = serializers.ChoiceField(choices=EnrolmentTokenState.choices, read_only=True)
    hint = serializers.CharField(read_only=True, help_text="How the secret begins.")
    labels = LabelsField(child=serializers.CharField(), help_text="What its hosts are labelled.")
    created_by = UserBrief(read_only=True, allow_null=True)
    capabilities = CapabilitiesField("enrolment_token.manage")

    class Meta:
        model = EnrolmentToken
        fields: tuple[str, ...] = (
            "id",
            "name",
            "hint",
            "state",
            "labels",
            "max_uses",
            "use_count",
            "created_by",
            "created_at",
            "expires_at",
            "revoked_at",
            "last_used_at",
            "capabilities",
        )


class EnrolmentTokenCreateInput(serializers.Serializer[Any]):
    """A new enrolment token: one host within an hour, unless said otherwise."""

    name = serializers.CharField(max_length=100, required=False, default="enrolment")
    lifetime_seconds = serializers.IntegerField(
        min_value=60, max_value=90 * 86400, required=False, default=3600
    )
    max_uses = serializers.IntegerField(min_value=1, max_value=10_000, required=False, default=1)
    labels = LabelsField(
        child=serializers.CharField(allow_blank=True, max_length=200), required=False
    )


class InstallOutput(serializers.Serializer[Any]):
    """The one line to run on the new host; empty where the console has no safe address yet."""

    command = serializers.CharField()
    note = serializers.CharField()


class EnrolmentTokenCreatedOutput(EnrolmentTokenOutput):
    """A new enrolment token with its secret, which is shown this once."""

    secret = serializers.SerializerMethodField()
    install = serializers.SerializerMethodField()

    class Meta(EnrolmentTokenOutput.Meta):
        fields = (*EnrolmentTokenOutput.Meta.fields, "secret", "install")

    def get_secret(self, _token: EnrolmentToken) -> str:
        """Take it from the view; the database has only its HMAC."""
        return str(self.context.get("secret", ""))

    @extend_schema_field(InstallOutput)
    def get_install(self, _token: EnrolmentToken) -> Any:
        """Take it from the view."""
        return InstallOutput(self.context.get("install")).data
