"""What goes in and out of the changes' endpoints."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from console.accounts.actors import Actor, actor_of_request
from console.accounts.api.serializers import UserBrief
from console.changes.api.plan_serializers import (
    DifferenceOutput,
    PartsField,
    PlanOutput,
    ProgressOutput,
    ResultOutput,
    WaitingOutput,
)
from console.changes.approvals import (
    Wanted,
    apply_judge,
    approval_gap,
    approval_holds,
    approval_judge,
    plan_wanted,
)
from console.changes.enums import READY, ChangeState
from console.changes.held import change_held
from console.changes.kinds.registry import kind_title
from console.changes.models import (
    ApplyPause,
    Approval,
    Change,
    ChangeBatch,
    ChangeOutput,
    ChangeRun,
)
from console.changes.requests import host_check
from console.core.api import CapabilitiesField
from console.fleet.api.serializers import HostBrief
from console.fleet.models import Host

VERBS = ("change.request", "change.approve", "change.apply", "change.cancel", "change.rollback")


class AcceptanceOutput(serializers.Serializer[Any]):
    """Whether a host takes a kind of change."""

    is_accepted = serializers.BooleanField()
    reason = serializers.CharField(help_text="Why not; empty where it does.")


class KindEligibilityOutput(serializers.ModelSerializer[Host]):
    """Whether a host takes the kind of change asked for."""

    host = HostBrief(source="*", read_only=True)
    is_accepted = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField(help_text="Why not; empty where it does.")

    class Meta:
        model = Host
        fields = ("host", "state", "is_accepted", "reason")
        read_only_fields = fields

    def get_is_accepted(self, host: Host) -> bool:
        """Whether it does."""
        return not self.get_reason(host)

    def get_reason(self, host: Host) -> str:
        """Why it does not."""
        return host_check(host, self.context["kind"])


class KindOutput(serializers.Serializer[Any]):
    """A kind of change."""

    name = serializers.CharField()
    noun = serializers.CharField(help_text="What it changes.")
    title = serializers.CharField()
    sentence = serializers.CharField()
    platforms = serializers.ListField(child=serializers.CharField())
    parameters_schema = PartsField(help_text="JSON Schema (2020-12) of the parameters.")
    defaults = PartsField(help_text="Defaults of the parameters that have one.")
    acceptance = serializers.SerializerMethodField()

    @extend_schema_field(AcceptanceOutput(allow_null=True))
    def get_acceptance(self, kind: Any) -> Any:
        """Whether the host asked for with ?host= takes it; null: none was asked for."""
        host = self.context.get("host")
        if host is None:
            return None
        reason = host_check(host, kind.name)
        return {"is_accepted": not reason, "reason": reason}


class ApprovalOutput(serializers.ModelSerializer[Approval]):
    """One person's approval of one plan."""

    by = UserBrief(allow_null=True)
    at = serializers.DateTimeField(source="created_at")
    plan = serializers.UUIDField(source="plan_id")

    class Meta:
        model = Approval
        fields = ("by", "by_name", "at", "plan", "comment", "is_self", "expires_at")
        read_only_fields = fields


class JudgementOutput(serializers.Serializer[Any]):
    """Whether the asking user may, and why not."""

    may = serializers.BooleanField()
    why_not = serializers.CharField()
    needs_confirmation = serializers.BooleanField(help_text="Type the host's name.")


class ChangeRunOutput(serializers.ModelSerializer[ChangeRun]):
    """One phase on its way through the agent."""

    class Meta:
        model = ChangeRun
        fields = ("id", "phase", "state", "queued_at", "claimed_at", "started_at", "finished_at")
        read_only_fields = fields


class BatchBrief(serializers.ModelSerializer[ChangeBatch]):
    """The batch that a change belongs to."""

    class Meta:
        model = ChangeBatch
        fields = ("id", "total")
        read_only_fields = fields


