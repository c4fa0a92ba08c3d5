"""The overview: every number is what the list behind it counts."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.changes.services import pause_set
from console.fleet.models import Host
from console.fleet.services import host_retire
from console.overview.selectors import overview
from tests.console.base import ConsoleTestCase, EndpointTests
from tests.console.changes.cast import ChangesTestCase
from tests.console.hosts import certificate, enrol, host_with, library, some_facts, token
from tests.console.jobs.test_jobs_api import measured
from tests.support.hosts import host_enrolled


def troubled(name: str) -> Host:
    """A host with a locked PIN and certificates that end soon."""
    now = timezone.now()
    ends = {"gone": -1, "soon": 10, "later": 60, "fine": 400}
    certificates = [
        certificate(sha256=key, not_after=(now + timedelta(days=days)).isoformat())
        for key, days in ends.items()
    ]
    stuck = token(user_pin_state="locked", certificates=certificates)
    slot = replace(library().slots[0], token=stuck)
    return host_with(some_facts(providers=[library(slots=[slot])]), name)


class OverviewApi(EndpointTests, ConsoleTestCase):
    """GET /overview/"""

    view_name = "overview"
    verb = "host.read"

    def shown(self) -> Any:
        return self.call(self.session(self.vera)).json()

    def figures(self, key: str) -> dict[str, int]:
        return {figure["key"]: figure["count"] for figure in self.shown()[key]}

    def test_counts_hosts_by_state(self) -> None:
        troubled("alpha")
        host_retire(host=enrol("beta").host, actor=SYSTEM)
        counts = self.figures("hosts")
        assert counts == {"pending": 0, "active": 1, "offline": 0, "retired": 1, "revoked": 0}

    def test_counts_units_by_kind(self) -> None:
        troubled("alpha")
        cpu, vf = self.shown()["units"]
        assert (cpu["kind"], cpu["total"]["count"], cpu["free"]["count"]) == (
            "cpu_instructions",
            1,
            0,
        )
        assert (vf["kind"], vf["assigned"]["count"], vf["free"]["count"]) == ("qat_vf", 1, 0)

    def test_counts_pins_certificates_and_findings(self) -> None:
        troubled("alpha")
        assert self.figures("token_pins") == {"locked": 1, "final_try": 0, "count_low": 0}
        assert self.figures("certificates") == {
            "expired": 1,
            "within_30_days": 1,
            "within_90_days": 2,
        }
        assert self.figures("findings") == {"critical": 0, "warning": 1, "notice": 0}

    def test_shows_the_last_jobs_with_their_speedups(self) -> None:
        run = measured(host_enrolled("alpha"))
        (job,) = self.shown()["recent_jobs"]
        assert (job["id"], job["state"], job["hosts_total"]) == (str(run.job_id), "finished", 1)
        (cell,) = job["comparisons"]
        assert 4.5 < cell["low"] <= cell["ratio"] <= cell["high"] < 5.5

    def test_counts_runs_that_failed_lately(self) -> None:
        measured(host_enrolled("alpha"), outcome="failed")
        assert self.shown()["failed_runs"]["count"] == 1

    def test_every_number_is_what_its_list_counts(self) -> None:
        troubled("alpha")
        host_with(some_facts(), "beta")
        client = self.session(self.vera)
        figures = list(_figures(self.shown()))
        assert len(figures) > 20
        for figure in figures:
            with self.subTest(figure):
                page = client.get(f"/api/v1/{figure['list']}/", figure["query"])
                assert page.json()["count"] == figure["count"], page.json()

    def test_needs_as_many_queries_for_many_hosts_as_for_few(self) -> None:
        troubled("alpha")
        with self.assertNumQueries(11):
            self._overview()
        for number in range(5):
            troubled(f"more-{number}")
        with self.assertNumQueries(11):
            self._overview()

    def _overview(self) -> None:
        overview(actor=self.actor(self.vera))


def _figures(value: Any) -> Any:
    """Yield every figure anywhere in the overview."""
    if isinstance(value, dict) and {"list", "query", "count"} <= value.keys():
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _figures(item)


class SearchApi(EndpointTests, ConsoleTestCase):
    """GET /search/"""

    view_name = "search"
    verb = "host.read"

    def url(self) -> str:
        return "/api/v1/search/?q=alpha"

    def found(self, text: str) -> dict[str, list[str]]:
        body = self.session(self.vera).get("/api/v1/search/", {"q": text}).json()
        return {g["kind"]: [hit["title"] for hit in g["results"]] for g in body["groups"]}

    def test_finds_each_kind_by_what_people_call_it(self) -> None:
        host_with(some_facts())
        for text, kind, title in (
            ("ALPHA", "host", "alpha"),
            ("qat", "unit", "VF 1"),
            ("web", "domain", "web"),
            ("0042", "token", "signing"),
            ("shop.example", "certificate", "CN=shop.example.org"),
            ("libexample", "provider", "libexample.so"),
        ):
            with self.subTest(text):
                assert self.found(text)[kind] == [title]

    def test_every_word_must_occur(self) -> None:
        host_with(some_facts())
        assert self.found("libexample nonsense") == {}

    def test_shows_a_few_and_says_that_there_are_more(self) -> None:
        for number in range(10):
            enrol(f"alpha-{number}")
        body = self.session(self.vera).get(self.url()).json()
        (group,) = body["groups"]
        assert (len(group["results"]), group["has_more"]) == (8, True)

    def test_refuses_a_text_that_finds_everything(self) -> None:
        response = self.session(self.vera).get("/api/v1/search/", {"q": "a"})
        assert self.error_of(response, 400) == "search.text"

    def test_percent_signs_are_no_wildcards(self) -> None:
        enrol("alpha")
        assert self.found("%%") == {}


class OverviewOfChanges(ChangesTestCase):
    """What changes need of people."""

    def shown(self) -> Any:
        """The overview as vera sees it."""
        return self.session(self.vera).get("/api/v1/overview/").json()

    def test_counts_changes_by_what_they_need(self) -> None:
        self.planned()
        assert {row["key"]: row["count"] for row in self.shown()["changes"]} == {
            "approval": 1,
            "reboot": 0,
            "attention": 0,
            "apply": 0,
        }

    def test_every_count_is_that_of_the_list_behind_it(self) -> None:
        self.planned()
        for row in self.shown()["changes"] + self.shown()["drift"]:
            url = f"/api/v1/{row['list']}/"
            found = self.session(self.vera).get(url, row["query"]).json()
            assert found["count"] == row["count"], row

    def test_says_when_everything_is_paused(self) -> None:
        assert not self.shown()["change_pause"]["is_paused"]
        pause_set(actor=self.actor(self.adam), is_paused=True, reason="audit week")
        assert self.shown()["change_pause"]["reason"] == "audit week"
