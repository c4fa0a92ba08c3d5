"""Endpoints of jobs: create, list, show, cancel, run again, export."""

import csv
import io
import json
from typing import Any
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agents.wire.inventory import WorkloadFacts
from console.audit.models import AuditEvent
from console.fleet.enums import WorkState
from console.jobs.comparing import run_compare
from console.jobs.models import Job, JobRun
from tests.console.base import ConsoleTestCase, DetailTests, EndpointTests, ListTests
from tests.console.jobs.cast import FakeAgent, job_made, run_of
from tests.console.jobs.samples import sample_data
from tests.support.hosts import EnrolledHost, host_enrolled


class JobsTestCase(ConsoleTestCase):
    """The cast, and host alpha."""

    alpha: EnrolledHost

    @classmethod
    def setUpTestData(cls) -> None:
        """Enrol it."""
        super().setUpTestData()
        cls.alpha = host_enrolled("alpha")


def measured(host: EnrolledHost, pairs: int = 5, **report: Any) -> JobRun:
    """Carry a job on `host` to its end, with samples of one cell and some output."""
    job = job_made(host.row)
    agent = FakeAgent(host.row)
    order = agent.begin()
    samples = [
        sample_data(variant=variant, round=number, value=value + number, position=2 * number + at)
        for number in range(pairs)
        for at, (variant, value) in enumerate((("software", 2.4e8), ("accelerated", 1.2e9)))
    ]
    agent.send(*agent.samples(order, samples), agent.finished(order, **report))
    run_compare(run_id=run_of(job).pk)
    return run_of(job)


class JobListTests(ListTests, JobsTestCase):
    """GET /jobs/"""

    view_name = "job-list"
    verb = "job.read"

    def make_rows(self, count: int) -> None:
        """Jobs with different names and numbers of hosts."""
        made = Job.objects.count()
        for number in range(made, made + count):
            job = job_made(self.alpha.row)
            Job.objects.filter(pk=job.pk).update(name=f"job {number}", workload=f"w{number % 3}")

    def test_filters_by_derived_state_host_and_text(self) -> None:
        """Queued, cancelled and finished ones."""
        beta = host_enrolled("beta")
        finished = measured(self.alpha).job
        queued, cancelled = job_made(beta.row), job_made(self.alpha.row)
        self.session(self.omar).post(reverse("job-cancel", args=[cancelled.pk]))
        for query, expected in (
            ({"state": "finished"}, {finished}),
            ({"state": "queued,cancelled"}, {queued, cancelled}),
            ({"host": str(beta.row.pk)}, {queued}),
            ({"workload": "openssl.speed", "search": "console"}, {finished, queued, cancelled}),
        ):
            found = {row["id"] for row in self.listed(**query)["results"]}
            assert found == {str(job.pk) for job in expected}, query


