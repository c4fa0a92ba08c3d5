"""The audit: what is recorded, that it is append-only, and that tampering shows."""

import io
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from console.accounts.actors import SYSTEM, actor_of_host
from console.audit.models import AppendOnly, AuditEvent
from console.audit.selectors import audit_verify
from console.audit.services import audit_record
from tests.console.base import ConsoleTestCase, DetailTests, ListTests


class AuditListTests(ListTests, ConsoleTestCase):
    """GET /audit/"""

    view_name = "audit-list"
    verb = "audit.read"

    def make_rows(self, count: int) -> None:
        """Several actors, verbs and objects."""
        for number in range(count):
            who = self.cast[number % 4]
            audit_record(actor=self.actor(who), verb=f"thing.verb{number % 3}", obj=self.omar)

    def test_filters_by_actor_verb_object_and_time(self) -> None:
        """Each alone finds its rows."""
        audit_record(actor=self.actor(self.ada), verb="user.update", obj=self.omar)
        audit_record(actor=SYSTEM, verb="user.create", obj=self.vera)
        hour = timezone.now() + timedelta(hours=1)
        for query, count in (
            ({"actor": self.ada.pk}, 1),
            ({"actor_type": "system,user"}, 2),
            ({"verb": "user.update,job.run"}, 1),
            ({"object": self.vera.pk, "object_type": "user"}, 1),
            ({"after": hour.isoformat()}, 0),
            ({"before": hour.isoformat()}, 2),
            ({"search": "OMAR update"}, 1),
        ):
            with self.subTest(query=query):
                assert self.listed(**query)["count"] == count

    def test_shows_actor_object_host_and_change(self) -> None:
        """As they were named then."""
        host = SimpleNamespace(id=self.ada.pk, name="h1")
        change = {"old": {"role": "viewer"}, "new": {"role": "operator"}}
        actor = actor_of_host(host)
        audit_record(actor=actor, verb="user.update", obj=self.omar, host=host, **change)
        row = self.listed()["results"][0]
        assert row["actor"] == {"type": "host", "id": str(self.ada.pk), "name": "h1"}
        assert row["object"] == {"type": "user", "id": str(self.omar.pk), "name": "omar"}
        assert row["host"] == {"id": str(self.ada.pk), "name": "h1"}
        assert (row["old"], row["new"]) == ({"role": "viewer"}, {"role": "operator"})


class AuditDetailTests(DetailTests, ConsoleTestCase):
    """GET /audit/<id>/"""

    view_name = "audit-detail"
    verb = "audit.read"

    def url_kwargs(self) -> dict[str, Any]:
        """Some event."""
        return {"pk": audit_record(actor=SYSTEM, verb="x.y", obj=self.omar).pk}


class AuditRecordTests(ConsoleTestCase):
    """Writing."""

    def record(self, **changed: Any) -> AuditEvent:
        """Record a change and read the row back."""
        event = audit_record(actor=SYSTEM, verb="user.update", obj=self.omar, **changed)
        return AuditEvent.objects.get(pk=event.pk)

    def test_secrets_are_taken_out(self) -> None:
        """By name and by shape, however deep."""
        secret = "krk_" + "a" * 43
        event = self.record(new={"password": "open", "note": [f"use {secret}"]})
        assert event.new == {"password": "[redacted]", "note": ["use krk_[redacted]"]}

    def test_values_that_databases_bend_keep_the_chain_whole(self) -> None:
        """Large floats, NUL, lone surrogates, dates, sets: stored as what is hashed."""
        self.record(new={"f": 1e300, "g": 0.1, "n": "a\0b", "s": "\ud800", "t": timezone.now()})
        self.record(old={"set": {"b", "a"}, "nan": float("nan"), "id": self.omar.pk})
        assert audit_verify().broken == ()

    def test_rows_are_neither_changed_nor_deleted(self) -> None:
        """Not by model, not by queryset."""
        event = self.record()
        for attempt in (
            event.save,
            event.delete,
            AuditEvent.objects.all().delete,
            lambda: AuditEvent.objects.update(verb="x"),
            lambda: AuditEvent.objects.bulk_update([event], ["verb"]),
        ):
            with pytest.raises(AppendOnly):
                attempt()

    def test_a_write_that_fails_leaves_no_event(self) -> None:
        """The row belongs to the change's transaction."""
        from django.db import transaction

        with transaction.atomic():
            self.record()
            transaction.set_rollback(True)
        assert not AuditEvent.objects.exists()

    def test_an_event_carries_the_request_that_caused_it(self) -> None:
        """The same id as in the log and in the reply."""
        response = self.session(self.adam).post("/api/v1/users/", {"username": "nora"})
        assert AuditEvent.objects.get().request_id == response["X-Request-ID"] != ""


class AuditVerifyTests(ConsoleTestCase):
    """Reading the chain, by `manage.py audit_verify`."""

    def setUp(self) -> None:
        """Three events, and a database in which somebody took the trigger away."""
        for number in range(3):
            audit_record(actor=SYSTEM, verb="x.y", obj=self.omar, new={"number": number})
        with connection.cursor() as cursor:
            on_table = " ON audit_auditevent" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER audit_event_unchanged{on_table}")

    def sql(self, statement: str) -> None:
        """Tamper."""
        with connection.cursor() as cursor:
            cursor.execute(statement)

    def verify(self, *arguments: str) -> str:
        """Run the command; return what it prints on both streams."""
        out = io.StringIO()
        try:
            call_command("audit_verify", *arguments, stdout=out, stderr=out)
        except CommandError as error:
            out.write(str(error))
        return out.getvalue()

    def test_prints_the_head_of_a_whole_chain(self) -> None:
        """To be noted elsewhere."""
        last = AuditEvent.objects.get(seq=3)
        assert self.verify() == f"3 events, whole. Head: 3:{last.digest}\n"

    def test_names_an_altered_row(self) -> None:
        """One word changed."""
        self.sql("UPDATE audit_auditevent SET verb = 'x.z' WHERE seq = 2")
        assert "row 2: its content was altered" in self.verify()

    def test_names_missing_rows(self) -> None:
        """Cut out of the middle."""
        self.sql("DELETE FROM audit_auditevent WHERE seq = 2")
        assert "row 3: rows 2 to 2 are missing" in self.verify()

    def test_names_a_row_whose_digest_was_made_to_fit(self) -> None:
        """The next one no longer follows from it."""
        self.sql("UPDATE audit_auditevent SET digest = 'f' WHERE seq = 2")
        assert "row 3: it does not follow" in self.verify()

    def test_misses_a_head_that_was_noted_earlier(self) -> None:
        """Rows cut off at the end leave a whole chain; the head tells."""
        head = self.verify().rpartition(" ")[2].strip()
        assert "whole" in self.verify("--expect", head)
        self.sql("DELETE FROM audit_auditevent WHERE seq = 3")
        assert f"no longer holds {head}" in self.verify("--expect", head)
