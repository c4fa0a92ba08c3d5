"""Writes of jobs that people and automation ask for: create, cancel, run again."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from agents.wire.names import Lane
from console.accounts.actors import Actor
from console.accounts.policies import require
from console.audit.services import audit_record
from console.core import events
from console.core.errors import InvalidInput, StateConflict
from console.fleet import doorbell
from console.fleet.enums import DISMISSED, WorkState
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate
from console.fleet.work import work_cancel
from console.jobs.models import Job, JobRun
from console.jobs.selectors import Eligibility, eligibility
from console.jobs.workloads.base import CatalogueWorkload
from console.jobs.workloads.registry import workload_get

MAX_HOSTS = 10_000
_NAMED = 20
"""So many refused hosts are named in an error's sentence; all are in its `extra`."""

log = structlog.get_logger(__name__)


def job_create(
    *,
    actor: Actor,
    workload: str,
    host_ids: Sequence[UUID],
    parameters: Mapping[str, Any],
    name: str = "",
    skip_ineligible: bool = False,
    again_of: Job | None = None,
) -> Job:
    """Ask hosts for a measurement: a job with one queued run per host. Doorbells ring on commit.

    Raise NotFound `workload.not_found`, InvalidInput `job.parameters`, `job.hosts` (none, too many
    or unknown ones) or `job.host_ineligible`: a host cannot do it. `skip_ineligible` leaves such
    hosts out as long as one is left.
    """
    require(actor, "job.run")
    kind = workload_get(workload)
    complete = kind.complete(parameters)
    hosts = _chosen(_known_hosts(host_ids), kind, complete, skip_ineligible=skip_ineligible)
    with transaction.atomic():
        job = Job.objects.create(
            name=name,
            workload=kind.name,
            parameters=complete,
            expected_seconds=kind.expected_seconds(complete),
            created_by_id=actor.user_id,
            created_by_name=actor.name,
            again_of=again_of,
        )
        runs = _runs_create(job, hosts, kind.limit_seconds(complete))
        _job_created(job, runs, actor)
    return job


def _known_hosts(host_ids: Sequence[UUID]) -> list[Host]:
    wanted = set(host_ids)
    if not 0 < len(wanted) <= MAX_HOSTS:
        raise _bad_hosts(f"Choose 1 to {MAX_HOSTS} hosts.", [])
    hosts = list(Host.objects.filter(pk__in=wanted).order_by("name"))
    unknown = sorted(str(pk) for pk in wanted - {host.pk for host in hosts})
    if unknown:
        raise _bad_hosts(f"There is no host {', '.join(unknown[:_NAMED])}.", unknown)
    return hosts


def _bad_hosts(message: str, unknown: list[str]) -> InvalidInput:
    return InvalidInput(
        "job.hosts", message, extra={"fields": {"hosts": [message]}, "hosts": unknown}
    )


def _chosen(
    hosts: list[Host],
    workload: CatalogueWorkload,
    parameters: Mapping[str, Any],
    *,
    skip_ineligible: bool,
) -> list[Host]:
    judged = [eligibility(host, workload, parameters) for host in hosts]
    refused = [answer for answer in judged if not answer.is_eligible]
    if refused and (not skip_ineligible or len(refused) == len(judged)):
        raise _ineligible(refused)
    return [answer.host for answer in judged if answer.is_eligible]


def _ineligible(refused: list[Eligibility]) -> InvalidInput:
    named = "; ".join(f"{answer.host.name}: {answer.reason}" for answer in refused[:_NAMED])
    more = f" (and {len(refused) - _NAMED} more)" if len(refused) > _NAMED else ""
    return InvalidInput(
        "job.host_ineligible",
        f"Not every host can do this. {named}{more}",
        extra={
            "hosts": [
                {"id": str(answer.host.pk), "name": answer.host.name, "reason": answer.reason}
                for answer in refused
            ]
        },
    )


def _runs_create(job: Job, hosts: list[Host], limit_seconds: int) -> list[JobRun]:
    now = timezone.now()
    expires_at = now + timedelta(seconds=settings.WORK_QUEUE_SECONDS)
    return JobRun.objects.bulk_create(
        JobRun(
            job=job,
            host=host,
            lane=Lane.WORK.value,
            state=WorkState.QUEUED,
            queued_at=now,
            expires_at=expires_at,
            limit_seconds=limit_seconds,
        )
        for host in hosts
    )


def _job_created(job: Job, runs: list[JobRun], actor: Actor) -> None:
    """The audit row, the event and the doorbells of a new job: inside its transaction, last."""
    doorbell.ring_on_commit(doorbell.Ring.of(run.host, Lane.WORK, run.pk) for run in runs)
    events.publish("job", job.pk, job.created_at)
    pulse_invalidate(run.host_id for run in runs)
    audit_record(
        actor=actor,
        verb="job.run",
        obj=job,
        host=runs[0].host if len(runs) == 1 else None,
        new={
            "workload": job.workload,
            "parameters": job.parameters,
            "hosts": [run.host.name for run in runs[:_NAMED]],
            "hosts_total": len(runs),
        },
    )
    log.info("job.created", job=str(job.pk), workload=job.workload, hosts=len(runs))


@transaction.atomic
def job_cancel(*, actor: Actor, job: Job) -> None:
    """Cancel what waits, and ask the agents to stop what runs.

    Raise StateConflict `job.finished` when nothing of it is open.
    """
    require(actor, "job.cancel", job)
    cancelled, asked = work_cancel(rows=JobRun.objects.filter(job=job))
    if not cancelled and not asked:
        raise StateConflict("job.finished", "This job is over already: nothing to cancel.")
    new = {"cancelled": cancelled, "cancel_requested": asked}
    audit_record(actor=actor, verb="job.cancel", obj=job, new=new)


@transaction.atomic
def run_cancel(*, actor: Actor, run: JobRun) -> None:
    """Cancel one host's run of a job. Raise StateConflict `run.finished` when it is over."""
    require(actor, "job.cancel", run.job)
    cancelled, asked = work_cancel(rows=JobRun.objects.filter(pk=run.pk))
    if not cancelled and not asked:
        raise StateConflict("run.finished", "This run is over already: nothing to cancel.")
    new = {"cancelled": cancelled, "cancel_requested": asked}
    audit_record(actor=actor, verb="job.cancel", obj=run, host=run.host, new=new)


def job_again(*, actor: Actor, job: Job) -> Job:
    """Create the same job anew on those of its hosts that still are in service.

    Raises as job_create does.
    """
    hosts = Host.objects.filter(jobrun_set__job=job).exclude(state__in=DISMISSED)
    return job_create(
        actor=actor,
        workload=job.workload,
        host_ids=list(hosts.values_list("pk", flat=True)),
        parameters=job.parameters,
        name=job.name,
        again_of=job,
    )