class ChangeSummaryOutput(serializers.ModelSerializer[Change]):
    """A change in a list."""

    host = HostBrief(read_only=True)
    title = serializers.SerializerMethodField()
    parameters = PartsField(read_only=True)
    sentence = serializers.SerializerMethodField(help_text="What it does, for a person.")
    risk = serializers.CharField(source="plan.risk", default="", read_only=True)
    requested_by = UserBrief(read_only=True, allow_null=True)
    batch = BatchBrief(read_only=True, allow_null=True)
    capabilities = CapabilitiesField(*VERBS)

    class Meta:
        model = Change
        fields: tuple[str, ...] = (
            "id", "host", "kind", "title", "parameters", "reason", "state", "sentence", "risk",
            "message", "requested_by", "requested_by_name", "batch", "batch_position",
            "rollback_of", "phase", "created_at", "updated_at", "planned_at", "queued_at",
            "started_at", "finished_at", "waiting_since", "expires_at", "capabilities",
        )  # fmt: skip
        read_only_fields = fields

    def get_title(self, change: Change) -> str:
        """The kind's title."""
        return kind_title(change.kind)

    def get_sentence(self, change: Change) -> str:
        """The plan's sentence, or the kind's title before there is a plan."""
        return change.plan.sentence if change.plan else kind_title(change.kind)


class ApprovalStatusOutput(serializers.Serializer[Any]):
    """What approval the plan needs and has, and whether the asking user may give it."""

    wanted = serializers.IntegerField(help_text="So many people have to approve it.")
    by = serializers.CharField(help_text="What wants it: a rule; empty: nothing does.")
    given = serializers.IntegerField(help_text="So many approvals count.")
    lacks = serializers.CharField(help_text="What is missing, in a sentence; empty: nothing.")
    judgement = JudgementOutput()
    approvals = ApprovalOutput(many=True)


class HeldOutput(serializers.Serializer[Any]):
    """What holds back a change that is applied: the pause, or a maintenance window to come."""

    by = serializers.ChoiceField(choices=["pause", "window"])
    text = serializers.CharField()
    opens_at = serializers.DateTimeField(allow_null=True, help_text="When the window opens.")


