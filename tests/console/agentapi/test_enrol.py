"""Enrolment: what an enrolment token buys, once; what re-enrolment keeps and ends."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, TestCase, override_settings
from django.utils import timezone

from agents.wire.codec import encode
from console.accounts.actors import SYSTEM
from console.audit.models import AuditEvent
from console.core.credentials import credential_digest
from console.fleet.enrolment import enrolment_token_create, enrolment_token_revoke
from console.fleet.models import AgentCredential, EnrolmentToken, Host
from console.fleet.services import host_retire, host_revoke
from tests.console.hosts import Agent, enrol, enrol_request, heartbeat, host_with, some_facts

BEAT = "/agent/v1/heartbeat/"


def token(**fields: Any) -> str:
    return enrolment_token_create(name="t", actor=SYSTEM, **fields).secret


def post(secret: str, name: str = "alpha", **extra: Any) -> Any:
    body = encode(enrol_request(secret, name))
    return Client().post("/agent/v1/enrol/", body, content_type="application/json", **extra)


class Enrolling(TestCase):
    """POST /agent/v1/enrol/"""

    def test_a_machine_becomes_a_pending_host_with_a_credential(self) -> None:
        body = post(token()).json()
        host = Host.objects.get(pk=body["host_id"])
        assert (host.name, host.state, body["is_reenrolment"]) == ("alpha", "pending", False)
        assert body["credential"].startswith("kra_")
        assert (body["heartbeat_seconds"], body["scan_seconds"]) == (15, 300)

    def test_the_console_keeps_only_the_hmac_of_credential_and_token(self) -> None:
        secret = token()
        body = post(secret).json()
        assert AgentCredential.objects.get().digest == credential_digest(body["credential"])
        assert EnrolmentToken.objects.get().digest == credential_digest(secret)
        for row in (AgentCredential.objects.values().get(), EnrolmentToken.objects.values().get()):
            assert secret not in map(str, row.values())
            assert body["credential"] not in map(str, row.values())

    def test_a_token_is_good_once_unless_it_says_more(self) -> None:
        secret = token()
        assert post(secret, "alpha").status_code == 200
        assert post(secret, "beta").status_code == 401

    def test_expired_revoked_and_unknown_tokens_are_refused_alike(self) -> None:
        late, gone = token(), token()
        rows = EnrolmentToken.objects
        rows.filter(digest=credential_digest(late)).update(expires_at=timezone.now())
        enrolment_token_revoke(token=rows.get(digest=credential_digest(gone)), actor=SYSTEM)
        for secret in (late, gone, "kre_unknown", "", "kre_\ud800"):
            response = post(secret)
            assert response.status_code == 401
            assert response.json()["code"] == "enrolment_token.invalid"
        assert Host.objects.count() == 0

    def test_two_machines_of_one_name_are_told_apart(self) -> None:
        enrol("alpha")
        secret = token()
        request = enrol_request(secret, "other-machine")
        named = request.__class__(**{**_fields(request), "name": "alpha"})
        body = Client().post("/agent/v1/enrol/", encode(named), content_type="application/json")
        assert body.json()["host_name"] == "alpha-2"

    def test_enrolment_is_audited_as_the_act_of_the_tokens_maker(self) -> None:
        post(token())
        event = AuditEvent.objects.get(verb="host.enrol")
        assert (event.actor_name, event.host_name) == ("console", "alpha")

    def test_plain_http_from_elsewhere_is_refused_and_uses_nothing(self) -> None:
        secret = token()
        for extra in ({"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.7"}):
            response = post(secret, **extra)
            assert (response.status_code, response.json()["code"]) == (403, "transport.insecure")
        assert EnrolmentToken.objects.get().use_count == 0

    def test_https_from_elsewhere_is_served(self) -> None:
        response = post(token(), REMOTE_ADDR="192.0.2.7", **{"wsgi.url_scheme": "https"})
        assert response.status_code == 200

    def test_another_wire_major_is_refused_with_426(self) -> None:
        request = enrol_request(token())
        other = request.__class__(**{**_fields(request), "wire": "7.0"})
        response = Client().post("/agent/v1/enrol/", encode(other), content_type="application/json")
        assert (response.status_code, response.json()["code"]) == (426, "wire.unsupported")

    def test_get_is_no_way_to_enrol(self) -> None:
        assert Client().get("/agent/v1/enrol/").status_code == 405


class EnrollingAgain(TestCase):
    """The same machine with a new token."""

    def test_the_host_keeps_its_history_name_and_labels(self) -> None:
        host = host_with(some_facts(), "alpha", env="prod")
        body = post(token(labels={"env": "other"})).json()
        again = Host.objects.get()
        assert (body["host_id"], body["is_reenrolment"]) == (str(host.pk), True)
        assert (again.first_inventory_at, again.labels) == (host.first_inventory_at, host.labels)

    def test_the_old_credential_ends(self) -> None:
        old = Agent(enrol().credential)
        new = Agent(post(token()).json()["credential"])
        assert old.post(BEAT, heartbeat()).json()["code"] == "agent.unauthenticated"
        assert new.post(BEAT, heartbeat()).status_code == 200

    def test_a_retired_host_comes_back_as_pending(self) -> None:
        host_retire(host=enrol().host, actor=SYSTEM)
        post(token())
        assert Host.objects.get().state == "pending"


class Dismissed(TestCase):
    """Agents whose host was retired or revoked."""

    def test_a_retired_hosts_agent_is_told_so(self) -> None:
        enrolment = enrol()
        host_retire(host=enrolment.host, actor=SYSTEM)
        response = Agent(enrolment.credential).post(BEAT, heartbeat())
        assert (response.status_code, response.json()["code"]) == (403, "agent.retired")

    def test_a_revoked_hosts_agent_is_told_so(self) -> None:
        enrolment = enrol()
        host_revoke(host=enrolment.host, actor=SYSTEM)
        response = Agent(enrolment.credential).post(BEAT, heartbeat())
        assert (response.status_code, response.json()["code"]) == (403, "agent.revoked")

    def test_whoever_has_no_credential_is_unauthenticated(self) -> None:
        for credential in ("", "kra_unknown", "kra_" + "x" * 500, "krk_wrong-kind"):
            response = Agent(credential).post(BEAT, heartbeat())
            assert response.status_code == 401
            assert response.json()["code"] == "agent.unauthenticated"


class BrokerAddress(TestCase):
    """Which broker address an agent gets."""

    @override_settings(REDIS_URL="redis://:console-password@127.0.0.1:6390/0", AGENT_REDIS_URL="")
    def test_on_the_consoles_machine_it_is_loopback_with_a_user_of_its_own(self) -> None:
        body = post(token()).json()
        assert body["broker_url"].startswith(f"redis://host.{body['host_id']}:")
        assert body["broker_url"].endswith("@127.0.0.1:6390/0")
        assert "console-password" not in body["broker_url"]

    @override_settings(REDIS_URL="redis://127.0.0.1:6390/0", AGENT_REDIS_URL="")
    def test_elsewhere_loopback_is_of_no_use_so_there_is_none(self) -> None:
        response = post(token(), REMOTE_ADDR="192.0.2.7", **{"wsgi.url_scheme": "https"})
        assert response.json()["broker_url"] == ""

    @override_settings(AGENT_REDIS_URL="rediss://broker.example:6380/1")
    def test_a_configured_address_is_handed_out_with_the_agents_user(self) -> None:
        body = post(token()).json()
        assert body["broker_url"].endswith("@broker.example:6380/1")
        assert body["broker_url"].startswith("rediss://host.")


def _fields(request: Any) -> dict[str, Any]:
    return {name: getattr(request, name) for name in request.__slots__}


@pytest.mark.django_db
def test_a_token_lives_no_longer_than_allowed() -> None:
    with pytest.raises(Exception, match="at most 90 days"):
        token(lifetime=timedelta(days=91))
