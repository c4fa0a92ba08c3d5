"""What goes in and out of the jobs' endpoints."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from console.accounts.api.serializers import UserBrief
from console.core.api import CapabilitiesField
from console.fleet.api.serializers import HostBrief
from console.fleet.enums import HostState, WorkState
from console.fleet.models import Host
from console.jobs.enums import JobState
from console.jobs.models import Comparison, Job, JobRun, OutputChunk, Sample
from console.jobs.published import published_beside, published_figures
from console.jobs.selectors import eligibility
from console.jobs.workloads.registry import workload_title

_FREE_OBJECT = {"type": "object", "additionalProperties": True}


@extend_schema_field(_FREE_OBJECT)
class FreeObjectField(serializers.JSONField):
    """A JSON object whose keys belong to the workload."""


class VariantOutput(serializers.Serializer[Any]):
    """One of the variants that a workload compares."""

    name = serializers.CharField()
    title = serializers.CharField()
    is_baseline = serializers.BooleanField(help_text="Ratios are taken against this one.")


class MetricOutput(serializers.Serializer[Any]):
    """What a workload measures; more is better."""

    name = serializers.CharField()
    unit = serializers.CharField(help_text="`B/s` or `ops/s`.")
    title = serializers.CharField()


class PublishedFigureOutput(serializers.Serializer[Any]):
    """A speed-up published elsewhere, on another machine, to be shown beside a measured one."""

    reference = serializers.CharField()
    title = serializers.CharField()
    publisher = serializers.CharField()
    system = serializers.CharField()
    compared = serializers.CharField(help_text="What was compared with what, in words.")
    algorithm = serializers.CharField()
    input_bytes = serializers.IntegerField(allow_null=True)
    operation = serializers.CharField()
    ratio = serializers.FloatField()
    is_approximate = serializers.BooleanField()


class WorkloadOutput(serializers.Serializer[Any]):
    """A kind of job that can be asked for."""

    name = serializers.CharField()
    title = serializers.CharField()
    sentence = serializers.CharField(help_text="What it measures.")
    load = serializers.CharField(help_text="What it will load on the host.")
    schema = FreeObjectField(help_text="JSON Schema (2020-12) of the parameters.")
    defaults = FreeObjectField(help_text="Every parameter's default.")
    variants = VariantOutput(many=True)
    metrics = MetricOutput(many=True)
    published = serializers.SerializerMethodField()

    @extend_schema_field(PublishedFigureOutput(many=True))
    def get_published(self, workload: Any) -> Any:
        """All that is known to be published for it."""
        return PublishedFigureOutput(published_figures(workload.name), many=True).data


class EligibilityOutput(serializers.Serializer[Any]):
    """Whether a host can run the workload asked for."""

    host = HostBrief()
    state = serializers.ChoiceField(source="host.state", choices=HostState.choices)
    is_eligible = serializers.BooleanField()
    reason = serializers.CharField(help_text="Why not; empty where it can.")
    choices = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="What the host really has, by parameter: algorithms, masks …",
    )

    def to_representation(self, instance: Host) -> dict[str, Any]:
        """Judge the host, then tell it."""
        return super().to_representation(eligibility(instance, self.context["workload"]))


class ExpectationInput(serializers.Serializer[Any]):
    """Parameters to check, without starting anything."""

    parameters = FreeObjectField(default=dict)


class ExpectationOutput(serializers.Serializer[Any]):
    """The parameters made whole, and how long a run with them takes."""

    parameters = FreeObjectField()
    expected_seconds = serializers.FloatField()


class JobCreateInput(serializers.Serializer[Any]):
    """A job to create: which workload, on which hosts, with which parameters."""

    workload = serializers.CharField(max_length=64)
    hosts = serializers.ListField(child=serializers.UUIDField(), allow_empty=False)
    parameters = FreeObjectField(default=dict)
    name = serializers.CharField(max_length=120, allow_blank=True, default="")
    skip_ineligible = serializers.BooleanField(
        default=False, help_text="Leave hosts out that cannot do it, instead of refusing the job."
    )

    def validate_parameters(self, value: Any) -> dict[str, Any]:
        """Only an object will do; its content is the workload's to check."""
        if not isinstance(value, dict):
            raise serializers.ValidationError("An object is needed.")
        return value


class JobOutput(serializers.ModelSerializer[Job]):
    """A job; its state and counts are derived from its runs."""

    workload_title = serializers.SerializerMethodField()
    parameters = FreeObjectField(read_only=True)
    created_by = UserBrief(read_only=True, allow_null=True)
    state = serializers.ChoiceField(choices=JobState.choices, read_only=True)
    counts = serializers.SerializerMethodField(help_text="Runs by state, where there are any.")
    hosts_total = serializers.IntegerField(read_only=True)
    hosts_answered = serializers.IntegerField(read_only=True)
    hosts_offline = serializers.IntegerField(
        read_only=True, help_text="Contact lost, not taken in time, or waiting for an offline host."
    )
    sentence = serializers.SerializerMethodField(help_text="`answered 3 of 5, 1 offline`.")
    capabilities = CapabilitiesField("job.run", "job.cancel")

    class Meta:
        model = Job
        fields: tuple[str, ...] = (
            "id",
            "name",
            "workload",
            "workload_title",
            "parameters",
            "state",
            "counts",
            "hosts_total",
            "hosts_answered",
            "hosts_offline",
            "sentence",
            "expected_seconds",
            "created_at",
            "created_by",
            "created_by_name",
            "again_of",
            "capabilities",
        )
        read_only_fields = fields

    def get_workload_title(self, job: Job) -> str:
        """The catalogue's title."""
        return workload_title(job.workload)

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_counts(self, job: Job) -> dict[str, int]:
        """Runs by state."""
        counts = {state.value: getattr(job, f"count_{state.value}") for state in WorkState}
        return {state: number for state, number in counts.items() if number}

    def get_sentence(self, job: Any) -> str:
        """How many hosts have answered, and how many cannot be reached."""
        return f"answered {job.hosts_answered} of {job.hosts_total}, {job.hosts_offline} offline"


