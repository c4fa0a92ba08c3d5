"""What goes in and out of the findings' endpoints."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from console.accounts.api.serializers import UserBrief
from console.advice.enums import FindingState
from console.advice.models import Finding
from console.core.api import CapabilitiesField
from console.fleet.api.serializers import HostBrief


class FindingOutput(serializers.ModelSerializer[Finding]):
    """A finding: what happened, to what, what to do next."""

    host = HostBrief(read_only=True)
    state = serializers.ChoiceField(choices=FindingState.choices, read_only=True)
    evidence = serializers.DictField()
    last_seen_at = serializers.SerializerMethodField(
        help_text="While it is open: when its host's inventory was last confirmed."
    )
    acknowledged_by = UserBrief(read_only=True, allow_null=True)
    capabilities = CapabilitiesField("finding.acknowledge")

    class Meta:
        model = Finding
        fields = (
            "id",
            "host",
            "code",
            "severity",
            "state",
            "subject_kind",
            "subject_key",
            "message",
            "remedy",
            "evidence",
            "appearance_count",
            "first_seen_at",
            "appeared_at",
            "last_seen_at",
            "resolved_at",
            "acknowledged_at",
            "acknowledged_by",
            "comment",
            "capabilities",
        )

    def get_last_seen_at(self, row: Finding) -> datetime | None:
        """An open finding is as fresh as its host's inventory."""
        return row.host.inventory_at if row.resolved_at is None else row.last_seen_at


class FindingAcknowledgeInput(serializers.Serializer[Any]):
    """Why the finding may stand, or what is being done."""

    comment = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