class JobCreateTests(EndpointTests, JobsTestCase):
    """POST /jobs/"""

    view_name = "job-list"
    method = "post"
    verb = "job.run"
    success = 201

    def body(self) -> dict[str, Any]:
        """One host, defaults."""
        return {"workload": "openssl.speed", "hosts": [str(self.alpha.row.pk)]}

    def post(self, **changes: Any) -> Any:
        """Create as the operator."""
        return self.session(self.omar).post(self.url(), self.body() | changes, format="json")

    def test_answers_with_the_job_and_its_queued_run(self) -> None:
        """And audits who asked for what."""
        body = self.post(name="Monday", parameters={"algorithms": ["sha256"]}).json()
        assert (body["name"], body["state"], body["counts"]) == ("Monday", "queued", {"queued": 1})
        assert body["parameters"]["algorithms"] == ["sha256"]
        assert body["sentence"] == "answered 0 of 1, 0 offline"
        assert [run["host"]["name"] for run in body["runs"]] == ["alpha"]
        event = AuditEvent.objects.get(verb="job.run")
        assert (event.actor_name, event.new["hosts"]) == ("omar", ["alpha"])

    def test_refuses_hosts_that_cannot_with_names_and_reasons(self) -> None:
        """Nothing is created."""
        lame = WorkloadFacts(name="openssl.speed", is_eligible=False, reason="No openssl here.")
        beta = host_enrolled("beta", workloads=(lame,))
        gamma = host_enrolled("gamma", allow=())
        hosts = [str(host.row.pk) for host in (self.alpha, beta, gamma)]
        response = self.post(hosts=hosts)
        assert self.error_of(response, 400) == "job.host_ineligible"
        refused = {row["name"]: row["reason"] for row in response.json()["extra"]["hosts"]}
        assert refused["beta"] == "No openssl here."
        assert "allow lacks job.run" in refused["gamma"]
        assert "beta: No openssl here." in response.json()["message"]
        assert not Job.objects.exists()

    def test_leaves_ineligible_hosts_out_on_request(self) -> None:
        """But not all of them."""
        beta = host_enrolled("beta", workloads=())
        both = [str(self.alpha.row.pk), str(beta.row.pk)]
        assert self.post(hosts=both, skip_ineligible=True).json()["hosts_total"] == 1
        response = self.post(hosts=both[1:], skip_ineligible=True)
        assert self.error_of(response, 400) == "job.host_ineligible"

    def test_refuses_what_the_host_lacks(self) -> None:
        """An algorithm that is well formed but not there."""
        response = self.post(parameters={"algorithms": ["camellia-128-cbc"]})
        assert self.error_of(response, 400) == "job.host_ineligible"
        assert "cannot measure camellia-128-cbc" in response.json()["message"]

    def test_names_what_is_wrong_with_the_parameters(self) -> None:
        """By path."""
        response = self.post(parameters={"pairs": 3})
        assert self.error_of(response, 400) == "job.parameters"
        assert list(response.json()["extra"]["fields"]) == ["parameters.pairs"]

    def test_refuses_parameters_that_are_no_object(self) -> None:
        """A list is none."""
        assert self.error_of(self.post(parameters=[1]), 400) == "input.invalid"

    def test_knows_neither_unknown_hosts_nor_unknown_workloads(self) -> None:
        """Each with its own code."""
        assert self.error_of(self.post(hosts=[str(uuid4())]), 400) == "job.hosts"
        assert self.error_of(self.post(workload="tea.brew"), 404) == "workload.not_found"

    def test_refuses_a_retired_host(self) -> None:
        """It stays retired."""
        self.session(self.adam).post(reverse("host-retire", args=[self.alpha.row.pk]))
        response = self.post()
        assert "This host is retired." in response.json()["message"]

    def test_the_same_host_twice_is_one_run(self) -> None:
        """No doubt about it."""
        host = str(self.alpha.row.pk)
        assert self.post(hosts=[host, host]).json()["hosts_total"] == 1


class JobDetailTests(DetailTests, JobsTestCase):
    """GET /jobs/<id>/"""

    view_name = "job-detail"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """A queued job."""
        return {"pk": job_made(self.alpha.row).pk}

    def test_says_who_answered_and_who_is_offline(self) -> None:
        """Three hosts: one measured, one offline, one waiting."""
        beta, gamma = host_enrolled("beta"), host_enrolled("gamma")
        job = job_made(self.alpha.row, beta.row, gamma.row)
        agent = FakeAgent(self.alpha.row)
        order = agent.begin()
        agent.send(agent.finished(order, "failed", message="No."))
        type(beta.row).objects.filter(pk=beta.row.pk).update(state="offline")
        body = self.session(self.vera).get(reverse("job-detail", args=[job.pk])).json()
        assert body["sentence"] == "answered 1 of 3, 1 offline"
        assert (body["state"], body["counts"]) == ("running", {"failed": 1, "queued": 2})
        assert body["capabilities"] == {"job.run": False, "job.cancel": False}

    def test_shows_the_verdict_with_published_figures_beside_it(self) -> None:
        """A cell for which there is one."""
        run = measured(self.alpha)
        body = self.session(self.vera).get(reverse("job-detail", args=[run.job_id])).json()
        (comparison,) = body["runs"][0]["comparisons"]
        assert (comparison["verdict"], comparison["pairs"]) == ("faster", 5)
        assert comparison["sentence"] == body["runs"][0]["sentence"]
        assert comparison["software"]["cpu_unit"] == "MB"
        assert comparison["published"] == []


