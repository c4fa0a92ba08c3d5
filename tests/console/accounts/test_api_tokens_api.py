"""API tokens: made once, shown once, good until they expire or are revoked."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

from console.accounts.models import ApiToken
from console.accounts.token_services import api_token_create, api_token_used
from console.audit.models import AuditEvent
from tests.console.base import ConsoleTestCase, DetailTests, EndpointTests, ListTests


class ApiTokenListTests(ListTests, ConsoleTestCase):
    """GET /api-tokens/"""

    view_name = "api-token-list"
    verb = "api_token.manage"

    def make_rows(self, count: int) -> None:
        """Tokens of different owners, some of which expire."""
        for number in range(count):
            owner = self.cast[number % 4]
            expires_at = timezone.now() + timedelta(days=1 + number) if number % 2 else None
            api_token_create(
                actor=self.actor(owner), user=owner, name=f"t{number}", expires_at=expires_at
            )

    def test_shows_only_ones_own_except_to_administrators(self) -> None:
        """The viewer has one of the four."""
        self.make_rows(4)
        own = self.session(self.vera).get(self.url()).json()
        assert [row["user"]["username"] for row in own["results"]] == ["vera"]
        assert self.listed()["count"] == 4

    def test_filters_by_derived_state(self) -> None:
        """Expired ones are expired without anybody writing so."""
        self.make_rows(2)
        ApiToken.objects.filter(name="t1").update(expires_at=timezone.now())
        for state, name in (("active", "t0"), ("expired", "t1")):
            assert [row["name"] for row in self.listed(state=state)["results"]] == [name]


class ApiTokenCreateTests(EndpointTests, ConsoleTestCase):
    """POST /api-tokens/"""

    view_name = "api-token-list"
    method = "post"
    verb = "api_token.manage"
    success = 201

    def body(self) -> dict[str, Any]:
        """For oneself."""
        return {"name": "pipeline"}

    def test_shows_the_secret_once_and_stores_an_hmac_of_it(self) -> None:
        """Neither the list nor the database nor the audit has it."""
        body = self.call(self.session(self.vera)).json()
        assert body["secret"].startswith("krk_")
        token = ApiToken.objects.get(pk=body["id"])
        assert body["secret"] not in str(token.__dict__)
        assert token.digest != body["secret"]
        assert body["secret"] not in str(list(AuditEvent.objects.values()))
        shown = self.session(self.vera).get(f"/api/v1/api-tokens/{token.pk}/").json()
        assert "secret" not in shown

    def test_expires_in_90_days_unless_told_otherwise(self) -> None:
        """`null` means never."""
        token = ApiToken.objects.get(pk=self.call(self.session(self.vera)).json()["id"])
        assert token.expires_at is not None
        assert abs(token.expires_at - timezone.now() - timedelta(days=90)) < timedelta(minutes=1)
        body = {"name": "for ever", "expires_at": None}
        assert self.session(self.vera).post(self.url(), body).json()["expires_at"] is None

    def test_is_made_for_others_by_administrators_alone(self) -> None:
        """To a viewer, other users do not exist."""
        body = {"name": "theirs", "user": str(self.omar.pk)}
        assert self.session(self.adam).post(self.url(), body).status_code == 201
        response = self.session(self.vera).post(self.url(), body)
        assert self.error_of(response, 404) == "user.not_found"

    def test_made_with_a_token_does_not_outlive_it(self) -> None:
        """A stolen token cannot make itself immortal."""
        limit = timezone.now() + timedelta(days=1)
        _, secret = api_token_create(
            actor=self.actor(self.vera), user=self.vera, name="short", expires_at=limit
        )
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        made = client.post(self.url(), {"name": "child", "expires_at": None}).json()
        assert ApiToken.objects.get(pk=made["id"]).expires_at == limit

    def test_refuses_an_expiry_in_the_past(self) -> None:
        """It would never work."""
        body = {"name": "late", "expires_at": "2020-01-01T00:00:00Z"}
        response = self.session(self.vera).post(self.url(), body)
        assert self.error_of(response, 400) == "api_token.expiry_past"


class ApiTokenDetailTests(DetailTests, ConsoleTestCase):
    """GET /api-tokens/<id>/"""

    view_name = "api-token-detail"
    verb = "api_token.manage"

    def url_kwargs(self) -> dict[str, Any]:
        """One of each who asks would be theirs: take a token that all of the cast may see."""
        return {"pk": self.token().pk}

    def token(self) -> ApiToken:
        """The administrator's, which others may not see."""
        return api_token_create(actor=self.actor(self.adam), user=self.adam, name="mine")[0]

    def test_serves_roles_with_the_verb(self) -> None:
        """Owners and administrators see a token; to others it does not exist."""
        token = api_token_create(actor=self.actor(self.vera), user=self.vera, name="hers")[0]
        url = f"/api/v1/api-tokens/{token.pk}/"
        for user, status in ((self.vera, 200), (self.adam, 200), (self.omar, 404)):
            with self.subTest(user.username):
                assert self.session(user).get(url).status_code == status


