"""Scans on request and the comparison of snapshots."""

from typing import Any

import pytest
from django.utils import timezone

from agents.wire.names import Lane
from console.accounts.actors import SYSTEM
from console.audit.models import AuditEvent
from console.fleet.models import Host
from console.fleet.services import host_retire
from console.fleet.work import work_claim, work_due
from console.inventory.models import InventoryScan, Snapshot
from console.inventory.pruning import snapshots_prune
from tests.console.base import ConsoleTestCase, DetailTests
from tests.console.hosts import enrol, host_with, ingest, random_name, some_facts


class HostScanApi(DetailTests, ConsoleTestCase):
    """POST /hosts/<id>/scan/"""

    view_name = "host-scan"
    method = "post"
    verb = "inventory.scan"
    success = 202

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": enrol(random_name()).host.pk}

    def asked(self, host: Host) -> Any:
        return self.session(self.omar).post(f"/api/v1/hosts/{host.pk}/scan/")

    def test_the_scan_is_due_in_lane_quick_and_claimable(self) -> None:
        host = enrol().host
        scan_id = self.asked(host).json()["id"]
        assert work_due(host) == {"quick": 1}
        order = work_claim(host=host, lane=Lane.QUICK, nonce="n" * 32)
        assert order is not None
        assert (order.work_id, order.kind) == (scan_id, "inventory.scan")

    def test_one_that_waits_is_not_asked_for_twice(self) -> None:
        host = enrol().host
        assert self.asked(host).json()["id"] == self.asked(host).json()["id"]
        assert InventoryScan.objects.count() == 1
        assert AuditEvent.objects.filter(verb="inventory.scan").count() == 1

    def test_a_retired_host_is_not_scanned(self) -> None:
        host = host_retire(host=enrol().host, actor=SYSTEM)
        assert self.error_of(self.asked(host), 409) == "host.state"

    def test_an_agent_that_does_not_allow_it_is_not_asked(self) -> None:
        host = enrol().host
        Host.objects.filter(pk=host.pk).update(allow=["job.run"])
        assert self.error_of(self.asked(host), 409) == "host.kind_refused"


class SnapshotDiffApi(DetailTests, ConsoleTestCase):
    """GET /hosts/<id>/snapshots/diff/"""

    view_name = "snapshot-diff"
    verb = "inventory.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": host_with(some_facts(), random_name()).pk}

    def compared(self, host: Host, **query: str) -> Any:
        url = f"/api/v1/hosts/{host.pk}/snapshots/diff/"
        return self.session(self.vera).get(url, query)

    def test_compares_the_newest_with_the_one_before(self) -> None:
        host = host_with(some_facts())
        ingest(host, some_facts(units=[]))
        changes = self.compared(host).json()["changes"]
        assert [(c["section"], c["change"]) for c in changes] == [("units", "removed")] * 2

    def test_compares_the_two_that_are_named(self) -> None:
        host = host_with(some_facts())
        ingest(host, some_facts(units=[]))
        ingest(host, some_facts())
        first, _, third = Snapshot.objects.order_by("received_at")
        body = self.compared(host, **{"from": str(first.pk), "to": str(third.pk)}).json()
        assert body["changes"] == []

    def test_the_only_snapshot_does_not_differ_from_itself(self) -> None:
        body = self.compared(host_with(some_facts())).json()
        assert body["older"] == body["newer"]

    def test_another_hosts_snapshot_is_not_found(self) -> None:
        other = Snapshot.objects.get(host=host_with(some_facts(), "beta"))
        response = self.compared(host_with(some_facts(), "alpha"), to=str(other.pk))
        assert self.error_of(response, 404) == "snapshot.not_found"

    def test_a_host_without_a_snapshot_has_nothing_to_compare(self) -> None:
        assert self.error_of(self.compared(enrol().host), 404) == "snapshot.not_found"


@pytest.mark.django_db
def test_pruning_keeps_the_newest_of_each_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.inventory.pruning.KEPT_PER_HOST", 2)
    host = host_with(some_facts())
    for number in range(4):
        ingest(host, some_facts(settings={"x": number}))
    newest = list(Snapshot.objects.values_list("pk", flat=True)[:2])
    assert snapshots_prune(before=timezone.now()) == 3
    assert list(Snapshot.objects.values_list("pk", flat=True)) == newest
