"""Endpoints of changes: who may call them, and what they answer."""

from typing import Any

from django.urls import reverse

from agents.wire.names import Lane
from agents.wire.work import ReportKind
from console.changes.models import Change, ChangeRun
from console.changes.services import change_apply, change_approve
from tests.console.base import DetailTests, EndpointTests, ListTests
from tests.console.changes.cast import ChangesTestCase, applying, ended, taking_host
from tests.console.jobs.cast import FakeAgent
from tests.support.hosts import host_enrolled


def digest_of(change: Change) -> str:
    """The digest of its plan."""
    assert change.plan is not None
    return change.plan.digest


class ReadyTestCase(ChangesTestCase):
    """Changes at the stations of their way."""

    def approved(self) -> Change:
        """Planned and approved by ada."""
        change = self.planned()
        change_approve(actor=self.actor(self.ada), change=change, plan_digest=digest_of(change))
        return change

    def queued(self, **fields: Any) -> Change:
        """Applied by omar."""
        change = self.approved()
        change_apply(actor=self.actor(self.omar), change=change, plan_digest=digest_of(change))
        return change

    def over(self) -> Change:
        """Succeeded."""
        change = self.queued()
        agent, order = applying(self.alpha.row)
        agent.send(agent.report(order, ReportKind.OUTPUT, chunk=0, step=0, text="done"))
        ended(agent, order, "succeeded")
        change.refresh_from_db()
        return change


class ChangeListTests(ListTests, ChangesTestCase):
    """GET /changes/"""

    view_name = "change-list"
    verb = "change.read"

    def make_rows(self, count: int) -> None:
        """Changes of different kinds with different reasons."""
        for number in range(count):
            change = self.planned()
            Change.objects.filter(pk=change.pk).update(
                reason=f"reason {number}", requested_by_name=f"name {number}"
            )

    def test_what_needs_a_person_is_found(self) -> None:
        """By what it needs."""
        change = self.planned()
        for needs, expected in (("approval", {str(change.pk)}), ("reboot", set())):
            found = {row["id"] for row in self.listed(needs=needs)["results"]}
            assert found == expected


class ChangeCreateTests(EndpointTests, ChangesTestCase):
    """POST /changes/"""

    view_name = "change-list"
    method = "post"
    verb = "change.request"
    success = 201

    def body(self) -> dict[str, Any]:
        """One for alpha."""
        return {
            "host": str(self.alpha.row.pk),
            "kind": "unit.assign",
            "parameters": {"counts": {"primary": 1}},
            "reason": "Spare unit",
        }

    def test_it_is_planned_at_once(self) -> None:
        """A draft is not."""
        made = self.call(self.session(self.omar)).json()
        assert made["state"] == "planning"
        draft = self.session(self.omar).post(self.url(), {**self.body(), "is_draft": True}, "json")
        assert draft.json()["state"] == "draft"
        assert FakeAgent(self.alpha.row).claim(Lane.QUICK) is not None
        assert FakeAgent(self.alpha.row).claim(Lane.QUICK) is None

    def test_bad_requests_say_what_is_wrong(self) -> None:
        """Kind, parameters, reason, host."""
        for field, value, code in (
            ("kind", "unit.melt", "change.kind"),
            ("kind", "spconfig.save", "change.parameters"),
            ("parameters", [1], "change.parameters"),
            ("parameters", {"count": {"primary": 1}}, "change.parameters"),
            ("parameters", {"counts": {"primary": "1"}}, "change.parameters"),
            ("reason", " ", "input.invalid"),
            ("host", str(self.alpha.row.pk)[:-1] + "x", "input.invalid"),
        ):
            body = {**self.body(), field: value}
            response = self.session(self.omar).post(self.url(), body, "json")
            assert self.error_of(response, 400) in (code, "input.invalid"), (field, response.json())


