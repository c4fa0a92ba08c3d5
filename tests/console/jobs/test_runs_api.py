"""Endpoints of runs, samples, workloads and of a host's work lane."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from agents.wire.inventory import WorkloadFacts
from agents.wire.work import ReportKind
from console.accounts.actors import SYSTEM
from console.fleet.enums import WorkState
from console.fleet.models import Host
from console.fleet.services import host_retire
from console.fleet.work import work_reap
from console.jobs.models import JobRun
from tests.console.base import DetailTests, EndpointTests, ListTests
from tests.console.jobs.cast import FakeAgent, job_made, run_of
from tests.console.jobs.test_jobs_api import JobsTestCase, measured
from tests.support.hosts import host_enrolled


class RunListTests(ListTests, JobsTestCase):
    """GET /runs/"""

    view_name = "run-list"
    verb = "job.read"

    def make_rows(self, count: int) -> None:
        """Some measured, some waiting."""
        for number in range(count):
            if number % 2:
                job_made(host_enrolled(f"host-{JobRun.objects.count()}").row)
            else:
                measured(self.alpha)

    def test_filters_by_job_host_state_and_verdict(self) -> None:
        """A measured one and a queued one."""
        done, waiting = measured(self.alpha), run_of(job_made(host_enrolled("beta").row))
        for query, expected in (
            ({"job": str(done.job_id)}, [done]),
            ({"host": str(waiting.host_id)}, [waiting]),
            ({"state": "succeeded"}, [done]),
            ({"verdict": "faster"}, [done]),
            ({"verdict": "slower"}, []),
            ({"search": "beta"}, [waiting]),
            ({"is_simulated": "true"}, []),
        ):
            found = [row["id"] for row in self.listed(**query)["results"]]
            assert found == [str(run.pk) for run in expected], query


class RunDetailTests(DetailTests, JobsTestCase):
    """GET /runs/<id>/"""

    view_name = "run-detail"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """A measured run."""
        return {"pk": measured(self.alpha).pk}

    def test_shows_what_the_agent_said_of_the_run(self) -> None:
        """Result and message as they came."""
        run = measured(self.alpha, result={"switched_off": ["AES-NI"]}, message="Done.")
        body = self.session(self.vera).get(reverse("run-detail", args=[run.pk])).json()
        assert body["result"] == {"switched_off": ["AES-NI"]}
        assert (body["message"], body["host"]["is_simulated"]) == ("Done.", False)

    def test_a_simulated_host_is_labelled_in_the_verdict(self) -> None:
        """In the headline and in each comparison."""
        sparc = host_enrolled("sparc", is_simulated=True, source="simulator")
        run = measured(sparc)
        body = self.session(self.vera).get(reverse("run-detail", args=[run.pk])).json()
        assert body["sentence"].startswith("Simulated host. ")
        assert body["comparisons"][0]["sentence"].startswith("Simulated host. ")
        assert body["host"]["is_simulated"] is True


class RunCancelTests(DetailTests, JobsTestCase):
    """POST /runs/<id>/cancel/"""

    view_name = "run-cancel"
    method = "post"
    verb = "job.cancel"

    def url_kwargs(self) -> dict[str, Any]:
        """A queued run."""
        return {"pk": run_of(job_made(self.alpha.row)).pk}

    def test_leaves_the_job_s_other_runs_alone(self) -> None:
        """Only this host's."""
        job = job_made(self.alpha.row, host_enrolled("beta").row)
        run = JobRun.objects.get(job=job, host=self.alpha.row)
        body = self.session(self.omar).post(reverse("run-cancel", args=[run.pk])).json()
        assert body["state"] == "cancelled"
        assert JobRun.objects.filter(job=job, state=WorkState.QUEUED).count() == 1

    def test_a_run_that_is_over_is_a_conflict(self) -> None:
        """Nothing to cancel."""
        run = measured(self.alpha)
        response = self.session(self.omar).post(reverse("run-cancel", args=[run.pk]))
        assert self.error_of(response, 409) == "run.finished"


class RunOutputTests(DetailTests, JobsTestCase):
    """GET /runs/<id>/output/"""

    view_name = "run-output"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """A run with three pieces of output."""
        host = host_enrolled(f"host-{JobRun.objects.count()}").row
        job_made(host)
        self.agent = FakeAgent(host)
        self.order = self.agent.begin()
        chunks = [
            self.agent.report(self.order, ReportKind.OUTPUT, chunk=number, text=f"line {number}\n")
            for number in range(3)
        ]
        self.agent.send(*chunks)
        return {"pk": self.order.work_id}

    def page(self, url: str, **query: Any) -> Any:
        """One page."""
        return self.session(self.vera).get(url, query).json()

    def test_gives_what_follows_the_last_known_chunk(self) -> None:
        """And says when there will be no more."""
        url = self.url()
        first = self.page(url)
        assert [chunk["text"] for chunk in first["chunks"]] == ["line 0\n", "line 1\n", "line 2\n"]
        assert (first["last"], first["is_complete"]) == (2, False)
        assert [chunk["chunk"] for chunk in self.page(url, after=1)["chunks"]] == [2]
        self.agent.send(self.agent.finished(self.order))
        end = self.page(url, after=2)
        assert (end["chunks"], end["last"], end["is_complete"]) == ([], 2, True)

    def test_refuses_a_place_that_is_no_number(self) -> None:
        """400."""
        response = self.session(self.vera).get(self.url(), {"after": "x"})
        assert self.error_of(response, 400) == "filter.after"