class JobCancelTests(DetailTests, JobsTestCase):
    """POST /jobs/<id>/cancel/"""

    view_name = "job-cancel"
    method = "post"
    verb = "job.cancel"

    def url_kwargs(self) -> dict[str, Any]:
        """A queued job."""
        return {"pk": job_made(self.alpha.row).pk}

    def test_cancels_what_waits_and_asks_what_runs_to_stop(self) -> None:
        """With one audit row that counts both."""
        job = job_made(self.alpha.row, host_enrolled("beta").row)
        FakeAgent(self.alpha.row).begin()
        body = self.session(self.omar).post(reverse("job-cancel", args=[job.pk])).json()
        assert body["counts"] == {"cancelled": 1, "running": 1}
        event = AuditEvent.objects.get(verb="job.cancel")
        assert event.new == {"cancelled": 1, "cancel_requested": 1}

    def test_a_job_that_is_over_is_a_conflict(self) -> None:
        """Nothing to cancel."""
        run = measured(self.alpha)
        response = self.session(self.omar).post(reverse("job-cancel", args=[run.job_id]))
        assert self.error_of(response, 409) == "job.finished"


class JobAgainTests(DetailTests, JobsTestCase):
    """POST /jobs/<id>/again/"""

    view_name = "job-again"
    method = "post"
    verb = "job.run"
    success = 201

    def url_kwargs(self) -> dict[str, Any]:
        """A job."""
        return {"pk": job_made(self.alpha.row).pk}

    def test_asks_the_same_of_the_same_hosts(self) -> None:
        """And remembers of which job it is a repetition."""
        job = job_made(self.alpha.row, algorithms=["sha256"])
        body = self.session(self.omar).post(reverse("job-again", args=[job.pk])).json()
        assert (body["again_of"], body["parameters"]) == (str(job.pk), job.parameters)
        assert JobRun.objects.filter(host=self.alpha.row).count() == 2


class JobExportTests(DetailTests, JobsTestCase):
    """GET /jobs/<id>/export/"""

    view_name = "job-export"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """A measured job."""
        return {"pk": measured(self.alpha).job_id}

    def exported(self, form: str) -> str:
        """The file."""
        response = self.session(self.vera).get(self.url(), {"format": form})
        assert f'filename="job_{Job.objects.get().pk}.{form}"' in response["Content-Disposition"]
        return b"".join(response.streaming_content).decode()

    def test_json_holds_runs_comparisons_and_samples(self) -> None:
        """Everything, once."""
        body = json.loads(self.exported("json"))
        (run,) = body["runs"]
        assert body["job"]["state"] == "finished"
        assert (len(run["samples"]), len(run["comparisons"])) == (10, 1)

    def test_csv_holds_a_line_per_sample(self) -> None:
        """In the order in which they were measured."""
        rows = list(csv.DictReader(io.StringIO(self.exported("csv"))))
        assert [int(row["position"]) for row in rows] == list(range(10))
        assert {row["host.name"] for row in rows} == {"alpha"}


class ManyHostsTests(JobsTestCase):
    """A job for a thousand hosts."""

    def test_costs_as_many_queries_as_one_for_ten(self) -> None:
        """Creating it, and showing it."""
        alpha = self.alpha.fresh()
        copies = []
        for number in range(1000):
            fields = {"pk": uuid4(), "name": f"h{number:04}", "machine_id": f"copy-{number}"}
            copies.append(_copy(alpha, **fields))
        type(alpha).objects.bulk_create(copies)
        few, many = self.queries(copies[:10]), self.queries(copies)
        assert many == few
        assert JobRun.objects.filter(state=WorkState.QUEUED).count() == 1010

    def queries(self, hosts: list[Any]) -> tuple[int, int]:
        """Create a job for `hosts` and show it; return what each took."""
        client = self.session(self.omar)
        body = {"workload": "openssl.speed", "hosts": [str(host.pk) for host in hosts]}
        with CaptureQueriesContext(connection) as create:
            made = client.post(reverse("job-list"), body, format="json").json()
        with CaptureQueriesContext(connection) as show:
            client.get(reverse("job-detail", args=[made["id"]]))
        return len(create), len(show)


def _copy(host: Any, **fields: Any) -> Any:
    values = {f.attname: getattr(host, f.attname) for f in type(host)._meta.concrete_fields}
    return type(host)(**values | {"id": fields.pop("pk")} | fields)
