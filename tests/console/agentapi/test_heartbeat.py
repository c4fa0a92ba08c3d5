"""Heartbeats: cheap with nothing new, right with news, and no prisoner of Redis."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.wire.inventory import Gauge
from agents.wire.names import Lane
from console.accounts.actors import SYSTEM
from console.agentapi import authentication
from console.audit.models import AuditEvent
from console.core.redis import redis_client
from console.fleet.enrolment import Enrolment
from console.fleet.models import Host
from console.fleet.pulse import pulse_beats, pulse_gauges, pulse_seen
from console.fleet.reachability import host_lose
from console.fleet.services import host_retire, host_revoke
from console.fleet.work import work_claim
from console.inventory.scans import scan_request
from tests.console.hosts import ALLOW, Agent, enrol, heartbeat, host_with, some_facts

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]

PATH = "/agent/v1/heartbeat/"


@pytest.fixture
def enrolment() -> Enrolment:
    authentication._known.clear()
    return enrol()


@pytest.fixture
def agent(enrolment: Enrolment) -> Agent:
    """An agent that has been heard of: what follows is steady state."""
    agent = Agent(enrolment.credential)
    agent.beat()
    agent.beat()
    return agent


def queries_of(agent: Agent, **fields: Any) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        agent.beat(**fields)
    return [query["sql"] for query in captured.captured_queries]


def test_with_nothing_new_the_database_is_not_asked(agent: Agent) -> None:
    assert queries_of(agent) == []


def test_gauges_are_no_news(agent: Agent, enrolment: Enrolment) -> None:
    gauges = [Gauge(name="token.sessions", subject_key="t", value=2.0)]
    assert queries_of(agent, gauges=gauges) == []
    agent.beat()
    host_id = str(enrolment.host.pk)
    assert pulse_gauges([host_id])[host_id]["gauges"][0]["value"] == 2.0
    assert pulse_beats()[host_id]["gauges"] == []


def test_the_first_makes_a_pending_host_active(enrolment: Enrolment) -> None:
    Agent(enrolment.credential).beat()
    host = Host.objects.get()
    assert (host.state, host.allow) == ("active", ALLOW)
    assert host.last_seen_at is not None


def test_contact_goes_to_redis_and_not_to_the_database(agent: Agent, enrolment: Enrolment) -> None:
    before = Host.objects.get().last_seen_at
    agent.beat()
    assert Host.objects.get().last_seen_at == before
    assert before is not None
    assert pulse_seen()[str(enrolment.host.pk)] > before.timestamp()


def test_an_offline_host_is_active_again_at_once(agent: Agent) -> None:
    host_lose(host=Host.objects.get())
    agent.beat()
    assert Host.objects.get().state == "active"


def test_what_the_agent_allows_is_news_and_audited(agent: Agent) -> None:
    agent.beat(allow=["inventory.scan"])
    assert Host.objects.get().allow == ["inventory.scan"]
    event = AuditEvent.objects.filter(verb="host.agent_change").order_by("seq").last()
    assert event is not None
    assert event.old == {"allow": ALLOW, "agent_version": "0.1.0"}


def test_the_snapshot_is_wanted_until_the_console_has_it(agent: Agent) -> None:
    facts = some_facts()
    host = host_with(facts)
    assert agent.beat(snapshot_digest="another")["wants_snapshot"] is True
    assert agent.beat(snapshot_digest=host.snapshot_digest)["wants_snapshot"] is False


def test_due_work_shows_at_once_and_goes_when_it_is_claimed(agent: Agent) -> None:
    host = Host.objects.get()
    assert agent.beat()["due"] == {}
    scan_request(host=host, actor=SYSTEM)
    assert agent.beat()["due"] == {"quick": 1}
    work_claim(host=host, lane=Lane.QUICK, nonce="n" * 32)
    assert agent.beat()["due"] == {}


@pytest.mark.parametrize(
    ("dismiss", "code"), [(host_retire, "agent.retired"), (host_revoke, "agent.revoked")]
)
def test_a_dismissed_agent_is_refused_at_once_though_it_is_remembered(
    agent: Agent, dismiss: Any, code: str
) -> None:
    dismiss(host=Host.objects.get(), actor=SYSTEM)
    response = agent.post(PATH, heartbeat())
    assert (response.status_code, response.json()["code"]) == (403, code)


def test_words_that_cannot_be_stored_are_made_storable(agent: Agent) -> None:
    """And then are no news any more, however often they are sent."""
    odd: dict[str, Any] = {"agent_version": "1\ud800\0", "allow": ["job.run\0", "x" * 900]}
    agent.beat(**odd)
    host = Host.objects.get()
    assert host.agent_version == "1\N{REPLACEMENT CHARACTER}" + "\N{REPLACEMENT CHARACTER}"
    assert [len(kind) for kind in host.allow] == [8, 100]
    agent.beat(**odd)
    assert queries_of(agent, **odd) == []


def test_an_emptied_redis_does_not_bring_a_revoked_agent_back(agent: Agent) -> None:
    redis_client().flushall()
    host_revoke(host=Host.objects.get(), actor=SYSTEM)
    assert agent.post(PATH, heartbeat()).status_code == 403


def test_without_redis_the_database_serves(agent: Agent, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    before = timezone.now()
    reply = agent.beat(snapshot_digest="new")
    assert reply["wants_snapshot"] is True
    last_seen_at = Host.objects.get().last_seen_at
    assert last_seen_at is not None
    assert last_seen_at >= before


def test_without_redis_a_revoked_agent_is_refused_too(agent: Agent, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    host_revoke(host=Host.objects.get(), actor=SYSTEM)
    assert agent.post(PATH, heartbeat()).status_code == 403


def test_unknown_fields_are_ignored(agent: Agent) -> None:
    body = b'{"wire":"1.9","snapshot_digest":"","agent_version":"2","mood":"good"}'
    assert agent.post_bytes(PATH, body).status_code == 200


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "$: not JSON"),
        (b"[]", "expected an object"),
        (b'{"wire":"1.0","snapshot_digest":7,"agent_version":"1"}', "snapshot_digest: "),
        (b'{"wire":"1.0","agent_version":"1"}', "snapshot_digest"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(
    agent: Agent, body: bytes, problem: str
) -> None:
    response = agent.post_bytes(PATH, body)
    assert (response.status_code, response.json()["code"]) == (400, "wire.invalid")
    assert any(problem in line for line in response.json()["extra"]["problems"])
