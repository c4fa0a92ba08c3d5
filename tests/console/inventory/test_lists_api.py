"""The lists and details of observed things: who may see them, filters, paging, CSV."""

import gzip
import json
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from agents.wire.inventory import DomainFacts
from console.fleet.pulse import pulse_beat
from console.inventory.models import (
    Certificate,
    CryptoUnit,
    LogicalDomain,
    Mechanism,
    Provider,
    Slot,
    Snapshot,
    Token,
)
from tests.console.base import ConsoleTestCase, DetailTests, ListTests
from tests.console.hosts import (
    certificate,
    heartbeat_with_gauge,
    host_with,
    ingest,
    library,
    random_name,
    some_facts,
    token,
)


class RowListTests(ListTests):
    """What all lists of observed things share. One more host is one more row, or several."""

    verb = "inventory.read"

    def make_rows(self, count: int) -> None:
        for number in range(count):
            host_with(some_facts(), random_name(), number=str(number))

    def test_shows_what_is_there_unless_asked_for_what_is_gone(self: Any) -> None:
        host = host_with(some_facts())
        there = self.listed()["count"]
        ingest(host, some_facts(units=[], domains=[], providers=[]))
        assert self.listed()["count"] == 0
        assert self.listed(gone="true")["count"] == there == self.listed(gone="any")["count"]
        row = self.listed(gone="true")["results"][0]
        assert row["last_seen_at"] < row["gone_at"]

    def test_filters_by_host_and_its_labels(self: Any) -> None:
        host = host_with(some_facts(), "alpha", env="prod")
        host_with(some_facts(), "beta", env="test")
        for query in ({"host": str(host.pk)}, {"host_label": "env=prod"}, {"search": "alpha"}):
            names = {row["host"]["name"] for row in self.listed(**query)["results"]}
            assert names == {"alpha"}, query

    def test_filters_by_what_is_simulated(self: Any) -> None:
        facts = some_facts()
        host_with(replace(facts, host=replace(facts.host, is_simulated=True)), "simulated")
        host_with(facts, "real")
        rows = self.listed(is_simulated="true")["results"]
        assert rows
        assert {row["host"]["name"] for row in rows} == {"simulated"}

    def test_a_thing_that_is_there_was_seen_with_its_hosts_inventory(self: Any) -> None:
        host = host_with(some_facts())
        seen = self.listed()["results"][0]["last_seen_at"]
        assert seen == host.inventory_at.isoformat().replace("+00:00", "Z")


class RowDetailTests(DetailTests):
    """What all details of observed things share."""

    verb = "inventory.read"
    model: ClassVar[Any]

    def url_kwargs(self) -> dict[str, Any]:
        host = host_with(some_facts(), random_name())
        return {"pk": self.model.objects.filter(host=host).first().pk}


class UnitListApi(RowListTests, ConsoleTestCase):
    """GET /units/"""

    view_name = "unit-list"

    def test_filters_by_kind_assignment_and_features(self) -> None:
        host_with(some_facts())
        for query, name in (
            ({"kind": "qat_vf"}, "VF 1"),
            ({"is_assigned": "true"}, "VF 1"),
            ({"is_assigned": "false"}, "CPU"),
            ({"feature": "aes,sha_ni"}, "CPU"),
        ):
            assert [row["name"] for row in self.listed(**query)["results"]] == [name], query
        assert self.listed(feature="aes,vaes")["count"] == 0

    def test_names_the_domain_that_owns_a_unit(self) -> None:
        host_with(some_facts())
        domain = LogicalDomain.objects.get()
        row = self.listed(kind="qat_vf")["results"][0]
        assert row["domain"] == {"id": str(domain.pk), "name": "web"}


class UnitDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /units/<id>/"""

    view_name = "unit-detail"
    model = CryptoUnit


class DomainListApi(RowListTests, ConsoleTestCase):
    """GET /domains/"""

    view_name = "domain-list"

    def test_filters_by_a_reconfiguration_that_waits(self) -> None:
        waiting = DomainFacts(key="p", name="primary", kind="ldom", state="active",
                              attributes={"reconfiguration": "pending"})  # fmt: skip
        host_with(some_facts(domains=[waiting]), "sparc")
        host_with(some_facts(), "linux")
        rows = self.listed(reconfiguration="pending")["results"]
        assert [row["name"] for row in rows] == ["primary"]


class DomainDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /domains/<id>/"""

    view_name = "domain-detail"
    model = LogicalDomain


class ProviderListApi(RowListTests, ConsoleTestCase):
    """GET /providers/"""

    view_name = "provider-list"

    def test_counts_mechanisms_and_slots(self) -> None:
        host_with(some_facts())
        row = self.listed()["results"][0]
        assert (row["mechanism_count"], row["slot_count"]) == (2, 1)

    def test_filters_by_what_is_known_of_threads(self) -> None:
        kinds = {"yes": True, "no": False, "unasked": None}
        providers = [library(key, is_thread_safe=value) for key, value in kinds.items()]
        host_with(some_facts(providers=providers))
        for asked, name in (("true", "yes"), ("false", "no"), ("unknown", "unasked")):
            rows = self.listed(is_thread_safe=asked)["results"]
            assert [row["name"] for row in rows] == [name]


class ProviderDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /providers/<id>/"""

    view_name = "provider-detail"
    model = Provider


class MechanismListApi(RowListTests, ConsoleTestCase):
    """GET /mechanisms/"""

    view_name = "mechanism-list"

    def test_shows_numbers_as_headers_write_them(self) -> None:
        host_with(some_facts())
        numbers = {row["name"]: row["number_hex"] for row in self.listed()["results"]}
        assert numbers == {"CKM_AES_GCM": "0x00001087", "0x80000001": "0x80000001"}

    def test_filters_by_operation_and_name(self) -> None:
        host_with(some_facts())
        for query in ({"operation": "encrypt,decrypt"}, {"name": "CKM_AES_GCM"}, {"number": 4231}):
            rows = self.listed(**query)["results"]
            assert [row["name"] for row in rows] == ["CKM_AES_GCM"], query
        assert self.listed(operation="encrypt,sign")["count"] == 0

    def test_filters_by_the_three_facts(self) -> None:
        first, second = library().mechanisms
        mechanisms = [replace(first, is_verified=True), replace(second, is_allowed=False)]
        host_with(some_facts(providers=[library(mechanisms=mechanisms)]))
        assert self.listed(is_verified="true")["count"] == 1
        assert self.listed(is_verified="unknown")["count"] == 1
        assert self.listed(is_allowed="false", is_offered="true")["count"] == 1


class MechanismDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /mechanisms/<id>/"""

    view_name = "mechanism-detail"
    model = Mechanism


class SlotListApi(RowListTests, ConsoleTestCase):
    """GET /slots/"""

    view_name = "slot-list"

    def test_filters_by_slots_that_could_not_be_read(self) -> None:
        good = library().slots[0]
        bad = replace(good, key="bad", slot_id=9, token=None, error="CKR_DEVICE_ERROR")
        host_with(some_facts(providers=[library(slots=[good, bad])]))
        assert [row["key"] for row in self.listed(has_error="true")["results"]] == ["bad"]


class SlotDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /slots/<id>/"""

    view_name = "slot-detail"
    model = Slot


class TokenListApi(RowListTests, ConsoleTestCase):
    """GET /tokens/"""

    view_name = "token-list"

    def test_filters_by_pin_state_and_flag(self) -> None:
        slot = replace(library().slots[0], token=token(user_pin_state="locked", label="stuck"))
        host_with(some_facts(providers=[library(slots=[slot])]), "alpha")
        host_with(some_facts(), "beta")
        rows = self.listed(user_pin_state="locked,final_try")["results"]
        assert [row["label"] for row in rows] == ["stuck"]
        assert self.listed(flag="LOGIN_REQUIRED")["count"] == 2

    def test_finds_a_token_by_its_serial(self) -> None:
        host_with(some_facts())
        assert self.listed(search="0042")["results"][0]["slot_id"] == 7


class TokenDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /tokens/<id>/"""

    view_name = "token-detail"
    model = Token


class CertificateListApi(RowListTests, ConsoleTestCase):
    """GET /certificates/"""

    view_name = "certificate-list"

    def test_filters_by_expiry(self) -> None:
        soon = certificate(sha256="ab" * 32, not_after="2026-06-01T00:00:00Z", subject="CN=soon")
        slot = replace(library().slots[0], token=token(certificates=[certificate(), soon]))
        host_with(some_facts(providers=[library(slots=[slot])]))
        rows = self.listed(expires_before="2027-01-01T00:00:00Z")["results"]
        assert [row["subject"] for row in rows] == ["CN=soon"]
        assert self.listed(expires_after="2027-01-01T00:00:00Z")["count"] == 1

    def test_refuses_times_that_are_none_or_outside_of_the_calendar(self) -> None:
        client = self.session(self.vera)
        for text in ("soon", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
            response = client.get(self.url(), {"expires_before": text})
            assert self.error_of(response, 400) == "input.invalid", text


class CertificateDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /certificates/<id>/"""

    view_name = "certificate-detail"
    model = Certificate


class SnapshotListApi(ListTests, ConsoleTestCase):
    """GET /snapshots/"""

    view_name = "snapshot-list"
    verb = "inventory.read"

    def make_rows(self, count: int) -> None:
        for _ in range(count):
            host_with(some_facts(), random_name())


class SnapshotDetailApi(RowDetailTests, ConsoleTestCase):
    """GET /snapshots/<id>/"""

    view_name = "snapshot-detail"
    model = Snapshot

    def test_shows_the_facts(self) -> None:
        body = self.call(self.session(self.vera)).json()
        assert body["facts"]["host"]["hostname"] == "alpha"

    def test_shows_facts_that_no_reply_can_carry_as_they_came(self) -> None:
        """A number without end, half a character, levels without end: a newer agent's, say."""
        odd = json.loads('{"a": 1e999, "b": NaN, "c": "\\ud800", "\\u0000": 1}')
        odd["deep"] = json.loads("[" * 400 + "]" * 400)
        url = self.url()
        packed = gzip.compress(json.dumps({"settings": odd}).encode())
        Snapshot.objects.update(facts_gzip=packed)
        body = self.call(self.session(self.vera), url).json()
        assert body["facts"]["settings"]["a"] is None
        assert body["facts"]["settings"]["c"] == "\N{REPLACEMENT CHARACTER}"


@pytest.mark.usefixtures("redis_url")
class TokenGauges(ConsoleTestCase):
    """Momentary figures beside a token."""

    def test_a_token_shows_the_newest_sessions(self) -> None:
        host = host_with(some_facts())
        body = heartbeat_with_gauge("token.sessions", token().key, 3)
        pulse_beat(str(host.pk), body, 1.0, has_gauges=True)
        for url in ("/api/v1/tokens/", f"/api/v1/tokens/{Token.objects.get().pk}/"):
            shown = self.session(self.vera).get(url).json()
            row = shown["results"][0] if "results" in shown else shown
            assert row["gauges"] == {"token.sessions": 3.0}
