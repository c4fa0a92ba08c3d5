"""Groups of hosts."""

import uuid
from typing import Any

from console.audit.models import AuditEvent
from console.fleet.groups import host_group_create
from console.fleet.models import HostGroup
from tests.console.base import ConsoleTestCase, DetailTests, EndpointTests, ListTests
from tests.console.hosts import enrol


class GroupTestCase(ConsoleTestCase):
    """The cast, and groups."""

    def group(self, name: str = "", *hosts: Any) -> HostGroup:
        """A group of adam's making."""
        name = name or uuid.uuid4().hex
        return host_group_create(actor=self.actor(self.adam), name=name, hosts=hosts)


class HostGroupListApi(ListTests, GroupTestCase):
    """GET /host-groups/"""

    view_name = "host-group-list"
    verb = "host.read"

    def make_rows(self, count: int) -> None:
        for _ in range(count):
            self.group()

    def test_counts_a_groups_hosts_and_filters_by_one_of_them(self) -> None:
        alpha, beta = enrol("alpha").host, enrol("beta").host
        self.group("both", alpha.pk, beta.pk)
        self.group("none")
        rows = self.listed(host=str(alpha.pk))["results"]
        assert [(row["name"], row["host_count"]) for row in rows] == [("both", 2)]

    def test_hosts_are_filtered_by_group_each_once(self) -> None:
        alpha, _ = enrol("alpha").host, enrol("beta").host
        ids = f"{self.group('a', alpha.pk).pk},{self.group('b', alpha.pk).pk}"
        found = self.session(self.vera).get("/api/v1/hosts/", {"group": ids}).json()["results"]
        assert [row["name"] for row in found] == ["alpha"]


class HostGroupCreateApi(EndpointTests, GroupTestCase):
    """POST /host-groups/"""

    view_name = "host-group-list"
    method = "post"
    verb = "host_group.manage"
    success = 201

    def body(self) -> dict[str, Any]:
        return {"name": "databases", "hosts": []}

    def test_a_name_is_taken_once_and_hosts_exist(self) -> None:
        client = self.session(self.adam)
        assert self.call(client).status_code == 201
        assert self.error_of(self.call(client), 409) == "host_group.name_taken"
        odd = {"name": "odd", "hosts": [str(uuid.uuid4())]}
        reply = client.post(self.url(), odd, format="json")
        assert self.error_of(reply, 400) == "host_group.host"
        assert AuditEvent.objects.filter(verb="host_group.create").count() == 1


class HostGroupDetailApi(DetailTests, GroupTestCase):
    """GET /host-groups/<id>/"""

    view_name = "host-group-detail"
    verb = "host.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": self.group().pk}


class HostGroupUpdateApi(HostGroupDetailApi):
    """PATCH /host-groups/<id>/"""

    method = "patch"
    verb = "host_group.manage"

    def body(self) -> dict[str, Any]:
        return {"description": "kept alike"}

    def test_hosts_are_added_and_removed(self) -> None:
        alpha, beta = enrol("alpha").host, enrol("beta").host
        group = self.group("g", alpha.pk)
        body = {"add_hosts": [str(beta.pk)], "remove_hosts": [str(alpha.pk)]}
        url = f"/api/v1/host-groups/{group.pk}/"
        assert self.session(self.adam).patch(url, body, format="json").json()["host_count"] == 1
        assert group.hosts.get() == beta
        new = AuditEvent.objects.get(verb="host_group.update").new or {}
        assert (new["added"], new["removed"]) == (["beta"], ["alpha"])


class HostGroupDeleteApi(HostGroupDetailApi):
    """DELETE /host-groups/<id>/"""

    method = "delete"
    verb = "host_group.manage"
    success = 204
