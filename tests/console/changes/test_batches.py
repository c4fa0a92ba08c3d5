"""Batches: many hosts in few queries, and what is done to all of them piece by piece."""

from typing import Any
from unittest.mock import patch

from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.wire.codec import to_plain
from console.changes.batches import BatchDone, batch_apply, batch_approve, batch_create
from console.changes.enums import ChangeState
from console.changes.following import plan_take
from console.changes.models import Change, ChangeBatch
from console.changes.plans import plan_store
from console.fleet.models import Host
from tests.console.changes.cast import ChangesTestCase, a_plan, taking_host


class BatchTests(ChangesTestCase):
    """Of omar's, approved by ada."""

    def batch(self, count: int) -> ChangeBatch:
        """On alpha and count - 1 new hosts."""
        first = Host.objects.count()
        hosts = [self.alpha.row]
        hosts += [taking_host(f"host-{first + number}").row for number in range(count - 1)]
        return batch_create(
            actor=self.actor(self.omar),
            host_ids=[host.pk for host in hosts],
            kind="unit.assign",
            parameters={"counts": {"primary": 1}},
            reason="Everywhere",
        )

    def planned_batch(self, count: int, **fields: Any) -> ChangeBatch:
        """The same, all of it planned."""
        batch = self.batch(count)
        for change in batch.changes.select_related("host"):
            plan_take(change, plan_store(change, to_plain(a_plan(change, risk="medium", **fields))))
        return batch

    def approve(self, batch: ChangeBatch, after: int = 0) -> BatchDone:
        """By ada."""
        return batch_approve(actor=self.actor(self.ada), batch=batch, comment="All", after=after)

    def test_many_hosts_need_as_many_queries_as_few(self) -> None:
        """One statement for all changes, one for all plannings."""
        numbers = []
        for count in (2, 12):
            hosts = [taking_host(f"host-{count}-{number}").row.pk for number in range(count)]
            with CaptureQueriesContext(connection) as queries:
                batch_create(
                    actor=self.actor(self.omar),
                    host_ids=hosts,
                    kind="unit.assign",
                    parameters={"counts": {"primary": 1}},
                    reason="Everywhere",
                )
            numbers.append(len(queries))
        assert numbers[0] == numbers[1]

    def test_all_of_it_is_approved_and_applied(self) -> None:
        """Each change by the digest of its own plan."""
        batch = self.planned_batch(3)
        assert self.approve(batch) == BatchDone(done=3, last=3)
        done = batch_apply(actor=self.actor(self.omar), batch=batch)
        assert done == BatchDone(done=3, last=3)
        assert set(batch.changes.values_list("state", flat=True)) == {ChangeState.QUEUED}

    def test_a_call_ends_in_time_and_the_next_goes_on(self) -> None:
        """One change at least, so that the end comes."""
        batch = self.planned_batch(3)
        with patch("console.changes.batches.ACT_SECONDS", 0):
            first = self.approve(batch)
            assert first == BatchDone(done=1, left=2, last=1)
            second = self.approve(batch, after=first.last)
        assert second == BatchDone(done=1, left=1, last=2)
        assert self.approve(batch, after=second.last) == BatchDone(done=1, last=3)

    def test_whoever_asked_approves_none_of_it_and_is_told_why(self) -> None:
        """Change by change; asking again comes to the end all the same."""
        batch = self.planned_batch(2)
        Change.objects.filter(batch=batch).update(requested_by=self.ada)
        with patch("console.changes.batches.ACT_SECONDS", 0):
            first = self.approve(batch)
            last = self.approve(batch, after=first.last)
        assert (first.done, first.left, last.left) == (0, 1, 0)
        assert first.refused[0]["code"] == "change.may_not_approve"
        assert "somebody else" in first.refused[0]["message"]

    def test_what_destroys_is_not_applied_in_bulk(self) -> None:
        """A host's name is typed for one host."""
        batch = self.planned_batch(2, destroys=["key 7"])
        self.approve(batch)
        done = batch_apply(actor=self.actor(self.omar), batch=batch)
        assert [one["code"] for one in done.refused] == ["change.confirmation"] * 2
