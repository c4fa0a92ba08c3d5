"""What the audit's endpoint gives out."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from console.accounts.enums import ActorType
from console.audit.models import AuditEvent


class AuditActorOutput(serializers.Serializer[Any]):
    """Who acted, as named then."""

    type = serializers.ChoiceField(source="actor_type", choices=ActorType.choices)
    id = serializers.UUIDField(source="actor_id", allow_null=True)
    name = serializers.CharField(source="actor_name")


class AuditObjectOutput(serializers.Serializer[Any]):
    """What was acted upon, as named then."""

    type = serializers.CharField(source="object_type", allow_blank=True)
    id = serializers.CharField(source="object_id", allow_blank=True)
    name = serializers.CharField(source="object_name", allow_blank=True)


class AuditHostOutput(serializers.Serializer[Any]):
    """The host concerned, as named then."""

    id = serializers.UUIDField(source="host_id")
    name = serializers.CharField(source="host_name", allow_blank=True)


class AuditEventOutput(serializers.ModelSerializer[AuditEvent]):
    """One row of the audit. `old` and `new` hold what changed."""

    actor = AuditActorOutput(source="*")
    object = AuditObjectOutput(source="*")
    host = serializers.SerializerMethodField()
    old = serializers.DictField(allow_null=True)
    new = serializers.DictField(allow_null=True)

    class Meta:
        model = AuditEvent
        fields = (
            "id",
            "seq",
            "at",
            "actor",
            "verb",
            "object",
            "host",
            "old",
            "new",
            "request_id",
            "digest",
        )

    @extend_schema_field(AuditHostOutput(allow_null=True))
    def get_host(self, event: AuditEvent) -> Any:
        """Give the host, null when none is concerned."""
        return None if event.host_id is None else AuditHostOutput(event).data
