"""Ingest: what a snapshot writes, and what it leaves alone."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext

from agents.wire.inventory import DomainFacts, Facts, UnitFacts
from console.fleet.models import Host
from console.inventory.ingest import snapshot_facts
from console.inventory.models import (
    ROW_MODELS,
    Certificate,
    CryptoUnit,
    LogicalDomain,
    Mechanism,
    Provider,
    Snapshot,
    Token,
)
from tests.console.hosts import (
    certificate,
    enrol,
    finding,
    host_with,
    ingest,
    library,
    many_mechanisms,
    some_facts,
    token,
)


def written(queries: CaptureQueriesContext) -> list[str]:
    """Return the statements that write rows of observed things."""
    tables = [model._meta.db_table for model in ROW_MODELS]
    return [
        query["sql"]
        for query in queries.captured_queries
        if query["sql"].startswith(("INSERT", "UPDATE"))
        and any(f'"{table}"' in query["sql"].split("(")[0] for table in tables)
    ]


class FirstSnapshot(TestCase):
    """A host's first snapshot."""

    def test_every_kind_of_thing_becomes_a_row(self) -> None:
        host_with(some_facts())
        numbers = {model.__name__: model._default_manager.count() for model in ROW_MODELS}
        assert numbers == {
            "LogicalDomain": 1,
            "CryptoUnit": 2,
            "Provider": 1,
            "Slot": 1,
            "Token": 1,
            "Certificate": 1,
            "Mechanism": 2,
        }

    def test_the_host_learns_its_facts_and_its_first_inventory(self) -> None:
        host = host_with(some_facts())
        assert (host.os_name, host.cpu_count, host.counts["mechanisms"]) == ("Debian", 4, 2)
        assert host.first_inventory_at == host.inventory_at is not None

    def test_a_unit_knows_the_domain_that_owns_it(self) -> None:
        host_with(some_facts())
        unit = CryptoUnit.objects.get(kind="qat_vf")
        assert unit.domain == LogicalDomain.objects.get()

    def test_unknown_words_are_kept_raw(self) -> None:
        facts = some_facts()
        strange = replace(facts.units[0], kind="quantum_card", state="entangled")
        host_with(replace(facts, units=[strange]))
        unit = CryptoUnit.objects.get()
        assert (unit.kind, unit.state) == ("quantum_card", "entangled")

    def test_a_key_given_twice_is_two_rows(self) -> None:
        twin = replace(token(), label="twin")
        slots = library().slots
        slots = [*slots, replace(slots[0], key="slot-1", slot_id=8, token=twin)]
        host_with(some_facts(providers=[library(slots=slots)]))
        assert sorted(Token.objects.values_list("label", flat=True)) == ["signing", "twin"]

    def test_what_databases_refuse_is_replaced_and_not_fatal(self) -> None:
        odd = token(label="a\0b\ud800", max_sessions=2**64 - 1)
        slot = replace(library().slots[0], token=odd)
        host_with(some_facts(providers=[library(slots=[slot])]))
        stored = Token.objects.get()
        assert (stored.label, stored.max_sessions) == ("a�b�", 2**63 - 1)

    def test_a_certificate_with_an_impossible_date_has_none(self) -> None:
        odd = token(certificates=[certificate(not_after="9999-99-99")])
        slot = replace(library().slots[0], token=odd)
        host_with(some_facts(providers=[library(slots=[slot])]))
        assert Certificate.objects.get().not_after is None

    def test_the_snapshot_keeps_the_facts_as_they_came(self) -> None:
        host_with(some_facts())
        facts = snapshot_facts(Snapshot.objects.get())
        assert facts["providers"][0]["slots"][0]["token"]["label"] == "signing"

    def test_a_pending_host_becomes_active(self) -> None:
        assert host_with(some_facts()).state == "active"


