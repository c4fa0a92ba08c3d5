"""Drift: shown where a host is not as a change last left it, never corrected."""

from typing import Any

from agents.wire.inventory import ChangeKindFacts, Facts, HostFacts
from console.advice.models import Finding
from console.changes.enums import ChangeState
from console.changes.models import Change, DesiredPart
from console.fleet.models import Host
from tests.console.base import ListTests
from tests.console.changes.cast import applying, ended
from tests.console.changes.test_changes_api import ReadyTestCase
from tests.console.hosts import ingest

PART = "unit.count/primary"


class DriftTestCase(ReadyTestCase):
    """A change of alpha that left one crypto unit with primary."""

    def seen(self, **parts: Any) -> None:
        """Alpha's inventory shows these parts."""
        named = {
            name.replace("__", "/").replace("_", ".", 1): value for name, value in parts.items()
        }
        takes = [ChangeKindFacts(name="unit.assign", is_accepted=True)]
        host = HostFacts(hostname="alpha", platform="solaris")
        facts = Facts(host=host, parts=named, changes=takes)
        ingest(Host.objects.get(pk=self.alpha.row.pk), facts)

    def finding(self) -> Finding:
        """The finding about the part."""
        return Finding.objects.get(code="host.drifted", subject_key=PART)


class DriftTests(DriftTestCase):
    """What is compared, and when."""

    def test_a_change_that_succeeded_says_what_its_host_should_be(self) -> None:
        change = self.over()
        row = DesiredPart.objects.get()
        assert (row.part, row.expected, row.change) == (PART, 1, change)
        assert row.drifted_since is None

    def test_what_differs_is_a_drift_and_a_finding_until_it_is_back(self) -> None:
        self.over()
        self.seen(unit_count__primary=2)
        row = DesiredPart.objects.get()
        assert (row.found, row.drifted_since is not None) == (2, True)
        assert "is 2" in self.finding().message
        self.seen(unit_count__primary=1)
        row.refresh_from_db()
        assert row.drifted_since is None
        assert self.finding().resolved_at is not None

    def test_a_part_that_is_gone_has_drifted(self) -> None:
        self.over()
        self.seen(unit_count__ldg1=1)
        assert DesiredPart.objects.get().drifted_since is not None

    def test_a_part_that_no_scan_reads_is_not_compared(self) -> None:
        self.over()
        self.seen(metaslot_status="enabled")
        assert DesiredPart.objects.get().drifted_since is None

    def test_since_stays_while_it_drifts_on(self) -> None:
        self.over()
        self.seen(unit_count__primary=2)
        since = DesiredPart.objects.get().drifted_since
        self.seen(unit_count__primary=3)
        row = DesiredPart.objects.get()
        assert (row.found, row.drifted_since) == (3, since)

    def test_a_part_that_a_change_is_at_work_on_is_left_alone(self) -> None:
        self.over()
        self.queued()
        applying(self.alpha.row)
        assert Change.objects.filter(state=ChangeState.RUNNING).exists()
        self.seen(unit_count__primary=2)
        assert DesiredPart.objects.get().drifted_since is None

    def test_the_next_change_of_the_part_ends_the_drift(self) -> None:
        self.over()
        self.seen(unit_count__primary=2)
        second = self.queued()
        agent, order = applying(self.alpha.row)
        ended(agent, order, "succeeded")
        row = DesiredPart.objects.get()
        assert (row.change_id, row.drifted_since) == (second.pk, None)
        assert self.finding().resolved_at is not None


class DriftListApi(ListTests, DriftTestCase):
    """GET /drifts/"""

    view_name = "drift-list"
    verb = "change.read"

    def make_rows(self, count: int) -> None:
        change = Change.objects.first() or self.over()
        have = DesiredPart.objects.count()
        for number in range(have, have + count):
            DesiredPart.objects.create(
                host=self.alpha.row, part=f"unit.count/ldg{number}", expected=number, found=None,
                change=change, applied_at=change.updated_at, drifted_since=change.updated_at,
            )  # fmt: skip

    def test_hosts_are_filtered_by_whether_they_drift(self) -> None:
        self.make_rows(3)
        client = self.session(self.vera)
        counts = [
            client.get("/api/v1/hosts/", {"is_drifted": wanted}).json()["count"]
            for wanted in ("true", "false")
        ]
        assert counts == [1, 0]

    def test_names_host_part_change_and_both_values(self) -> None:
        change = self.over()
        assert self.listed()["count"] == 0
        self.seen(unit_count__primary=2)
        row = self.listed(host=str(self.alpha.row.pk))["results"][0]
        assert (row["part"], row["expected"], row["found"]) == (PART, 1, 2)
        assert (row["host"]["name"], row["change"]["id"]) == ("alpha", str(change.pk))