class ApiTokenRevokeTests(DetailTests, ConsoleTestCase):
    """POST /api-tokens/<id>/revoke/"""

    view_name = "api-token-revoke"
    method = "post"
    verb = "api_token.manage"

    def url_kwargs(self) -> dict[str, Any]:
        """The administrator's."""
        return {"pk": api_token_create(actor=self.actor(self.adam), user=self.adam, name="x")[0].pk}

    def test_serves_roles_with_the_verb(self) -> None:
        """Owners and administrators revoke; to others the token does not exist."""
        for user, status in ((self.vera, 200), (self.adam, 200), (self.omar, 404)):
            token = api_token_create(actor=self.actor(self.vera), user=self.vera, name="x")[0]
            with self.subTest(user.username):
                url = f"/api/v1/api-tokens/{token.pk}/revoke/"
                assert self.session(user).post(url).status_code == status

    def test_takes_effect_at_once_and_only_once(self) -> None:
        """The second time is a conflict."""
        token, secret = api_token_create(actor=self.actor(self.vera), user=self.vera, name="x")
        url = f"/api/v1/api-tokens/{token.pk}/revoke/"
        assert self.session(self.vera).post(url).json()["state"] == "revoked"
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        assert self.error_of(client.get("/api/v1/me/"), 401) == "api_token.revoked"
        assert self.error_of(self.session(self.vera).post(url), 409) == "api_token.revoked"


class ApiTokenUseTests(ConsoleTestCase):
    """What a request with a token does to it."""

    def setUp(self) -> None:
        """Make one."""
        made = api_token_create(actor=self.actor(self.vera), user=self.vera, name="x")
        self.token, self.secret = made

    def client_with(self, header: str) -> APIClient:
        """Return a client that sends `header`."""
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=header)
        return client

    def test_an_expired_token_is_refused(self) -> None:
        """With the reason and a Bearer challenge."""
        ApiToken.objects.update(expires_at=timezone.now())
        response = self.client_with(f"Bearer {self.secret}").get("/api/v1/me/")
        assert self.error_of(response, 401) == "api_token.expired"
        assert response["WWW-Authenticate"] == "Bearer"

    def test_last_use_is_written_at_most_once_a_minute(self) -> None:
        """The second call in the same minute writes nothing."""
        client = self.client_with(f"bearer {self.secret}")
        client.get("/api/v1/me/")
        first = ApiToken.objects.get().last_used_at
        client.get("/api/v1/me/")
        assert first is not None
        assert ApiToken.objects.get().last_used_at == first
        ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
        api_token_used(ApiToken.objects.get())
        last = ApiToken.objects.get().last_used_at
        assert last is not None
        assert last >= first

    def test_audit_names_token_and_owner(self) -> None:
        """Who did it is the token, for its owner."""
        self.client_with(f"Bearer {self.secret}").post("/api/v1/api-tokens/", {"name": "y"})
        event = AuditEvent.objects.order_by("-seq")[0]
        assert (event.actor_type, event.actor_name) == ("api_token", "vera/x")
        assert (event.object_type, event.object_name) == ("api_token", "y")
        assert event.actor_id == self.token.pk
