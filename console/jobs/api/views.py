"""Endpoints of the catalogue, jobs, runs and samples."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import DetailApi, KeyrackView, ListApi
from console.core.csv import CsvRenderer, stream_response
from console.core.errors import InvalidInput
from console.fleet.api.serializers import HostBrief
from console.fleet.models import Host
from console.fleet.selectors import host_list
from console.fleet.work import work_lane_release
from console.fleet.work_states import TERMINAL
from console.jobs.api.filters import EligibilityFilter, JobFilter, RunFilter, SampleFilter
from console.jobs.api.serializers import (
    EligibilityOutput,
    ExpectationInput,
    ExpectationOutput,
    JobCreateInput,
    JobDetailOutput,
    JobOutput,
    RunOutput,
    RunOutputPage,
    RunSummaryOutput,
    SampleOutput,
    WorkloadOutput,
)
from console.jobs.export import job_as_csv, job_as_json
from console.jobs.models import Job, JobRun, Sample
from console.jobs.selectors import (
    job_detail,
    job_list,
    output_after,
    run_list,
    sample_list,
)
from console.jobs.services import job_again, job_cancel, job_create, run_cancel
from console.jobs.workloads.registry import WORKLOADS, workload_get

_OUTPUT_CHUNKS = 200


class WorkloadListApi(KeyrackView):
    """The catalogue of workloads."""

    verbs = {"GET": "job.read"}
    serializer_class = WorkloadOutput
    pagination_class = None
    filter_backends = ()

    @extend_schema(responses=WorkloadOutput(many=True))
    def get(self, _request: Request) -> Response:
        """All workloads, in the catalogue's order; not paged."""
        return Response(WorkloadOutput(WORKLOADS, many=True).data)


class WorkloadDetailApi(KeyrackView):
    """One workload of the catalogue."""

    verbs = {"GET": "job.read"}
    serializer_class = WorkloadOutput

    def get(self, _request: Request, name: str) -> Response:
        """What it measures, its parameters, and what was published about it."""
        return self.reply(workload_get(name))


class WorkloadEligibilityApi(ListApi):
    """Which hosts can run a workload, and why the others cannot."""

    verbs = {"GET": "job.read"}
    queryset = Host.objects.none()  # what the schema generator goes by; see selector
    serializer_class = EligibilityOutput
    filterset_class = EligibilityFilter
    ordering_fields = {"name": "name", "state": "state"}
    ordering = "name"

    def selector(self) -> QuerySet[Host]:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)

    def get_serializer_context(self) -> dict[str, Any]:
        """Add what the hosts are judged for."""
        return {
            **super().get_serializer_context(),
            "workload": workload_get(self.kwargs["name"]),
        }


class WorkloadExpectationApi(KeyrackView):
    """Checks parameters and tells how long a run with them takes; starts nothing."""

    verbs = {"POST": "job.read"}
    serializer_class = ExpectationOutput
    inputs = {"POST": ExpectationInput}

    def post(self, _request: Request, name: str) -> Response:
        """Complete the parameters, or say which are wrong."""
        workload = workload_get(name)
        complete = workload.complete(self.read_input()["parameters"])
        seconds = workload.expected_seconds(complete)
        return self.reply({"parameters": complete, "expected_seconds": seconds})


class JobListApi(ListApi):
    """Jobs."""

    verbs = {"GET": "job.read", "POST": "job.run"}
    serializer_class = JobOutput
    inputs = {"POST": JobCreateInput}
    outputs = {"POST": JobDetailOutput}
    statuses = {"POST": 201}
    filterset_class = JobFilter
    ordering_fields = {
        "created_at": "created_at",
        "name": "name",
        "workload": "workload",
        "created_by_name": "created_by_name",
        "hosts_total": "hosts_total",
    }

    def selector(self) -> QuerySet[Job]:
        """What the actor may see."""
        return job_list(actor=self.actor)

    def post(self, _request: Request) -> Response:
        """Create a job: one run per host, queued at once."""
        wanted = self.read_input()
        job = job_create(actor=self.actor, host_ids=wanted.pop("hosts"), **wanted)
        return self.reply(job_detail(actor=self.actor).get(pk=job.pk))


class _JobView(KeyrackView):
    """A view of one job."""

    serializer_class = JobDetailOutput

    def selector(self) -> QuerySet[Job]:
        """What the actor may see."""
        return job_detail(actor=self.actor)

    def job(self) -> Job:
        """The job of the URL."""
        return self.one(job_list(actor=self.actor), "job")

    def shown(self, job: Job) -> Response:
        """The job as it now is."""
        return self.reply(job_detail(actor=self.actor).get(pk=job.pk))


class JobDetailApi(_JobView):
    """One job with its runs."""

    verbs = {"GET": "job.read"}

    def get(self, _request: Request, pk: UUID) -> Response:
        """Show it."""
        job = self.one(self.get_queryset(), "job")
        return self.reply(job)


