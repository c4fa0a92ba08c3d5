"""Endpoints of the kinds of change: their words and forms, and which hosts take them."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from agents.wire.changes import CHANGE_KINDS
from console.fleet.groups import host_group_create
from console.fleet.models import Host
from tests.console.base import EndpointTests, ListTests
from tests.console.changes.cast import ChangesTestCase, taking_host
from tests.console.hosts import random_name
from tests.support.hosts import host_enrolled


class ChangeKindListTests(EndpointTests, ChangesTestCase):
    """GET /change-kinds/"""

    view_name = "change-kind-list"
    verb = "change.read"

    def test_every_kind_has_its_words(self) -> None:
        """Those of the contract, no more and no fewer."""
        rows = self.call(self.session(self.vera)).json()
        assert {row["name"] for row in rows} == set(CHANGE_KINDS)
        assert all(row["title"] and row["sentence"] and row["platforms"] for row in rows)

    def test_the_forms_of_parameters_are_json_schemas(self) -> None:
        """With defaults that they allow, each beside what has to be given."""
        for row in self.call(self.session(self.vera)).json():
            schema = row["parameters_schema"]
            Draft202012Validator.check_schema(schema)
            for name, value in row["defaults"].items():
                Draft202012Validator(schema["properties"][name]).validate(value)

    def test_a_host_is_told_of_with_its_reason(self) -> None:
        """Asked for with ?host=."""
        client = self.session(self.vera)
        rows = client.get(self.url(), {"host": str(self.alpha.row.pk)}).json()
        said = {row["name"]: row["acceptance"] for row in rows}
        assert said["unit.assign"] == {"is_accepted": True, "reason": ""}
        assert said["spconfig.save"]["reason"] == "alpha: Not allowed here."


class ChangeKindEligibilityTests(ListTests, ChangesTestCase):
    """GET /change-kinds/<name>/eligibility/"""

    view_name = "change-kind-eligibility"
    verb = "change.read"

    def url_kwargs(self) -> dict[str, Any]:
        """The kind that alpha refuses."""
        return {"name": "spconfig.save"}

    def row_id(self, row: dict[str, Any]) -> Any:
        """Its host's."""
        return row["host"]["id"]

    def make_rows(self, count: int) -> None:
        """More hosts."""
        for _ in range(count):
            taking_host(random_name())

    def test_says_which_hosts_take_it_and_why_the_others_do_not(self) -> None:
        """Whoever has said nothing yet is not asked either."""
        host_enrolled("beta")
        rows = self.listed()["results"]
        assert [(row["host"]["name"], row["is_accepted"]) for row in rows] == [
            ("alpha", False),
            ("beta", False),
        ]
        assert "not said yet" in rows[1]["reason"]

    def test_many_hosts_are_asked_about_by_id_group_or_label_in_as_many_queries(self) -> None:
        """Those and no others."""
        hosts = [taking_host(f"host-{number}").row for number in range(60)]
        Host.objects.filter(pk=hosts[0].pk).update(labels={"env": "prod"})
        ids = [host.pk for host in hosts]
        adam = self.actor(self.adam)
        group = host_group_create(actor=adam, name="all", hosts=ids)
        asked = {"host": ",".join(map(str, ids[:40]))}, {"group": str(group.pk)}, {"label": "env"}
        found = [self.counted(**one, page_size=1000) for one in asked]
        assert [count for count, _ in found] == [40, 60, 1]
        assert len({queries for _, queries in found}) == 1

    def counted(self, **asked: Any) -> tuple[int, int]:
        """How many hosts the reply has, and in how many queries."""
        client = self.session(self.vera)
        with CaptureQueriesContext(connection) as captured:
            reply = client.get(self.url(), asked)
        return len(reply.json()["results"]), len(captured)

    def test_knows_no_other_kinds(self) -> None:
        """404."""
        reply = self.session(self.vera).get("/api/v1/change-kinds/unit.melt/eligibility/")
        assert self.error_of(reply, 404) == "change_kind.not_found"
