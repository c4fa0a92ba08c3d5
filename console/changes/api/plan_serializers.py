"""How plans look, and what agents say of applying them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from agents.wire.changes import Risk, StepState


@extend_schema_field({"type": "object", "additionalProperties": True})
class PartsField(serializers.JSONField):
    """Parts of the host's state and their values; the keys belong to the kind of change."""


class EditOutput(serializers.Serializer[Any]):
    """A file that a step rewrites; null: it is not there."""

    path = serializers.CharField()
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class StepOutput(serializers.Serializer[Any]):
    """One step of a plan."""

    title = serializers.CharField()
    argv = serializers.ListField(child=serializers.CharField())
    edit = EditOutput(allow_null=True)
    undo_argv = serializers.ListField(child=serializers.CharField())
    undo_reason = serializers.CharField()
    before = PartsField()
    after = PartsField()
    timeout_seconds = serializers.IntegerField()


class PhaseOutput(serializers.Serializer[Any]):
    """Steps that run together; one that waits for a reboot says whose."""

    title = serializers.CharField()
    digest = serializers.CharField()
    steps = StepOutput(many=True)
    waits_for = serializers.ListField(child=serializers.CharField())
    wait_text = serializers.CharField()
    wait_commands = serializers.ListField(child=serializers.CharField())
    settles = PartsField()


class ConsequenceOutput(serializers.Serializer[Any]):
    """What a plan does beyond its purpose."""

    kind = serializers.CharField()
    subject = serializers.CharField()
    text = serializers.CharField()


class RequestOutput(serializers.Serializer[Any]):
    """A kind and its parameters."""

    kind = serializers.CharField()
    parameters = PartsField()


class PlanOutput(serializers.Serializer[Any]):
    """A plan as the agent made it."""

    id = serializers.UUIDField()
    digest = serializers.CharField()
    created_at = serializers.DateTimeField()
    sentence = serializers.CharField()
    risk = serializers.ChoiceField(choices=[risk.value for risk in Risk])
    is_noop = serializers.BooleanField()
    parts = PartsField(source="data.parts")
    ends = PartsField(source="data.ends")
    phases = PhaseOutput(source="data.phases", many=True)
    consequences = ConsequenceOutput(source="data.consequences", many=True)
    warnings = serializers.ListField(source="data.warnings", child=serializers.CharField())
    destroys = serializers.ListField(source="data.destroys", child=serializers.CharField())
    needs_force = serializers.CharField(source="data.needs_force")
    rollback = RequestOutput(source="data.rollback", allow_null=True)
    rollback_reason = serializers.CharField(source="data.rollback_reason")
    is_simulated = serializers.BooleanField(source="data.is_simulated")


class StepResultOutput(serializers.Serializer[Any]):
    """How far a step is."""

    phase = serializers.IntegerField()
    step = serializers.IntegerField()
    state = serializers.ChoiceField(choices=[state.value for state in StepState])
    exit_code = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()
    started_at = serializers.CharField()
    ended_at = serializers.CharField()
    tool_seconds = serializers.FloatField()


class ProgressOutput(serializers.Serializer[Any]):
    """How far the running phase is; empty before the first."""

    state = serializers.CharField(required=False)
    phase = serializers.IntegerField(required=False)
    steps = StepResultOutput(many=True, required=False)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The stored progress is this very object already."""
        return dict(instance or {})


class DifferenceOutput(serializers.Serializer[Any]):
    """A part that is not as expected; the values are of any kind."""

    part = serializers.CharField()
    expected = serializers.JSONField(allow_null=True)
    found = serializers.JSONField(allow_null=True)


class RefusalOutput(serializers.Serializer[Any]):
    """Why no plan could be made."""

    code = serializers.CharField()
    message = serializers.CharField()
    remedy = serializers.CharField()
    subject = serializers.CharField()


class ResultOutput(serializers.Serializer[Any]):
    """What the agent said last: of a phase, or of a plan that it refused."""

    state = serializers.CharField(required=False)
    phase = serializers.IntegerField(required=False)
    is_last = serializers.BooleanField(required=False)
    steps = StepResultOutput(many=True, required=False)
    stands = serializers.ListField(child=serializers.CharField(), required=False)
    to_type = serializers.ListField(child=serializers.CharField(), required=False)
    parts = PartsField(required=False)
    difference = DifferenceOutput(many=True, required=False)
    refusal = RefusalOutput(required=False)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The stored result is this very object already; a stale one's plan is a plan."""
        return {name: value for name, value in (instance or {}).items() if name != "plan"}


class WaitingOutput(serializers.Serializer[Any]):
    """Whose reboot the change waits for."""

    domains = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField()
    commands = serializers.ListField(child=serializers.CharField())
    settles = PartsField()
