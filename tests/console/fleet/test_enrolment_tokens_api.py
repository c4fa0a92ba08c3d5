"""The endpoints of enrolment tokens."""

from datetime import timedelta
from typing import Any

from django.test import override_settings
from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.fleet.enrolment import enrolment_token_create, host_enrol
from console.fleet.models import EnrolmentToken
from tests.console.base import ConsoleTestCase, DetailTests, EndpointTests, ListTests
from tests.console.hosts import enrol_request


def make(**fields: Any) -> EnrolmentToken:
    return enrolment_token_create(actor=SYSTEM, **({"name": "rack 7"} | fields)).row


class EnrolmentTokenListApi(ListTests, ConsoleTestCase):
    """GET /enrolment-tokens/"""

    view_name = "enrolment-token-list"
    verb = "enrolment_token.manage"

    def make_rows(self, count: int) -> None:
        for _ in range(count):
            make()

    def test_filters_by_what_became_of_them(self) -> None:
        make(name="good")
        late = make(name="late")
        EnrolmentToken.objects.filter(pk=late.pk).update(expires_at=timezone.now())
        made = enrolment_token_create(actor=SYSTEM, name="used")
        host_enrol(request=enrol_request(made.secret))
        for state, name in (("active", "good"), ("expired", "late"), ("used_up", "used")):
            rows = self.listed(state=state)["results"]
            assert [(row["name"], row["state"]) for row in rows] == [(name, state)]


class EnrolmentTokenCreateApi(EndpointTests, ConsoleTestCase):
    """POST /enrolment-tokens/"""

    view_name = "enrolment-token-list"
    method = "post"
    verb = "enrolment_token.manage"
    success = 201

    def body(self) -> dict[str, Any]:
        return {"name": "rack 7", "max_uses": 3, "labels": {"env": "prod"}}

    def created(self) -> Any:
        return self.call(self.session(self.adam)).json()

    def test_shows_the_secret_this_once(self) -> None:
        body = self.created()
        assert body["secret"].startswith("kre_")
        shown = self.session(self.adam).get(f"/api/v1/enrolment-tokens/{body['id']}/").json()
        assert "secret" not in shown
        assert not EnrolmentToken.objects.filter(digest=body["secret"]).exists()

    def test_the_token_works_as_often_as_it_says(self) -> None:
        secret = self.created()["secret"]
        for name in ("a", "b", "c"):
            assert host_enrol(request=enrol_request(secret, name)).host.labels == {"env": "prod"}
        assert EnrolmentToken.objects.get().use_count == 3

    @override_settings(PUBLIC_URL="http://127.0.0.1:8000", TLS_CERTIFICATE="", TLS_PIN="")
    def test_on_loopback_the_command_is_plain_http(self) -> None:
        body = self.created()
        assert body["install"]["command"] == (
            f"{{ echo KEYRACK_ENROLMENT_TOKEN={body['secret']}; "
            "curl -fsS http://127.0.0.1:8000/agent/install.sh || echo exit 1; } | sudo sh"
        )

    @override_settings(PUBLIC_URL="https://console.example", TLS_PIN="sha256//c2VjcmV0")
    def test_with_tls_the_command_pins_the_key(self) -> None:
        command = self.created()["install"]["command"]
        assert "--pinnedpubkey sha256//c2VjcmV0 https://console.example/agent/" in command

    @override_settings(PUBLIC_URL="http://console.example", TLS_CERTIFICATE="", TLS_PIN="")
    def test_where_no_address_is_safe_there_is_no_command_but_a_reason(self) -> None:
        install = self.created()["install"]
        assert install["command"] == ""
        assert "loopback only" in install["note"]

    def test_refuses_lifetimes_and_uses_out_of_bounds(self) -> None:
        for field, value in (("lifetime_seconds", 5), ("max_uses", 0), ("labels", {"": "x"})):
            with self.subTest(field):
                client = self.session(self.adam)
                response = client.post(self.url(), {field: value}, format="json")
                assert response.status_code == 400


class EnrolmentTokenDetailApi(DetailTests, ConsoleTestCase):
    """GET /enrolment-tokens/<id>/"""

    view_name = "enrolment-token-detail"
    verb = "enrolment_token.manage"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": make().pk}


class EnrolmentTokenRevokeApi(DetailTests, ConsoleTestCase):
    """POST /enrolment-tokens/<id>/revoke/"""

    view_name = "enrolment-token-revoke"
    method = "post"
    verb = "enrolment_token.manage"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": make(lifetime=timedelta(days=1)).pk}

    def test_revokes_once(self) -> None:
        url = self.url()
        client = self.session(self.adam)
        assert client.post(url).json()["state"] == "revoked"
        assert self.error_of(client.post(url), 409) == "enrolment_token.revoked"