class JobCancelApi(_JobView):
    """The end of a job before its time."""

    verbs = {"POST": "job.cancel"}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Cancel what waits at once; agents end what runs within seconds."""
        job = self.job()
        job_cancel(actor=self.actor, job=job)
        return self.shown(job)


class JobAgainApi(_JobView):
    """The same job once more."""

    verbs = {"POST": "job.run"}
    statuses = {"POST": 201}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Create it anew on the same hosts with the same parameters."""
        return self.shown(job_again(actor=self.actor, job=self.job()))


class JobExportApi(_JobView):
    """A job as a file."""

    verbs = {"GET": "job.read"}
    renderer_classes = (JSONRenderer, CsvRenderer)

    @extend_schema(
        parameters=[OpenApiParameter("format", str, enum=["json", "csv"])],
        responses={(200, "application/json"): OpenApiTypes.OBJECT, (200, "text/csv"): str},
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """JSON: the job with runs, comparisons and samples. CSV: one line per sample."""
        job = self.job()
        if request.accepted_renderer.format == CsvRenderer.format:
            pieces = job_as_csv(actor=self.actor, job=job)
            table: HttpResponseBase = stream_response(request._request, pieces, f"job_{job.pk}")
            return table
        context = dict(self.get_serializer_context())
        pieces = job_as_json(actor=self.actor, job=job, context=context)
        response: HttpResponseBase = stream_response(request._request, pieces, f"job_{job.pk}")
        response["Content-Type"] = "application/json"
        response["Content-Disposition"] = f'attachment; filename="job_{job.pk}.json"'
        return response


class RunListApi(ListApi):
    """Runs: jobs on single hosts."""

    verbs = {"GET": "job.read"}
    serializer_class = RunSummaryOutput
    filterset_class = RunFilter
    ordering = "-queued_at"
    ordering_fields = {
        "queued_at": "queued_at",
        "claimed_at": "claimed_at",
        "started_at": "started_at",
        "finished_at": "finished_at",
        "state": "state",
        "host": "host__name",
        "workload": "job__workload",
    }

    def selector(self) -> QuerySet[JobRun]:
        """What the actor may see."""
        return run_list(actor=self.actor)


class _RunView(KeyrackView):
    """A view of one run."""

    serializer_class = RunOutput

    def selector(self) -> QuerySet[JobRun]:
        """What the actor may see."""
        return run_list(actor=self.actor)

    def run(self) -> JobRun:
        """The run of the URL."""
        run: JobRun = self.one(self.get_queryset(), "run")
        return run


class RunDetailApi(_RunView):
    """One run."""

    verbs = {"GET": "job.read"}

    def get(self, _request: Request, pk: UUID) -> Response:
        """Show it with its comparisons and what the agent said of it."""
        run = self.run()
        return self.reply(run)


class RunCancelApi(_RunView):
    """The end of a run before its time."""

    verbs = {"POST": "job.cancel"}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Cancel it if it waits; otherwise its agent ends it within seconds."""
        run = self.run()
        run_cancel(actor=self.actor, run=run)
        return self.reply(self.run())


class RunOutputApi(_RunView):
    """The raw output of a run's programs."""

    verbs = {"GET": "job.read"}
    # Another one than that of the run itself, for which the base view is typed.
    serializer_class = RunOutputPage  # type: ignore[assignment]

    @extend_schema(
        parameters=[OpenApiParameter("after", int, description="Number of the last chunk known.")]
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """The chunks beyond `after` (default: from the start), at most 200."""
        run = self.run()
        after = _after_of(request)
        chunks = output_after(run=run, after=after, limit=_OUTPUT_CHUNKS)
        page = {
            "chunks": chunks,
            "last": chunks[-1].chunk if chunks else after,
            "is_complete": run.state in TERMINAL and len(chunks) < _OUTPUT_CHUNKS,
            "is_pruned": run.is_output_pruned,
        }
        return self.reply(page)


def _after_of(request: Request) -> int:
    try:
        return int(request.query_params.get("after", "-1"))
    except ValueError:
        raise InvalidInput("filter.after", "after must be a whole number.") from None


class SampleListApi(ListApi):
    """Samples: every single measured figure."""

    verbs = {"GET": "job.read"}
    serializer_class = SampleOutput
    filterset_class = SampleFilter
    ordering = "id"
    ordering_fields = {"id": "id", "position": "position", "value": "value", "cell": "cell"}

    def selector(self) -> QuerySet[Sample]:
        """What the actor may see."""
        return sample_list(actor=self.actor)


class SampleDetailApi(DetailApi):
    """One sample."""

    verbs = {"GET": "job.read"}
    serializer_class = SampleOutput
    noun = "sample"

    def selector(self) -> QuerySet[Sample]:
        """What the actor may see."""
        return sample_list(actor=self.actor)


class HostWorkLaneReleaseApi(KeyrackView):
    """Gives up waiting for an agent with which contact was lost during a run."""

    verbs = {"POST": "host.update"}
    serializer_class = HostBrief

    def selector(self) -> QuerySet[Any]:
        """What the actor may see."""
        return host_list(actor=self.actor)

    def post(self, _request: Request, pk: UUID) -> Response:
        """Open the lane for new work. A late report still sets the true state of what was lost."""
        host = self.one(self.get_queryset(), "host")
        work_lane_release(host=host, actor=self.actor)
        return self.reply(self.one(self.get_queryset(), "host"))