class JobBrief(serializers.ModelSerializer[Job]):
    """A job in short."""

    class Meta:
        model = Job
        fields = ("id", "name", "workload")
        read_only_fields = fields


class FiguresOutput(serializers.Serializer[Any]):
    """One variant of one cell; `median` … in the comparison's unit. Empty without samples."""

    samples = serializers.IntegerField(required=False)
    median = serializers.FloatField(required=False)
    mean = serializers.FloatField(required=False)
    min = serializers.FloatField(required=False)
    max = serializers.FloatField(required=False)
    cpu_seconds_per_unit = serializers.FloatField(
        required=False, allow_null=True, help_text="User and system seconds per `cpu_unit`."
    )
    cpu_unit = serializers.CharField(required=False, help_text="`MB` (10^6 bytes) or `operation`.")
    host_cpu = serializers.DictField(
        child=serializers.FloatField(),
        required=False,
        help_text="Mean fractions of all the host's CPUs: user, system, idle, iowait, steal.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The stored figures are this very object already."""
        return dict(instance or {})


class ComparisonOutput(serializers.ModelSerializer[Comparison]):
    """What one cell shows: `ratio` is accelerated over software, `low`–`high` its 95 % interval."""

    software = FiguresOutput(source="baseline_figures", read_only=True)
    accelerated = FiguresOutput(source="variant_figures", read_only=True)
    detectable = serializers.FloatField(
        read_only=True,
        allow_null=True,
        help_text="Smallest relative difference these pairs would have found (0.06: 6 %).",
    )
    published = serializers.SerializerMethodField()

    class Meta:
        model = Comparison
        fields = (
            "cell",
            "algorithm",
            "input_bytes",
            "operation",
            "metric",
            "unit",
            "baseline",
            "variant",
            "pairs",
            "ratio",
            "low",
            "high",
            "p_value",
            "detectable",
            "verdict",
            "sentence",
            "software",
            "accelerated",
            "cpu_change_percent",
            "is_negative_control",
            "published",
        )
        read_only_fields = fields

    @extend_schema_field(PublishedFigureOutput(many=True))
    def get_published(self, row: Comparison) -> Any:
        """What was published for this cell."""
        workload = row.run.job.workload
        figures = published_beside(workload, row.algorithm, row.input_bytes, row.operation)
        return PublishedFigureOutput(figures, many=True).data


class RunSummaryOutput(serializers.ModelSerializer[JobRun]):
    """A job on one host."""

    job = JobBrief(read_only=True)
    host = HostBrief(read_only=True)
    progress = FreeObjectField(
        read_only=True, help_text="`{done, total, remaining_seconds, doing}` while it runs."
    )
    comparisons = ComparisonOutput(many=True, read_only=True)
    capabilities = CapabilitiesField("job.run", "job.cancel")

    class Meta:
        model = JobRun
        fields: tuple[str, ...] = (
            "id",
            "job",
            "host",
            "state",
            "sentence",
            "message",
            "progress",
            "queued_at",
            "claimed_at",
            "started_at",
            "finished_at",
            "expires_at",
            "lease_expires_at",
            "cancel_requested_at",
            "comparisons",
            "capabilities",
        )
        read_only_fields = fields


class RunOutput(RunSummaryOutput):
    """A run with what the agent said of it as a whole."""

    result = FreeObjectField(
        read_only=True, help_text="Program versions, masks, and the program's own word on them."
    )

    class Meta(RunSummaryOutput.Meta):
        fields = (*RunSummaryOutput.Meta.fields, "result", "output_bytes", "is_output_pruned")
        read_only_fields = fields


class JobDetailOutput(JobOutput):
    """A job with all its runs, by name of host."""

    runs = RunSummaryOutput(many=True, read_only=True)

    class Meta(JobOutput.Meta):
        fields = (*JobOutput.Meta.fields, "runs")
        read_only_fields = fields


class SampleOutput(serializers.ModelSerializer[Sample]):
    """One measured figure of one variant in one cell and round."""

    job = serializers.UUIDField(source="run.job_id", read_only=True)
    host = HostBrief(source="run.host", read_only=True)
    host_cpu = serializers.DictField(child=serializers.FloatField(), read_only=True)
    notes = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Sample
        fields = (
            "id",
            "job",
            "run",
            "host",
            "cell",
            "variant",
            "round",
            "position",
            "metric",
            "unit",
            "value",
            "operations",
            "bytes",
            "wall_seconds",
            "user_seconds",
            "system_seconds",
            "host_cpu",
            "started_at",
            "notes",
        )
        read_only_fields = fields


class OutputChunkOutput(serializers.ModelSerializer[OutputChunk]):
    """A piece of raw output."""

    class Meta:
        model = OutputChunk
        fields = ("chunk", "stream", "text", "at")
        read_only_fields = fields


class RunOutputPage(serializers.Serializer[Any]):
    """Raw output beyond `after`. Ask again with `after=last` until `is_complete`."""

    chunks = OutputChunkOutput(many=True)
    last = serializers.IntegerField(help_text="Number of the last chunk given; `after` if none is.")
    is_complete = serializers.BooleanField(help_text="The run is over and nothing more follows.")
    is_pruned = serializers.BooleanField(help_text="It was kept for a while and then deleted.")