class SampleListTests(ListTests, JobsTestCase):
    """GET /samples/"""

    view_name = "sample-list"
    verb = "job.read"

    def make_rows(self, count: int) -> None:
        """A run's samples; at least `count` of them."""
        measured(self.alpha, pairs=(count + 1) // 2)

    def test_filters_by_run_variant_and_cell(self) -> None:
        """Five of ten."""
        run = measured(self.alpha)
        query = {"run": str(run.pk), "variant": "software", "cell": "aes-128-cbc/8192/encrypt"}
        values = [row["value"] for row in self.listed(**query)["results"]]
        assert values == [2.4e8 + number for number in range(5)]


class SampleDetailTests(EndpointTests, JobsTestCase):
    """GET /samples/<id>/"""

    view_name = "sample-detail"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """The first of a run."""
        sample = measured(self.alpha).samples.first()
        assert sample is not None
        return {"pk": sample.pk}

    def test_knows_no_sample_of_another_number(self) -> None:
        """404."""
        response = self.session(self.vera).get(reverse("sample-detail", args=[999_999]))
        assert self.error_of(response, 404) == "sample.not_found"


class WorkloadListTests(EndpointTests, JobsTestCase):
    """GET /workloads/"""

    view_name = "workload-list"
    verb = "job.read"

    def test_holds_schema_defaults_variants_and_published_figures(self) -> None:
        """Of openssl.speed."""
        (workload,) = self.call(self.session(self.vera)).json()
        assert workload["name"] == "openssl.speed"
        assert workload["defaults"]["pairs"] == 5
        assert workload["schema"]["properties"]["pairs"]["minimum"] == 5
        assert {v["name"]: v["is_baseline"] for v in workload["variants"]} == {
            "accelerated": False,
            "software": True,
        }
        assert len(workload["published"]) == 7


class WorkloadDetailTests(EndpointTests, JobsTestCase):
    """GET /workloads/<name>/"""

    view_name = "workload-detail"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """The one that exists."""
        return {"name": "openssl.speed"}

    def test_knows_no_other(self) -> None:
        """404."""
        response = self.session(self.vera).get(reverse("workload-detail", args=["tea.brew"]))
        assert self.error_of(response, 404) == "workload.not_found"


class WorkloadEligibilityTests(ListTests, JobsTestCase):
    """GET /workloads/<name>/eligibility/"""

    view_name = "workload-eligibility"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """The one that exists."""
        return {"name": "openssl.speed"}

    def make_rows(self, count: int) -> None:
        """Hosts."""
        for number in range(count):
            host_enrolled(f"host-{Host.objects.count()}-{number}")

    def row_id(self, row: dict[str, Any]) -> Any:
        """The host's."""
        return row["host"]["id"]

    def test_says_of_each_host_whether_and_why_not(self) -> None:
        """By name; retired ones only when asked for."""
        lame = WorkloadFacts(name="openssl.speed", is_eligible=False, reason="No openssl here.")
        host_enrolled("beta", workloads=(lame,))
        host_enrolled("gamma", workloads=())
        answers = self.call(self.session(self.vera)).json()["results"]
        assert [(a["host"]["name"], a["is_eligible"]) for a in answers] == [
            ("alpha", True),
            ("beta", False),
            ("gamma", False),
        ]
        assert answers[0]["choices"]["masks"] == ["aes", "sha"]
        assert answers[2]["reason"] == "Its agent does not know openssl.speed; upgrade the agent."

    def test_may_be_asked_for_single_hosts(self) -> None:
        """By id; nonsense is refused."""
        client, url = self.session(self.vera), self.url()
        host_enrolled("beta")
        answers = client.get(url, {"host": str(self.alpha.row.pk)}).json()["results"]
        assert [answer["host"]["name"] for answer in answers] == ["alpha"]
        assert self.error_of(client.get(url, {"host": "alpha"}), 400) == "input.invalid"

    def test_retired_hosts_answer_only_by_name(self) -> None:
        """With the reason that they are retired."""
        gone = host_enrolled("gone").row
        host_retire(actor=SYSTEM, host=gone)
        assert "gone" not in str(self.listed())
        (answer,) = self.listed(host=str(gone.pk))["results"]
        assert answer["reason"] == "This host is retired."


class WorkloadExpectationTests(EndpointTests, JobsTestCase):
    """POST /workloads/<name>/expectation/"""

    view_name = "workload-expectation"
    method = "post"
    verb = "job.read"

    def url_kwargs(self) -> dict[str, Any]:
        """The one that exists."""
        return {"name": "openssl.speed"}

    def body(self) -> dict[str, Any]:
        """Some parameters."""
        return {"parameters": {"algorithms": ["sha256"], "control": False}}

    def test_completes_parameters_and_tells_how_long(self) -> None:
        """Thirteen seconds: two to set up, ten loops of 1.1."""
        body = self.call(self.session(self.vera)).json()
        assert (body["expected_seconds"], body["parameters"]["pairs"]) == (13.0, 5)


class HostReleaseWorkLaneTests(DetailTests, JobsTestCase):
    """POST /hosts/<id>/release-work-lane/"""

    view_name = "host-release-work-lane"
    method = "post"
    verb = "host.update"

    def url_kwargs(self) -> dict[str, Any]:
        """A host with which contact was lost during a run."""
        host = host_enrolled(f"host-{JobRun.objects.count()}").row
        job_made(host)
        FakeAgent(host).begin()
        later = timezone.now() + timedelta(seconds=settings.WORK_LEASE_SECONDS + 1)
        with patch("console.fleet.work.timezone.now", return_value=later):
            work_reap()
        return {"pk": host.pk}

    def test_an_open_lane_is_a_conflict(self) -> None:
        """Nothing to release."""
        url = reverse("host-release-work-lane", args=[self.alpha.row.pk])
        assert self.error_of(self.session(self.adam).post(url), 409) == "work_lane.open"
