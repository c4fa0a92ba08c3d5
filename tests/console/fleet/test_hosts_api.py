"""The endpoints of hosts."""

from dataclasses import replace
from typing import Any

import pytest

from agents.wire.inventory import ChangeKindFacts
from console.accounts.actors import SYSTEM
from console.audit.models import AuditEvent
from console.fleet.enums import HostState
from console.fleet.models import Host
from console.fleet.services import host_retire
from tests.console.base import ConsoleTestCase, DetailTests, ListTests
from tests.console.hosts import enrol, host_with, random_name, some_facts


class HostListApi(ListTests, ConsoleTestCase):
    """GET /hosts/"""

    view_name = "host-list"
    verb = "host.read"

    def make_rows(self, count: int) -> None:
        for _ in range(count):
            enrol(random_name())

    def names(self, **query: str) -> list[str]:
        return [row["name"] for row in self.listed(**query)["results"]]

    def test_filters_by_label(self) -> None:
        enrol("alpha", env="prod", tier="web")
        enrol("beta", env="test")
        enrol("gamma", tier="db")
        assert self.names(label="env=prod") == ["alpha"]
        assert self.names(label="env") == ["alpha", "beta"]
        assert self.names(label="env,tier=web") == ["alpha"]
        assert self.names(label="env=') OR 1=1") == []

    def test_filters_by_state(self) -> None:
        enrol("alpha")
        host_retire(host=enrol("beta").host, actor=SYSTEM)
        assert self.names(state="retired") == ["beta"]
        assert self.names(state="pending,retired") == ["alpha", "beta"]

    def test_searches_name_and_operating_system(self) -> None:
        host_with(some_facts(), "alpha")
        enrol("beta")
        assert self.names(search="debian") == ["alpha"]
        assert self.names(search="bet") == ["beta"]


class HostDetailApi(DetailTests, ConsoleTestCase):
    """GET /hosts/<id>/"""

    view_name = "host-detail"
    verb = "host.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": enrol(random_name()).host.pk}

    def test_shows_counts_settings_and_capabilities(self) -> None:
        host = host_with(some_facts())
        body = self.session(self.omar).get(f"/api/v1/hosts/{host.pk}/").json()
        assert body["counts"]["tokens"] == 1
        assert body["settings"]["fips.kernel"] is False
        assert body["capabilities"] == {
            "host.update": False,
            "host.retire": False,
            "inventory.scan": True,
            "job.run": True,
        }

    def test_lists_the_kinds_of_change_with_whether_it_takes_them(self) -> None:
        told = [
            ChangeKindFacts(name="unit.assign", is_accepted=True),
            ChangeKindFacts(name="spconfig.save", is_accepted=False, reason="Not allowed here."),
        ]
        host = host_with(replace(some_facts(), changes=told))
        found = self.session(self.vera).get(f"/api/v1/hosts/{host.pk}/").json()["changes"]
        assert [(kind["name"], kind["is_accepted"], kind["reason"]) for kind in found] == [
            ("unit.assign", True, ""),
            ("spconfig.save", False, "Not allowed here."),
        ]
        assert found[0]["title"] == "Assign crypto units"


class HostUpdateApi(DetailTests, ConsoleTestCase):
    """PATCH /hosts/<id>/"""

    view_name = "host-detail"
    method = "patch"
    verb = "host.update"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": enrol(random_name()).host.pk}

    def body(self) -> dict[str, Any]:
        return {"name": "renamed", "labels": {"env": "prod"}}

    def test_renames_and_labels_and_audits_both(self) -> None:
        host = enrol().host
        self.call(self.session(self.adam), f"/api/v1/hosts/{host.pk}/")
        host.refresh_from_db()
        assert (host.name, host.labels) == ("renamed", {"env": "prod"})
        events = AuditEvent.objects.filter(object_id=str(host.pk)).order_by("seq")
        assert [event.verb for event in events] == ["host.enrol", "host.rename", "host.label"]
        assert (events[1].old, events[1].new) == ({"name": "alpha"}, {"name": "renamed"})

    def test_refuses_a_name_that_another_host_has(self) -> None:
        enrol("renamed")
        response = self.call(self.session(self.adam))
        assert self.error_of(response, 409) == "host.name_taken"

    def test_refuses_label_keys_that_are_none(self) -> None:
        url = self.url()
        for labels in ({"Env": "x"}, {"a b": "x"}, {"": "x"}, {"env": "a\nb"}):
            with self.subTest(labels):
                response = self.session(self.adam).patch(url, {"labels": labels}, format="json")
                assert self.error_of(response, 400) == "label.invalid"


class HostRetireApi(DetailTests, ConsoleTestCase):
    """POST /hosts/<id>/retire/"""

    view_name = "host-retire"
    method = "post"
    verb = "host.retire"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": enrol(random_name()).host.pk}

    def test_retires_once(self) -> None:
        url = self.url()
        client = self.session(self.adam)
        assert client.post(url).json()["state"] == HostState.RETIRED
        assert self.error_of(client.post(url), 409) == "host.state"


class HostRevokeApi(DetailTests, ConsoleTestCase):
    """POST /hosts/<id>/revoke/"""

    view_name = "host-revoke"
    method = "post"
    verb = "host.retire"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": enrol(random_name()).host.pk}

    def test_revokes_the_credential(self) -> None:
        response = self.call(self.session(self.adam))
        host = Host.objects.get(pk=response.json()["id"])
        assert host.state == HostState.REVOKED
        assert not host.credentials.filter(revoked_at=None).exists()


@pytest.mark.usefixtures("redis_url")
class HostGaugesApi(DetailTests, ConsoleTestCase):
    """GET /hosts/<id>/gauges/"""

    view_name = "host-gauges"
    verb = "host.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": enrol(random_name()).host.pk}

    def test_a_host_never_heard_of_has_none(self) -> None:
        body = self.call(self.session(self.vera)).json()
        assert body == {"at": None, "uptime_seconds": None, "is_broker_reached": None, "gauges": []}
