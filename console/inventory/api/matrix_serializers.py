"""How a host's assignment matrix and the fleet's metaslots look in the API."""

from typing import Any

from rest_framework import serializers

from console.changes.enums import ChangeState
from console.fleet.api.serializers import HostBrief
from console.fleet.models import Host

_MODES = ("counted", "addressed", "none")


class MatrixDomainOutput(serializers.Serializer[Any]):
    """A domain as a column of the matrix."""

    id = serializers.UUIDField()
    key = serializers.CharField()
    name = serializers.CharField()
    state = serializers.CharField()
    flags = serializers.ListField(child=serializers.CharField())
    vcpu = serializers.IntegerField(allow_null=True)
    cores = serializers.ListField(child=serializers.CharField())
    unit_count = serializers.IntegerField()
    units_wanted = serializers.IntegerField(help_text="Differs while a reconfiguration waits.")
    max_units = serializers.IntegerField(help_text="As many as its cores allow.")
    is_control = serializers.BooleanField()
    reconfiguration = serializers.CharField(help_text="none or pending")


class MatrixUnitOutput(serializers.Serializer[Any]):
    """An assignable unit as a row of the matrix."""

    id = serializers.UUIDField()
    key = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.CharField()
    cpuset = serializers.ListField(child=serializers.CharField())
    core = serializers.CharField(allow_null=True)
    domain_key = serializers.CharField(allow_null=True, help_text="null: free")
    can_serve = serializers.ListField(
        child=serializers.CharField(), help_text="Keys of the domains that could have it."
    )


class MatrixChangeOutput(serializers.Serializer[Any]):
    """A change of the host's units that is not over."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=ChangeState.choices)
    sentence = serializers.CharField()
    created_at = serializers.DateTimeField()


class MatrixAssigningOutput(serializers.Serializer[Any]):
    """Whether the host takes changes of its units."""

    is_accepted = serializers.BooleanField()
    reason = serializers.CharField(help_text="Why not; empty where it does.")


class MatrixOutput(serializers.Serializer[Any]):
    """Who has which units, and could have. Mode `none` says why nothing can be assigned."""

    host = HostBrief()
    mode = serializers.ChoiceField(choices=[(mode, mode) for mode in _MODES])
    reason = serializers.CharField()
    assigning = MatrixAssigningOutput()
    domains = MatrixDomainOutput(many=True)
    units = MatrixUnitOutput(many=True)
    free = serializers.IntegerField()
    open_changes = MatrixChangeOutput(many=True)
    snapshot_digest = serializers.CharField()
    taken_at = serializers.DateTimeField(allow_null=True)


class MetaslotOutput(serializers.ModelSerializer[Host]):
    """One host's metaslot: as it is configured, and as libpkcs11 really offers it."""

    host = HostBrief(source="*")
    status = serializers.SerializerMethodField(help_text="As configured: enabled or disabled.")
    actual = serializers.SerializerMethodField(
        help_text="As programs really find it; empty where nobody could look."
    )
    token = serializers.SerializerMethodField()
    slot = serializers.SerializerMethodField()
    auto_key_migrate = serializers.SerializerMethodField()
    mechanisms = serializers.SerializerMethodField(
        help_text="all, or none, then the exceptions; disabled ones with a leading -."
    )

    class Meta:
        model = Host
        fields = (
            "id",
            "host",
            "status",
            "actual",
            "token",
            "slot",
            "auto_key_migrate",
            "mechanisms",
            "inventory_at",
        )

    def _said(self, host: Host, name: str) -> str:
        return str(host.settings.get(f"metaslot.{name}") or "")

    def get_status(self, host: Host) -> str:
        """As configured."""
        return self._said(host, "status")

    def get_actual(self, host: Host) -> str:
        """As offered."""
        return self._said(host, "actual")

    def get_token(self, host: Host) -> str:
        """The token behind it; empty: the first fitting."""
        return self._said(host, "token")

    def get_slot(self, host: Host) -> str:
        """The slot behind it."""
        return self._said(host, "slot")

    def get_auto_key_migrate(self, host: Host) -> str:
        """Whether keys move to hardware by themselves."""
        return self._said(host, "auto_key_migrate")

    def get_mechanisms(self, host: Host) -> list[str]:
        """Its policy."""
        found = host.settings.get("metaslot.mechanisms") or []
        return [str(word) for word in found] if isinstance(found, list) else [str(found)]