class ChangeDetailTests(DetailTests, ReadyTestCase):
    """GET /changes/<id>/"""

    view_name = "change-detail"
    verb = "change.read"

    def url_kwargs(self) -> dict[str, Any]:
        """A planned one."""
        return {"pk": self.planned().pk}

    def test_it_says_who_may_approve_and_why_not(self) -> None:
        """To each as it is for them."""
        url = self.url()
        for user, may in ((self.omar, False), (self.ada, True)):
            shown = self.session(user).get(url).json()
            judgement = shown["approval"]["judgement"]
            assert judgement["may"] is may
            assert bool(judgement["why_not"]) is not may
        assert shown["plan"]["phases"][0]["steps"][0]["argv"][1] == "set-crypto"


class ChangePlanTests(DetailTests, ReadyTestCase):
    """POST /changes/<id>/plan/"""

    view_name = "change-plan"
    method = "post"
    verb = "change.request"

    def url_kwargs(self) -> dict[str, Any]:
        """A planned one."""
        return {"pk": self.planned().pk}


class ChangeApproveTests(DetailTests, ReadyTestCase):
    """POST /changes/<id>/approve/"""

    view_name = "change-approve"
    method = "post"
    verb = "change.approve"

    def url_kwargs(self) -> dict[str, Any]:
        """The change that `body` speaks of."""
        self.change = self.planned()
        return {"pk": self.change.pk}

    def body(self) -> dict[str, Any]:
        """Its plan's digest."""
        return {"plan_digest": digest_of(self.change), "comment": "Fine"}


class ChangeRejectTests(DetailTests, ReadyTestCase):
    """POST /changes/<id>/reject/"""

    view_name = "change-reject"
    method = "post"
    verb = "change.approve"

    def url_kwargs(self) -> dict[str, Any]:
        """A planned one."""
        return {"pk": self.planned().pk}

    def body(self) -> dict[str, Any]:
        """Why."""
        return {"comment": "Not on a Friday"}


class ChangeApplyTests(DetailTests, ReadyTestCase):
    """POST /changes/<id>/apply/"""

    view_name = "change-apply"
    method = "post"
    verb = "change.apply"

    def url_kwargs(self) -> dict[str, Any]:
        """An approved one."""
        self.change = self.approved()
        return {"pk": self.change.pk}

    def body(self) -> dict[str, Any]:
        """Its plan's digest."""
        return {"plan_digest": digest_of(self.change)}


class ChangeCancelTests(DetailTests, ReadyTestCase):
    """POST /changes/<id>/cancel/"""

    view_name = "change-cancel"
    method = "post"
    verb = "change.cancel"

    def url_kwargs(self) -> dict[str, Any]:
        """A planned one."""
        return {"pk": self.planned().pk}


class ChangeCheckTests(DetailTests, ReadyTestCase):
    """POST /changes/<id>/check/"""

    view_name = "change-check"
    method = "post"
    verb = "change.apply"

    def url_kwargs(self) -> dict[str, Any]:
        """One that waits for a reboot; nothing else is due on its host."""
        ChangeRun.objects.all().delete()
        change = self.queued()
        agent, order = applying(self.alpha.row)
        ended(agent, order, "waiting_reboot")
        return {"pk": change.pk}


class ChangeRollbackTests(DetailTests, ReadyTestCase):
    """POST /changes/<id>/rollback/"""

    view_name = "change-rollback"
    method = "post"
    verb = "change.rollback"
    success = 201

    def url_kwargs(self) -> dict[str, Any]:
        """One that succeeded."""
        return {"pk": self.over().pk}

    def body(self) -> dict[str, Any]:
        """Why."""
        return {"reason": "Wrong domain"}


class ChangeOutputTests(DetailTests, ReadyTestCase):
    """GET /changes/<id>/output/"""

    view_name = "change-output"
    verb = "change.read"

    def url_kwargs(self) -> dict[str, Any]:
        """One whose step wrote something."""
        return {"pk": self.over().pk}

    def test_pieces_come_after_the_last_one_known(self) -> None:
        """Each once."""
        url = self.url()
        page = self.session(self.vera).get(url).json()
        assert [piece["text"] for piece in page["pieces"]] == ["done"]
        again = self.session(self.vera).get(url, {"after": page["last"]}).json()
        assert again == {"pieces": [], "last": page["last"]}


