"""Acceleration jobs, their runs (one per host), and what the runs reported."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from agents.wire.names import WorkKind
from console.core import events
from console.core.models import BaseModel
from console.fleet.claimable import ClaimableWork
from console.jobs.enums import Verdict


class Job(BaseModel):
    """One measurement asked of one or many hosts. Its state is derived from its runs."""

    name = models.CharField(max_length=120, blank=True)
    workload = models.CharField(max_length=64)
    parameters = models.JSONField()
    expected_seconds = models.FloatField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_by_name = models.CharField(max_length=200)
    again_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ("-created_at",)
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-created_at", "-id"], name="job_created"),
            models.Index(fields=["workload", "-created_at"], name="job_workload"),
        ]

    def __str__(self) -> str:
        return self.name or self.workload


class JobRun(ClaimableWork):
    """A job on one host. `progress_seq`: number of the report that `progress` came with.

    `output_bytes` counts the raw output kept; `sentence` is the headline of its comparisons.
    """

    kind = WorkKind.JOB_RUN

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="runs")
    limit_seconds = models.PositiveIntegerField()
    progress = models.JSONField(default=dict)
    progress_seq = models.PositiveBigIntegerField(default=0)
    result = models.JSONField(default=dict)
    output_bytes = models.PositiveIntegerField(default=0)
    is_output_pruned = models.BooleanField(default=False)
    sentence = models.TextField(blank=True)
    compared_at = models.DateTimeField(null=True)

    class Meta(ClaimableWork.Meta):
        ordering = ("-queued_at",)
        indexes: ClassVar[list[Any]] = [
            *ClaimableWork.Meta.indexes,
            models.Index(fields=["-queued_at", "-id"], name="jobrun_queued"),
            models.Index(fields=["finished_at"], name="jobrun_finished"),
        ]
        constraints: ClassVar[list[Any]] = [
            *ClaimableWork.Meta.constraints,
            models.UniqueConstraint(fields=["job", "host"], name="jobrun_once_per_host"),
        ]

    def __str__(self) -> str:
        return f"{self.job} on {self.host}"

    def order_parameters(self) -> dict[str, Any]:
        """See ClaimableWork; the agent checks both again."""
        return {"workload": self.job.workload, "parameters": self.job.parameters}

    def deadline_seconds(self) -> int:
        """See ClaimableWork."""
        return self.limit_seconds

    def finish_fields(self, result: dict[str, Any]) -> dict[str, Any]:
        """See ClaimableWork."""
        return {"result": result}

    def announce(self, at: datetime) -> None:
        """See ClaimableWork; the job's derived state may change with it."""
        events.publish("run", self.pk, at)
        events.publish("job", self.job_id, at)


class Sample(models.Model):
    """One measured figure, as agents.wire.work.SampleData gives it; same names, same units."""

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(JobRun, on_delete=models.CASCADE, related_name="samples")
    cell = models.CharField(max_length=120)
    variant = models.CharField(max_length=40)
    round = models.PositiveIntegerField()
    position = models.PositiveIntegerField()
    metric = models.CharField(max_length=40)
    unit = models.CharField(max_length=20)
    value = models.FloatField()
    operations = models.BigIntegerField(null=True)
    bytes = models.BigIntegerField(null=True)
    wall_seconds = models.FloatField()
    user_seconds = models.FloatField()
    system_seconds = models.FloatField()
    host_cpu = models.JSONField(default=dict)
    started_at = models.DateTimeField(null=True)
    notes = models.JSONField(default=list)

    class Meta:
        ordering = ("id",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["run", "cell", "variant", "round"], name="sample_natural_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.cell} {self.variant} {self.round}"


class OutputChunk(models.Model):
    """A piece of a run's raw output; `chunk` counts from 0 within the run."""

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(JobRun, on_delete=models.CASCADE, related_name="output_chunks")
    chunk = models.PositiveIntegerField()
    stream = models.CharField(max_length=8, default="stdout")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("chunk",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["run", "chunk"], name="output_chunk_natural_key")
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.chunk}"


class Comparison(models.Model):
    """What one cell of a run shows: `ratio` is variant over baseline, with its 95 % interval.

    `detectable` is the smallest difference (0.06: 6 %) that this many pairs would have found with
    90 % power. `baseline_figures` and `variant_figures` hold what jobs.comparison.Figures gives.
    """

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(JobRun, on_delete=models.CASCADE, related_name="comparisons")
    position = models.PositiveIntegerField()
    cell = models.CharField(max_length=120)
    algorithm = models.CharField(max_length=60)
    input_bytes = models.PositiveIntegerField(null=True)
    operation = models.CharField(max_length=20)
    metric = models.CharField(max_length=40)
    unit = models.CharField(max_length=20)
    baseline = models.CharField(max_length=40)
    variant = models.CharField(max_length=40)
    pairs = models.PositiveIntegerField()
    ratio = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    p_value = models.FloatField(null=True)
    detectable = models.FloatField(null=True)
    verdict = models.CharField(max_length=24, choices=Verdict)
    sentence = models.TextField()
    baseline_figures = models.JSONField(default=dict)
    variant_figures = models.JSONField(default=dict)
    cpu_change_percent = models.FloatField(null=True)
    is_negative_control = models.BooleanField(default=False)

    class Meta:
        ordering = ("position",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["run", "cell"], name="comparison_once_per_cell")
        ]

    def __str__(self) -> str:
        return f"{self.cell}: {self.verdict}"
