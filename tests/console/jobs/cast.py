"""A fixed cast for tests of jobs: hosts, a job of theirs, and an agent that speaks for a host."""

import itertools
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from agents.wire.messages import ReportsReply
from agents.wire.names import Lane
from agents.wire.work import Report, ReportKind, SampleData, WorkOrder
from console.accounts.actors import SYSTEM, Actor
from console.agentapi.reports import reports_store
from console.fleet.models import Host
from console.fleet.work import work_claim
from console.jobs.models import Job, JobRun
from console.jobs.services import job_create

AT = "2026-03-01T10:00:00+00:00"


def job_made(*hosts: Host, actor: Actor = SYSTEM, **parameters: Any) -> Job:
    """Create a job for `hosts` as the service does."""
    return job_create(
        actor=actor,
        workload="openssl.speed",
        host_ids=[host.pk for host in hosts],
        parameters=parameters,
    )


def run_of(job: Job) -> JobRun:
    """The only run of `job`, as it now is."""
    return JobRun.objects.select_related("host", "job").get(job=job)


class FakeAgent:
    """Speaks for a host as an agent does, through the services that its requests end in."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.numbers = itertools.count(1)
        self.sent: list[Report] = []

    def claim(self, lane: Lane = Lane.WORK, nonce: str = "") -> WorkOrder | None:
        """Claim with a new nonce (or the one given)."""
        return work_claim(host=self.host, lane=lane, nonce=nonce or uuid4().hex)

    def must_claim(self, lane: Lane = Lane.WORK) -> WorkOrder:
        """Claim what is known to be due."""
        order = self.claim(lane)
        assert order is not None
        return order

    def report(self, order: WorkOrder, kind: ReportKind, **fields: Any) -> Report:
        """Make the next report about `order`."""
        seq = fields.pop("seq", None) or next(self.numbers)
        nonce = fields.pop("nonce", order.nonce)
        return Report(seq=seq, kind=kind.value, work_id=order.work_id, nonce=nonce, at=AT, **fields)

    def started(self, order: WorkOrder) -> Report:
        """STARTED."""
        return self.report(order, ReportKind.STARTED)

    def finished(self, order: WorkOrder, outcome: str = "succeeded", **fields: Any) -> Report:
        """FINISHED."""
        return self.report(order, ReportKind.FINISHED, outcome=outcome, **fields)

    def samples(self, order: WorkOrder, samples: Sequence[SampleData]) -> list[Report]:
        """One SAMPLE for each."""
        return [self.report(order, ReportKind.SAMPLE, sample=sample) for sample in samples]

    def send(self, *reports: Report) -> ReportsReply:
        """Send them as one batch."""
        self.sent += reports
        return reports_store(host=self.host, reports=list(reports))

    def begin(self) -> WorkOrder:
        """Claim and start what is due."""
        order = self.must_claim()
        self.send(self.started(order))
        return order