class PauseTests(EndpointTests, ChangesTestCase):
    """GET /change-pause/"""

    view_name = "change-pause"
    verb = "change.read"


class PauseSetTests(EndpointTests, ChangesTestCase):
    """PUT /change-pause/"""

    view_name = "change-pause"
    method = "put"
    verb = "change.pause"

    def body(self) -> dict[str, Any]:
        """Paused."""
        return {"is_paused": True, "reason": "Freeze"}


class BatchTestCase(ReadyTestCase):
    """A batch of two hosts."""

    def batch(self) -> str:
        """Its id."""
        beta = taking_host(f"beta{Change.objects.count()}")
        body = {
            "hosts": [str(self.alpha.row.pk), str(beta.row.pk)],
            "kind": "metaslot.enable",
            "reason": "Everywhere",
        }
        made = self.session(self.omar).post(reverse("batch-list"), body, "json")
        assert made.status_code == 201, made.json()
        return str(made.json()["id"])


class BatchListTests(ListTests, BatchTestCase):
    """GET /change-batches/"""

    view_name = "batch-list"
    verb = "change.read"

    def make_rows(self, count: int) -> None:
        """Batches of two."""
        for _ in range(count):
            self.batch()


class BatchCreateTests(EndpointTests, BatchTestCase):
    """POST /change-batches/"""

    view_name = "batch-list"
    method = "post"
    verb = "change.request"
    success = 201

    def body(self) -> dict[str, Any]:
        """For alpha alone."""
        hosts = [str(self.alpha.row.pk)]
        return {"hosts": hosts, "kind": "metaslot.enable", "reason": "Everywhere"}

    def test_hosts_that_do_not_take_it_are_named_or_left_out(self) -> None:
        """As is asked."""
        gamma = host_enrolled("gamma")
        body = {**self.body(), "hosts": [str(self.alpha.row.pk), str(gamma.row.pk)]}
        refused = self.session(self.omar).post(self.url(), body, "json")
        assert self.error_of(refused, 400) == "change.host_refused"
        assert [host["name"] for host in refused.json()["extra"]["hosts"]] == ["gamma"]
        made = self.session(self.omar).post(self.url(), {**body, "skip_refused": True}, "json")
        assert made.json()["total"] == 1


class BatchDetailTests(DetailTests, BatchTestCase):
    """GET /change-batches/<id>/"""

    view_name = "batch-detail"
    verb = "change.read"

    def url_kwargs(self) -> dict[str, Any]:
        """One."""
        return {"pk": self.batch()}


class BatchApproveTests(DetailTests, BatchTestCase):
    """POST /change-batches/<id>/approve/"""

    view_name = "batch-approve"
    method = "post"
    verb = "change.approve"

    def url_kwargs(self) -> dict[str, Any]:
        """One."""
        return {"pk": self.batch()}

    def body(self) -> dict[str, Any]:
        """A remark."""
        return {"comment": "All of them"}


class BatchApplyTests(DetailTests, BatchTestCase):
    """POST /change-batches/<id>/apply/"""

    view_name = "batch-apply"
    method = "post"
    verb = "change.apply"

    def url_kwargs(self) -> dict[str, Any]:
        """One."""
        return {"pk": self.batch()}


class BatchCancelTests(DetailTests, BatchTestCase):
    """POST /change-batches/<id>/cancel/"""

    view_name = "batch-cancel"
    method = "post"
    verb = "change.cancel"

    def url_kwargs(self) -> dict[str, Any]:
        """One."""
        return {"pk": self.batch()}

    def test_each_change_is_cancelled(self) -> None:
        """And counted."""
        done = self.call(self.session(self.omar)).json()
        assert done == {"done": 2, "refused": [], "left": 0, "last": 2}
