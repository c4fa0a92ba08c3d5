"""The endpoints that agents call for work, over HTTP."""

import json
from typing import Any
from uuid import uuid4

from django.urls import reverse

from agents.wire.codec import decode, encode
from agents.wire.messages import (
    ClaimReply,
    ClaimRequest,
    LeaseReply,
    LeaseRequest,
    ReportsReply,
    ReportsRequest,
)
from agents.wire.names import PATH_CLAIM, PATH_LEASE, PATH_REPORTS
from console.fleet.enums import WorkState
from console.jobs.models import JobRun
from tests.console.base import ConsoleTestCase
from tests.console.jobs.cast import FakeAgent, job_made
from tests.support.hosts import host_enrolled


class WorkViewTests(ConsoleTestCase):
    """Alpha, enrolled, with one job."""

    def setUp(self) -> None:
        """Enrol it."""
        self.alpha = host_enrolled("alpha")
        job_made(self.alpha.row)

    def post(self, path: str, message: Any, **headers: str) -> Any:
        """Send a wire message as the agent of alpha."""
        body = message if isinstance(message, bytes) else encode(message)
        sent = headers or self.alpha.headers
        return self.client.post(path, body, content_type="application/json", headers=sent)

    def claim(self, nonce: str | None = None) -> ClaimReply:
        """Claim on lane work."""
        message = ClaimRequest(lane="work", nonce=nonce or uuid4().hex)
        return decode(self.post(PATH_CLAIM, message).content, ClaimReply)

    def test_the_paths_are_those_of_the_contract(self) -> None:
        names = {
            "agent-claim": PATH_CLAIM,
            "agent-lease": PATH_LEASE,
            "agent-reports": PATH_REPORTS,
        }
        assert {name: reverse(name) for name in names} == names

    def test_claim_lease_and_reports_carry_a_run_to_its_end(self) -> None:
        order = self.claim().order
        assert order is not None
        lease = LeaseRequest(work_id=order.work_id, nonce=order.nonce)
        assert decode(self.post(PATH_LEASE, lease).content, LeaseReply).is_held
        agent = FakeAgent(self.alpha.row)
        batch = ReportsRequest(reports=[agent.started(order), agent.finished(order)])
        reply = decode(self.post(PATH_REPORTS, batch).content, ReportsReply)
        assert (reply.acknowledged_seq, reply.cancel) == (2, [])
        assert JobRun.objects.get().state == WorkState.SUCCEEDED

    def test_nothing_due_is_an_empty_reply(self) -> None:
        self.claim()
        assert self.claim().order is None

    def test_a_lost_reply_is_answered_alike(self) -> None:
        nonce = uuid4().hex
        assert self.claim(nonce) == self.claim(nonce)

    def test_nobody_claims_without_a_credential(self) -> None:
        message = ClaimRequest(lane="work", nonce=uuid4().hex)
        for headers in ({"Accept": "*/*"}, {"Authorization": "Bearer kra_unknown"}):
            response = self.post(PATH_CLAIM, message, **headers)
            assert self.error_of(response, 401) == "agent.unauthenticated"

    def test_an_agent_gets_only_its_own_work(self) -> None:
        beta = host_enrolled("beta")
        message = ClaimRequest(lane="work", nonce=uuid4().hex)
        response = self.post(PATH_CLAIM, message, **beta.headers)
        assert decode(response.content, ClaimReply).order is None

    def test_a_lease_under_another_nonce_is_a_conflict(self) -> None:
        order = self.claim().order
        assert order is not None
        response = self.post(PATH_LEASE, LeaseRequest(work_id=order.work_id, nonce="0" * 32))
        assert self.error_of(response, 409) == "work.nonce_mismatch"

    def test_messages_that_do_not_fit_name_what_is_wrong(self) -> None:
        for message, problem in (
            (ClaimRequest(lane="fast", nonce="0" * 32), "lane: 'fast' is none of work, quick"),
            (ClaimRequest(lane="work", nonce="short"), "nonce: expected 16 to 64"),
            (b'{"wire": "1.0", "lane": 3, "nonce": "x"}', "lane"),
        ):
            response = self.post(PATH_CLAIM, message)
            assert self.error_of(response, 400) == "wire.invalid"
            assert response.json()["extra"]["problems"][0].startswith(problem)

    def test_too_many_reports_or_wrong_numbers_are_refused_as_a_whole(self) -> None:
        report = {"seq": 0, "kind": "started", "work_id": "", "nonce": "", "at": ""}
        for batch in ([report], [report | {"seq": number + 1} for number in range(501)]):
            body = json.dumps({"wire": "1.0", "reports": batch}).encode()
            assert self.error_of(self.post(PATH_REPORTS, body), 400) == "wire.invalid"

    def test_an_unsupported_version_is_told_to_upgrade(self) -> None:
        body = encode(ReportsRequest(reports=[], wire="9.0"))
        assert self.error_of(self.post(PATH_REPORTS, body), 426) == "wire.unsupported"

    def test_an_empty_batch_is_acknowledged(self) -> None:
        reply = self.post(PATH_REPORTS, ReportsRequest(reports=[]))
        assert decode(reply.content, ReportsReply).acknowledged_seq == 0