class ChangeDetailOutput(ChangeSummaryOutput):
    """A change with its plan, approvals, runs and what the agent said."""

    plan = PlanOutput(read_only=True, allow_null=True)
    progress = ProgressOutput(read_only=True)
    result = ResultOutput(read_only=True)
    waiting = WaitingOutput(read_only=True, allow_null=True)
    stale_difference = DifferenceOutput(many=True, read_only=True)
    approval = serializers.SerializerMethodField()
    apply = serializers.SerializerMethodField()
    held = serializers.SerializerMethodField()
    runs = ChangeRunOutput(many=True, read_only=True)
    rolled_back_by = serializers.SerializerMethodField()

    class Meta(ChangeSummaryOutput.Meta):
        fields = (
            *ChangeSummaryOutput.Meta.fields,
            "plan", "progress", "result", "waiting", "stale_difference", "approval", "apply",
            "held", "runs", "rolled_back_by",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(ApprovalStatusOutput)
    def get_approval(self, change: Change) -> Any:
        """Approvals of the present plan, and whether the asking user may add one."""
        given = [one for one in change.approvals.all() if one.plan_id == change.plan_id]
        actor = self._actor()
        wanted = plan_wanted(change.plan) if change.plan else Wanted(0, "")
        is_open = change.state in {*READY, ChangeState.QUEUED} and change.phase == 0
        status = {
            "wanted": wanted.number,
            "by": wanted.by if wanted.number else "",
            "given": sum(approval_holds(one) for one in given),
            "lacks": approval_gap(change.plan)[1] if is_open and change.plan else "",
            "judgement": approval_judge(actor, change) if actor else None,
            "approvals": given,
        }
        return ApprovalStatusOutput(status).data

    @extend_schema_field(JudgementOutput)
    def get_apply(self, change: Change) -> Any:
        """Whether the asking user may apply it now."""
        actor = self._actor()
        return JudgementOutput(apply_judge(actor, change)).data if actor else None

    @extend_schema_field(HeldOutput(allow_null=True))
    def get_held(self, change: Change) -> Any:
        """What holds back the change, or would if it were applied now; null: nothing."""
        held = change_held(change)
        return HeldOutput(held).data if held else None

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_rolled_back_by(self, change: Change) -> Any:
        """The newest change that restores what was before this one."""
        return next((rollback.pk for rollback in change.rollbacks.all()), None)

    def _actor(self) -> Actor | None:
        request = self.context.get("request")
        return actor_of_request(request) if request is not None else None


class ChangeCreateInput(serializers.Serializer[Any]):
    """A change to ask for."""

    host = serializers.UUIDField()
    kind = serializers.CharField(max_length=64)
    parameters = PartsField(default=dict)
    reason = serializers.CharField(max_length=2000)
    is_draft = serializers.BooleanField(default=False, help_text="Do not plan it yet.")


class DigestInput(serializers.Serializer[Any]):
    """The plan that is meant; the host's name typed, where that is asked for."""

    plan_digest = serializers.CharField(max_length=64)
    confirmation = serializers.CharField(max_length=120, allow_blank=True, default="")


class ApproveInput(DigestInput):
    """An approval."""

    comment = serializers.CharField(max_length=2000, allow_blank=True, default="")


class CommentInput(serializers.Serializer[Any]):
    """Why not."""

    comment = serializers.CharField(max_length=2000)


class ReasonInput(serializers.Serializer[Any]):
    """Why."""

    reason = serializers.CharField(max_length=2000)


class ChangeOutputPiece(serializers.ModelSerializer[ChangeOutput]):
    """A piece of what a step's tool wrote."""

    phase = serializers.IntegerField(source="run.phase")
    run = serializers.UUIDField(source="run_id")

    class Meta:
        model = ChangeOutput
        fields = ("id", "run", "phase", "step", "stream", "chunk", "text", "at")
        read_only_fields = fields


class ChangeOutputPage(serializers.Serializer[Any]):
    """Output beyond `after`. Ask again with `after=last`."""

    pieces = ChangeOutputPiece(many=True)
    last = serializers.IntegerField(help_text="Number of the last piece given; `after` if none is.")


class BatchCreateInput(serializers.Serializer[Any]):
    """The same change for many hosts."""

    hosts = serializers.ListField(child=serializers.UUIDField(), allow_empty=False)
    kind = serializers.CharField(max_length=64)
    parameters = PartsField(default=dict)
    reason = serializers.CharField(max_length=2000)
    skip_refused = serializers.BooleanField(default=False)


class BatchOutput(serializers.ModelSerializer[ChangeBatch]):
    """A batch, and how many of its changes are in which state."""

    title = serializers.SerializerMethodField()
    parameters = PartsField(read_only=True)
    requested_by = UserBrief(read_only=True, allow_null=True)
    counts = serializers.SerializerMethodField(help_text="Changes by state, where there are any.")
    sentence = serializers.SerializerMethodField(help_text="`3 of 5 succeeded`.")
    capabilities = CapabilitiesField(*VERBS)

    class Meta:
        model = ChangeBatch
        fields = (
            "id", "kind", "title", "parameters", "reason", "total", "counts", "sentence",
            "requested_by", "requested_by_name", "created_at", "capabilities",
        )  # fmt: skip
        read_only_fields = fields

    def get_title(self, batch: ChangeBatch) -> str:
        """The kind's title."""
        return kind_title(batch.kind)

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_counts(self, batch: ChangeBatch) -> dict[str, int]:
        """Changes by state."""
        counts = {state.value: getattr(batch, f"count_{state.value}") for state in ChangeState}
        return {state: number for state, number in counts.items() if number}

    def get_sentence(self, batch: Any) -> str:
        """How many succeeded."""
        return f"{batch.count_succeeded} of {batch.total} succeeded"


class BatchActInput(serializers.Serializer[Any]):
    """Where to go on in a large batch."""

    after = serializers.IntegerField(
        min_value=0,
        default=0,
        help_text="`last` of the previous reply, where its `left` was not 0.",
    )


class BatchCommentInput(BatchActInput):
    """A remark that goes with every approval."""

    comment = serializers.CharField(max_length=2000, allow_blank=True, default="")


class BatchRefusalOutput(serializers.Serializer[Any]):
    """A change of the batch to which it could not be done."""

    change = serializers.UUIDField()
    host = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class BatchDoneOutput(serializers.Serializer[Any]):
    """To how many it was done, and to which it could not be.

    One request does not go on for more than some seconds: while `left` is not 0, ask again.
    """

    done = serializers.IntegerField()
    refused = BatchRefusalOutput(many=True)
    left = serializers.IntegerField(help_text="So many were not reached: ask again.")
    last = serializers.IntegerField(help_text="The place in the batch that was reached: `after`.")


class PauseInput(serializers.Serializer[Any]):
    """Whether all applies are held back, and why."""

    is_paused = serializers.BooleanField()
    reason = serializers.CharField(max_length=2000, allow_blank=True, default="")


class PauseOutput(serializers.ModelSerializer[ApplyPause]):
    """The one switch."""

    class Meta:
        model = ApplyPause
        fields = ("is_paused", "reason", "by_name", "at")
        read_only_fields = fields
