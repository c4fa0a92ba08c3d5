"""Reads of jobs: what an actor may see, with what lists need already joined or counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, Count, F, Prefetch, Q, QuerySet, Value, When

from agents.wire.names import WorkKind
from console.accounts.actors import Actor
from console.accounts.policies import can
from console.fleet.enums import DISMISSED, HostState, WorkState
from console.fleet.models import Host
from console.jobs.enums import ANSWERED, JobState
from console.jobs.models import Comparison, Job, JobRun, OutputChunk, Sample
from console.jobs.workloads.base import CatalogueWorkload

_BUSY = (WorkState.CLAIMED, WorkState.RUNNING)
_ANSWERED = Q(runs__state__in=ANSWERED) | Q(
    runs__state=WorkState.CANCELLED, runs__claimed_at__isnull=False
)
_OFFLINE = Q(runs__state__in=(WorkState.LOST, WorkState.EXPIRED)) | Q(
    runs__state=WorkState.QUEUED, runs__host__state=HostState.OFFLINE
)


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Whether a host can run a workload; `reason` says why not, `choices` with what."""

    host: Host
    is_eligible: bool
    reason: str
    choices: Mapping[str, list[str]] = field(default_factory=dict)


def eligibility(
    host: Host, workload: CatalogueWorkload, parameters: Mapping[str, Any] | None = None
) -> Eligibility:
    """Judge a host by what its last inventory and heartbeat said; `parameters` are complete.

    Being offline is no reason: the run waits in the queue for a while.
    """
    facts = _workload_facts(host, workload.name)
    choices = facts.get("choices") or {}
    reason = _host_reason(host) or _facts_reason(facts, workload)
    if not reason and parameters is not None:
        reason = workload.refusal(parameters, choices)
    return Eligibility(host, not reason, reason, choices)


def _workload_facts(host: Host, name: str) -> dict[str, Any]:
    return next((facts for facts in host.workloads if facts.get("name") == name), {})


def _host_reason(host: Host) -> str:
    if host.state in DISMISSED:
        return f"This host is {host.state}."
    if host.first_inventory_at is None:
        return "No inventory of this host has arrived yet."
    if WorkKind.JOB_RUN.value not in host.allow:
        return "Its agent's own configuration does not allow jobs (allow lacks job.run)."
    return ""


def _facts_reason(facts: Mapping[str, Any], workload: CatalogueWorkload) -> str:
    if not facts:
        return f"Its agent does not know {workload.name}; upgrade the agent."
    if not facts.get("is_eligible"):
        return str(facts.get("reason") or "Its agent says that it cannot, without a reason.")
    return ""


def _runs(actor: Actor) -> QuerySet[JobRun]:
    return JobRun.objects.all() if can(actor, "job.read") else JobRun.objects.none()


def job_list(*, actor: Actor) -> QuerySet[Job]:
    """Return the jobs that `actor` may see, with derived `state` and counts of their runs."""
    jobs = Job.objects.all() if can(actor, "job.read") else Job.objects.none()
    return (
        jobs.select_related("created_by")
        .annotate(
            hosts_total=Count("runs"),
            hosts_answered=Count("runs", filter=_ANSWERED),
            hosts_offline=Count("runs", filter=_OFFLINE),
            runs_queued=Count("runs", filter=Q(runs__state=WorkState.QUEUED)),
            runs_busy=Count("runs", filter=Q(runs__state__in=_BUSY)),
            runs_cancelled=Count("runs", filter=Q(runs__state=WorkState.CANCELLED)),
            **{f"count_{s.value}": Count("runs", filter=Q(runs__state=s)) for s in WorkState},
        )
        .annotate(
            state=Case(
                When(runs_queued=F("hosts_total"), then=Value(JobState.QUEUED.value)),
                When(Q(runs_busy__gt=0) | Q(runs_queued__gt=0), then=Value("running")),
                When(runs_cancelled=F("hosts_total"), then=Value(JobState.CANCELLED.value)),
                default=Value(JobState.FINISHED.value),
            )
        )
    )


def job_detail(*, actor: Actor) -> QuerySet[Job]:
    """Return job_list with each job's runs, by name of host."""
    runs = run_list(actor=actor).defer("result").order_by("host__name")
    return job_list(actor=actor).prefetch_related(Prefetch("runs", queryset=runs))


def run_list(*, actor: Actor) -> QuerySet[JobRun]:
    """Return the runs that `actor` may see, with job, host and comparisons."""
    return (
        _runs(actor)
        .select_related("job", "host")
        .prefetch_related(Prefetch("comparisons", queryset=Comparison.objects.all()))
    )


def sample_list(*, actor: Actor) -> QuerySet[Sample]:
    """Return the samples of all runs that `actor` may see."""
    samples = Sample.objects.select_related("run", "run__host", "run__job")
    return samples if can(actor, "job.read") else samples.none()


def output_after(*, run: JobRun, after: int, limit: int) -> list[OutputChunk]:
    """Return up to `limit` chunks of the run's raw output beyond chunk number `after`."""
    return list(run.output_chunks.filter(chunk__gt=after).order_by("chunk")[:limit])
