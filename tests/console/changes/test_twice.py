"""What is sent twice, or by two at once, and what an agent sends too much of."""

from typing import Any

import pytest

from agents.wire.names import Lane
from agents.wire.work import ReportKind
from console.changes.enums import ChangeState
from console.changes.models import Change, ChangeBatch
from console.changes.reports import MAX_PROGRESS_BYTES
from console.changes.services import change_apply, change_approve, change_cancel, change_rollback
from console.core.errors import StateConflict
from tests.console.changes.cast import ChangesTestCase, applying, ended, taking_host
from tests.console.jobs.cast import FakeAgent


class TwiceTestCase(ChangesTestCase):
    """Shortcuts."""

    def send(self, where: str, key: str, who: str = "omar", **fields: Any) -> Any:
        """A request with that key."""
        body = {"kind": "metaslot.enable", "parameters": {}, "reason": "Once", **fields}
        client = self.session(getattr(self, who))
        headers = {"Idempotency-Key": key}
        return client.post(f"/api/v1/{where}/", body, format="json", headers=headers)

    def queued(self) -> Change:
        """Approved by ada, applied by omar."""
        change = self.planned()
        assert change.plan is not None
        digest = change.plan.digest
        change_approve(actor=self.actor(self.ada), change=change, plan_digest=digest)
        return change_apply(actor=self.actor(self.omar), change=change, plan_digest=digest)


class KeyTests(TwiceTestCase):
    """Idempotency-Key"""

    def test_a_change_that_is_sent_twice_is_made_once(self) -> None:
        host = str(self.alpha.row.pk)
        first, second = (self.send("changes", "key-1", host=host) for _ in range(2))
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.json()["id"] == second.json()["id"]
        assert Change.objects.count() == 1
        assert self.send("changes", "key-2", host=host).json()["id"] != first.json()["id"]

    def test_a_batch_that_is_sent_twice_is_made_once(self) -> None:
        hosts = [str(self.alpha.row.pk)]
        first, second = (self.send("change-batches", "key-1", hosts=hosts) for _ in range(2))
        assert first.json()["id"] == second.json()["id"]
        assert (ChangeBatch.objects.count(), Change.objects.count()) == (1, 1)

    def test_another_request_with_the_same_key_is_refused(self) -> None:
        host = str(self.alpha.row.pk)
        self.send("changes", "key-1", host=host)
        other = {"kind": "unit.assign", "parameters": {"counts": {"primary": 1}}}
        reply = self.send("changes", "key-1", host=host, **other)
        assert self.error_of(reply, 409) == "request.key_reused"
        assert self.error_of(self.send("changes", "k" * 65, host=host), 400) == "request.key"

    def test_keys_of_different_people_have_nothing_to_do_with_each_other(self) -> None:
        host = str(self.alpha.row.pk)
        ids = {
            self.send("changes", "key-1", who, host=host).json()["id"] for who in ("omar", "ada")
        }
        assert len(ids) == 2

    def test_without_a_key_each_request_is_one_of_its_own(self) -> None:
        host = str(self.alpha.row.pk)
        assert {self.send("changes", "", host=host).status_code for _ in range(2)} == {201}
        assert Change.objects.count() == 2


class RollbackTests(TwiceTestCase):
    """Undoing one change twice."""

    def test_a_second_one_is_refused_while_the_first_is_under_way(self) -> None:
        change = self.queued()
        agent, order = applying(self.alpha.row)
        ended(agent, order, "succeeded")
        change.refresh_from_db()
        omar, ada = self.actor(self.omar), self.actor(self.ada)
        first = change_rollback(actor=omar, change=change, reason="Wrong")
        with pytest.raises(StateConflict, match="omar is undoing this already") as caught:
            change_rollback(actor=ada, change=change, reason="Wrong")
        assert caught.value.code == "change.rollback_exists"
        change_cancel(actor=omar, change=first)
        assert change_rollback(actor=ada, change=change, reason="Wrong").pk != first.pk


class TooMuchTests(TwiceTestCase):
    """Agents that say too much, or of what is over."""

    def test_progress_without_end_is_kept_without_its_steps(self) -> None:
        change = self.queued()
        agent, order = applying(self.alpha.row)
        huge = {"state": "verifying", "steps": ["x" * 1000] * (MAX_PROGRESS_BYTES // 1000)}
        agent.send(agent.report(order, ReportKind.PROGRESS, progress=huge))
        change.refresh_from_db()
        assert change.progress == {"state": "verifying", "steps": []}
        assert change.state == ChangeState.VERIFYING

    def test_progress_of_a_plan_that_was_given_up_moves_nothing(self) -> None:
        change = self.queued()
        agent, order = applying(self.alpha.row)
        Change.objects.filter(pk=change.pk).update(plan=self.planned().plan)
        agent.send(agent.report(order, ReportKind.PROGRESS, progress={"state": "verifying"}))
        change.refresh_from_db()
        assert (change.progress, change.state) == ({}, ChangeState.RUNNING)

    def test_reports_about_another_host_s_work_are_dropped(self) -> None:
        change = self.queued()
        order = FakeAgent(self.alpha.row).must_claim(Lane.WORK)
        liar = FakeAgent(taking_host("beta").row)
        ended(liar, order, "succeeded")
        change.refresh_from_db()
        assert change.state == ChangeState.CLAIMED
