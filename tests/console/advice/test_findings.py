"""Findings appear, persist, resolve, come back, and are acknowledged."""

from typing import Any

from django.test import TestCase
from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.advice.models import Finding
from console.advice.services import finding_acknowledge
from console.audit.models import AuditEvent
from tests.console.base import ConsoleTestCase, DetailTests, ListTests
from tests.console.hosts import finding, host_with, ingest, random_name, some_facts


def only() -> Finding:
    return Finding.objects.get()


class Life(TestCase):
    """What snapshots do to a finding."""

    def test_it_appears(self) -> None:
        host_with(some_facts())
        assert (only().code, only().state, only().appearance_count) == (
            "slot.unreadable",
            "open",
            1,
        )

    def test_it_persists_without_a_write(self) -> None:
        host = host_with(some_facts())
        before = only().updated_at
        ingest(host, some_facts(units=[]))
        assert only().updated_at == before

    def test_its_words_follow_the_newest_snapshot(self) -> None:
        host = host_with(some_facts())
        ingest(host, some_facts(findings=[finding(message="Slot 9 hangs.", severity="critical")]))
        assert (only().message, only().severity) == ("Slot 9 hangs.", "critical")

    def test_it_resolves_when_a_snapshot_lacks_it(self) -> None:
        host = host_with(some_facts())
        ingest(host, some_facts(findings=[]))
        assert only().state == "resolved"
        assert only().last_seen_at == host.inventory_at

    def test_it_comes_back_as_the_same_row_unacknowledged(self) -> None:
        host = host_with(some_facts())
        first = finding_acknowledge(finding=only(), comment="known", actor=SYSTEM)
        ingest(host, some_facts(findings=[]))
        ingest(host, some_facts())
        again = only()
        assert (again.pk, again.state, again.appearance_count) == (first.pk, "open", 2)
        assert (again.comment, again.resolved_at) == ("", None)
        assert again.first_seen_at == first.first_seen_at < again.appeared_at

    def test_told_twice_in_one_snapshot_it_is_one(self) -> None:
        host_with(some_facts(findings=[finding(), finding(message="again")]))
        assert only().message == "Slot 9 answered CKR_DEVICE_ERROR."

    def test_an_acknowledgement_outlives_new_words(self) -> None:
        host = host_with(some_facts())
        finding_acknowledge(finding=only(), comment="known", actor=SYSTEM)
        ingest(host, some_facts(findings=[finding(message="Slot 9 hangs.")]))
        assert only().state == "acknowledged"


class FindingListApi(ListTests, ConsoleTestCase):
    """GET /findings/"""

    view_name = "finding-list"
    verb = "finding.read"

    def make_rows(self, count: int) -> None:
        for _ in range(count):
            host_with(some_facts(), random_name())

    def test_orders_by_urgency_and_not_by_the_alphabet(self) -> None:
        words = ["odd", "notice", "critical", "warning"]
        host_with(some_facts(findings=[finding(code=f"x.{w}", severity=w) for w in words]))
        rows = self.listed(ordering="severity")["results"]
        assert [row["severity"] for row in rows] == ["critical", "warning", "notice", "odd"]

    def test_filters_by_state_and_severity(self) -> None:
        facts = some_facts(
            findings=[finding(), finding(code="module.crashed", severity="critical")]
        )
        host_with(facts)
        known = Finding.objects.get(code="slot.unreadable")
        finding_acknowledge(finding=known, comment="", actor=SYSTEM)
        for query, code in (
            ({"state": "open"}, "module.crashed"),
            ({"state": "acknowledged"}, "slot.unreadable"),
            ({"severity": "critical"}, "module.crashed"),
            ({"is_resolved": "false", "search": "unreadable"}, "slot.unreadable"),
        ):
            assert [row["code"] for row in self.listed(**query)["results"]] == [code], query


class FindingDetailApi(DetailTests, ConsoleTestCase):
    """GET /findings/<id>/"""

    view_name = "finding-detail"
    verb = "finding.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": Finding.objects.get(host=host_with(some_facts(), random_name())).pk}


class FindingAcknowledgeApi(DetailTests, ConsoleTestCase):
    """POST /findings/<id>/acknowledge/"""

    view_name = "finding-acknowledge"
    method = "post"
    verb = "finding.acknowledge"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": Finding.objects.get(host=host_with(some_facts(), random_name())).pk}

    def body(self) -> dict[str, Any]:
        return {"comment": "slot 9 has no card"}

    def test_notes_who_and_why_and_audits_it(self) -> None:
        body = self.call(self.session(self.omar)).json()
        assert body["state"] == "acknowledged"
        assert body["acknowledged_by"]["username"] == "omar"
        event = AuditEvent.objects.get(verb="finding.acknowledge")
        assert event.new is not None
        assert event.new["comment"] == "slot 9 has no card"

    def test_is_done_once(self) -> None:
        url = self.url()
        self.call(self.session(self.omar), url)
        response = self.call(self.session(self.omar), url)
        assert self.error_of(response, 409) == "finding.acknowledged"

    def test_what_is_resolved_cannot_be_acknowledged(self) -> None:
        url = self.url()
        Finding.objects.update(resolved_at=timezone.now())
        response = self.call(self.session(self.omar), url)
        assert self.error_of(response, 409) == "finding.resolved"