class NextSnapshot(TestCase):
    """A snapshot after another one."""

    def test_the_same_facts_again_are_no_news_and_write_no_row(self) -> None:
        host = host_with(some_facts())
        with CaptureQueriesContext(connection) as queries:
            assert ingest(host, some_facts()) is False
        assert written(queries) == []
        assert Snapshot.objects.count() == 1

    def test_only_the_changed_row_is_written(self) -> None:
        host = host_with(some_facts())
        mechanisms = [replace(library().mechanisms[0], is_hardware=True), library().mechanisms[1]]
        before = dict(Mechanism.objects.values_list("name", "updated_at"))
        ingest(host, some_facts(providers=[library(mechanisms=mechanisms)]))
        after = dict(Mechanism.objects.values_list("name", "updated_at"))
        assert [name for name in after if after[name] != before[name]] == ["CKM_AES_GCM"]

    def test_what_is_missing_is_gone_and_keeps_when_it_was_last_seen(self) -> None:
        host = host_with(some_facts())
        ingest(host, some_facts(units=[]))
        unit = CryptoUnit.objects.get(key="cpu")
        assert unit.gone_at is not None
        assert unit.last_seen_at == host.inventory_at

    def test_with_a_provider_goes_all_that_it_had(self) -> None:
        host = host_with(some_facts())
        ingest(host, some_facts(providers=[]))
        for model in (Provider, Mechanism, Token, Certificate):
            assert not model._default_manager.filter(gone_at=None).exists(), model

    def test_what_comes_back_is_the_same_row(self) -> None:
        host = host_with(some_facts())
        first = CryptoUnit.objects.get(key="cpu")
        ingest(host, some_facts(units=[]))
        ingest(host, some_facts())
        again = CryptoUnit.objects.get(key="cpu")
        assert (again.pk, again.first_seen_at) == (first.pk, first.first_seen_at)
        assert (again.gone_at, again.last_seen_at) == (None, None)

    def test_a_b_a_leaves_a_and_three_snapshots(self) -> None:
        host = host_with(some_facts())
        ingest(host, some_facts(units=[]))
        ingest(host, some_facts())
        assert CryptoUnit.objects.filter(gone_at=None).count() == 2
        assert Snapshot.objects.count() == 3

    def test_another_hosts_rows_stay_as_they_are(self) -> None:
        other = host_with(some_facts(), "beta")
        ingest(host_with(some_facts(), "alpha"), some_facts(units=[]))
        assert CryptoUnit.objects.filter(host=other, gone_at=None).count() == 2


class Cost(TestCase):
    """The number of queries does not depend on the number of rows."""

    def queries(self, host: Host, **facts: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            ingest(host, many_mechanisms(**facts))
        return len(queries)

    def test_twelve_providers_and_600_mechanisms_take_at_most_20_queries(self) -> None:
        host = enrol().host
        assert self.queries(host, providers=12, each=50) <= 20
        assert Mechanism.objects.count() == 600

    def test_many_new_rows_take_as_many_queries_as_few(self) -> None:
        few = self.queries(enrol("few").host, providers=1, each=2)
        assert self.queries(enrol("many").host, providers=12, each=50) == few

    def test_changing_all_rows_takes_at_most_20_queries(self) -> None:
        host = host_with(many_mechanisms())
        with CaptureQueriesContext(connection) as queries:
            ingest(host, many_mechanisms(is_hardware=True))
        assert len(queries) <= 20
        assert Mechanism.objects.filter(is_hardware=True).count() == 600

    def test_everything_new_and_everything_old_gone_takes_20_queries(self) -> None:
        # The most there can be: seven kinds written and marked gone, and what every ingest needs.
        host = host_with(some_facts())
        with CaptureQueriesContext(connection) as queries:
            ingest(host, other_things())
        statements = [query["sql"] for query in queries.captured_queries]
        assert len([sql for sql in statements if "SAVEPOINT" not in sql]) == 20
        for model in ROW_MODELS:
            assert model._default_manager.filter(gone_at=None).exists(), model
            assert model._default_manager.exclude(gone_at=None).exists(), model


def other_things() -> Facts:
    """Return facts with something of each kind, none of which some_facts() has."""
    slot = replace(library().slots[0], token=token(key="other", certificates=[certificate()]))
    return some_facts(
        units=[UnitFacts(key="tpm0", kind="tpm", name="TPM")],
        domains=[DomainFacts(key="db", name="db", kind="libvirt")],
        providers=[library("libother.so", slots=[slot])],
        findings=[finding(code="module.crashed")],
    )


@pytest.mark.django_db
def test_a_host_that_claims_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.inventory.ingest.MAX_ROWS", 3)
    with pytest.raises(Exception, match="at most 3 are accepted"):
        host_with(some_facts())
    assert Snapshot.objects.count() == 0
