"""The assignment matrix of a host and the fleet's metaslots."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.wire.codec import from_plain
from agents.wire.inventory import ChangeKindFacts, DomainFacts, Facts, HostFacts, UnitFacts
from console.fleet.models import Host
from tests.console.base import ConsoleTestCase, DetailTests, ListTests
from tests.console.hosts import host_with, random_name

TREES = Path(__file__).parents[2] / "agents" / "drivers" / "expected"
REASON = "The units are instructions in the core."


def sparc(domains: int = 2, units: int = 2, settings: Any = None) -> Facts:
    """Facts of a control domain: each domain has a core, the first also a unit."""
    names = [f"ldg{number}" for number in range(domains)]
    return Facts(
        host=HostFacts(hostname="sparc", platform="solaris", is_simulated=True),
        domains=[DomainFacts(key=name, name=name, kind="ldom", state="active",
                             attributes={"vcpu": 8, "cores": [str(n)], "max_units": 1,
                                         "is_control": n == 0, "reconfiguration": "none"})
                 for n, name in enumerate(names)],
        units=[_mau(number, names[number % domains]) for number in range(units)],
        settings=settings or {},
        parts={"unit.wanted/ldg1": 0},
    )  # fmt: skip


def recorded(name: str) -> Facts:
    """What the Linux driver reads in a recorded tree."""
    return from_plain(json.loads((TREES / f"{name}.json").read_text())["facts"], Facts)


def _mau(core: int, domain: str) -> UnitFacts:
    facts: dict[str, Any] = {"core": core, "cpuset": [str(core * 8)], "can_serve": [domain]}
    owner = domain if core == 0 else None
    return UnitFacts(key=f"mau:{core}", kind="mau", name=f"Unit {core:03}", is_assignable=True,
                     domain_key=owner, attributes=facts)  # fmt: skip


class HostMatrixApi(DetailTests, ConsoleTestCase):
    """GET /hosts/<id>/matrix/"""

    view_name = "host-matrix"
    verb = "inventory.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": host_with(sparc(), random_name()).pk}

    def matrix(self, host: Host) -> Any:
        """The reply, and in how many queries."""
        client = self.session(self.vera)
        with CaptureQueriesContext(connection) as captured:
            response = client.get(f"/api/v1/hosts/{host.pk}/matrix/")
        assert response.status_code == 200, response.content
        return response.json(), len(captured)

    def test_shows_who_has_which_unit_and_who_could(self) -> None:
        found, _ = self.matrix(host_with(sparc()))
        assert (found["mode"], found["free"], found["reason"]) == ("counted", 1, "")
        first, second = found["domains"]
        assert (first["unit_count"], first["max_units"], first["flags"]) == (1, 1, ["control"])
        assert (second["unit_count"], second["units_wanted"]) == (0, 0)
        units = [(unit["domain_key"], unit["can_serve"]) for unit in found["units"]]
        assert units == [("ldg0", ["ldg0"]), (None, ["ldg1"])]

    def test_says_why_nothing_can_be_assigned(self) -> None:
        unit = UnitFacts(key="cpu", kind="cpu_instructions", name="CPU", reason=REASON)
        facts = Facts(host=HostFacts(hostname="t4", platform="solaris"), units=[unit])
        found, _ = self.matrix(host_with(facts))
        assert (found["mode"], found["reason"], found["units"]) == ("none", REASON, [])

    def test_units_with_addresses_are_assigned_by_address(self) -> None:
        vf = UnitFacts(key="0c:00.1", kind="qat_vf", name="VF 1", is_assignable=True)
        domain = DomainFacts(key="web", name="web", kind="libvirt")
        facts = Facts(host=HostFacts(hostname="x", platform="linux"), units=[vf], domains=[domain])
        found, _ = self.matrix(host_with(facts))
        assert (found["mode"], found["units"][0]["can_serve"]) == ("addressed", ["web"])

    def test_queues_and_functions_of_recorded_machines_go_to_domains_of_their_kind(self) -> None:
        z, _ = self.matrix(host_with(recorded("ibm_z"), "z"))
        guests = [domain["key"] for domain in z["domains"]]
        assert (z["mode"], z["free"], len(guests)) == ("addressed", 1, 2)
        assert all(unit["can_serve"] == guests for unit in z["units"])
        assert [unit["domain_key"] for unit in z["units"]] == [guests[0], guests[0], None]
        assert [domain["unit_count"] for domain in z["domains"]] == [2, 0]
        qat, _ = self.matrix(host_with(recorded("intel_qat"), "qat"))
        assert (qat["mode"], len(qat["units"]), qat["domains"]) == ("addressed", 1, [])
        assert qat["units"][0]["can_serve"] == []

    def test_an_accelerator_and_a_queue_are_not_given_to_the_same_domains(self) -> None:
        units = [UnitFacts(key=kind, kind=kind, name=kind, is_assignable=True)
                 for kind in ("ap_queue", "qat_vf")]  # fmt: skip
        domains = [DomainFacts(key=kind, name=kind, kind=kind)
                   for kind in ("libvirt", "vfio_ap_mdev")]  # fmt: skip
        host = HostFacts(hostname="x", platform="linux")
        found, _ = self.matrix(host_with(Facts(host=host, units=units, domains=domains)))
        said = {unit["key"]: unit["can_serve"] for unit in found["units"]}
        assert said == {"ap_queue": ["vfio_ap_mdev"], "qat_vf": ["libvirt"]}

    def test_a_host_whose_driver_assigns_nothing_says_so_and_takes_no_draft(self) -> None:
        takes = [ChangeKindFacts(name="provider.enable", is_accepted=True)]
        host = host_with(replace(recorded("ibm_z"), changes=takes))
        found, _ = self.matrix(host)
        assert not found["assigning"]["is_accepted"]
        unit, domain = found["units"][2]["key"], found["domains"][1]["key"]
        body = {"host": str(host.pk), "kind": "unit.assign", "reason": "Spare", "is_draft": True,
                "parameters": {"units": {unit: domain}}}  # fmt: skip
        reply = self.session(self.omar).post("/api/v1/changes/", body, format="json")
        assert self.error_of(reply, 400) == "change.host_refused"
        message = reply.json()["message"]
        assert message.startswith("This host's driver cannot assign units: alpha knows no")
        assert message == found["assigning"]["reason"]

    def test_needs_as_many_queries_for_256_units_and_64_domains_as_for_two(self) -> None:
        _, few = self.matrix(host_with(sparc(), "small"))
        found, many = self.matrix(host_with(sparc(64, 256), "large"))
        assert (len(found["domains"]), len(found["units"])) == (64, 256)
        assert many == few


class MetaslotListApi(ListTests, ConsoleTestCase):
    """GET /metaslots/"""

    view_name = "metaslot-list"
    verb = "inventory.read"

    def make_rows(self, count: int) -> None:
        for _ in range(count):
            facts = sparc(settings={"metaslot.status": "enabled", "metaslot.mechanisms": ["all"]})
            host_with(facts, random_name())

    def test_lists_the_hosts_that_have_one_as_configured_and_as_it_is(self) -> None:
        host_with(sparc(), "without")
        said = {"metaslot.status": "enabled", "metaslot.actual": "disabled", "metaslot.token": "t"}
        host_with(sparc(settings=said), "with")
        row = self.listed(status="enabled", actual="disabled")["results"][0]
        assert (row["host"]["name"], row["token"]) == ("with", "t")
        assert (row["status"], row["actual"]) == ("enabled", "disabled")
        assert self.listed()["count"] == 1
        assert self.listed(status="disabled")["count"] == 0
