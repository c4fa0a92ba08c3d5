"""Login, logout, me."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from console.accounts.models import User
from console.accounts.tasks import login_failures_prune
from console.audit.models import AuditEvent
from tests.console.base import PASSWORD, ConsoleTestCase, EndpointTests


class SessionCreateTests(ConsoleTestCase):
    """POST /session/"""

    def setUp(self) -> None:
        """Forget earlier tests' logins."""
        cache.clear()

    def login(self, username: str = "vera", password: str = PASSWORD, **extra: Any) -> Any:
        """Log in with a new client."""
        body = {"username": username, "password": password}
        return APIClient().post("/api/v1/session/", body, **extra)

    def test_tells_who_one_is_and_may_do(self) -> None:
        """A viewer reads and does not run."""
        body = self.login().json()
        assert (body["username"], body["role"]) == ("vera", "viewer")
        assert body["capabilities"]["host.read"] is True
        assert body["capabilities"]["job.run"] is False
        assert AuditEvent.objects.filter(verb="session.start", actor_name="vera").exists()

    def test_takes_the_name_in_any_case(self) -> None:
        """Vera is vera."""
        assert self.login(username="Vera").status_code == 200

    def test_refuses_a_wrong_password_and_an_unknown_name_alike(self) -> None:
        """Nobody learns which names exist; only a real one goes to the audit."""
        for name in ("vera", "nobody"):
            assert self.error_of(self.login(name, "wrong"), 401) == "session.refused"
        assert [e.object_name for e in AuditEvent.objects.all()] == ["vera"]

    def test_refuses_without_a_csrf_token(self) -> None:
        """A foreign page must not log a browser in."""
        client = APIClient(enforce_csrf_checks=True)
        body = {"username": "vera", "password": PASSWORD}
        assert self.error_of(client.post("/api/v1/session/", body), 403) == "session.csrf"
        client.get("/api/v1/me/")
        token = client.cookies["csrftoken"].value
        response = client.post("/api/v1/session/", body, HTTP_X_CSRFTOKEN=token)
        assert response.status_code == 200

    def test_locks_out_after_five_wrong_passwords(self) -> None:
        """Even the right one is then refused, with the time to wait."""
        with self.settings(AXES_ENABLED=True):
            for _ in range(5):
                self.login(password="wrong")
            response = self.login()
        assert self.error_of(response, 429) == "session.throttled"
        assert response["Retry-After"] == "900"
        assert response.json()["extra"]["retry_after_seconds"] == 900

    def test_failures_that_no_longer_count_are_deleted(self) -> None:
        """Otherwise anybody could fill the database."""
        with self.settings(AXES_ENABLED=True):
            self.login(password="wrong")
        login_failures_prune()
        assert AccessAttempt.objects.count() == 1
        AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(hours=1))
        login_failures_prune()
        assert not AccessAttempt.objects.exists()

    def test_counts_logins_per_address_whatever_the_name(self) -> None:
        """Guessing one password with many names is slow too."""
        for number in range(60):
            self.login(f"name{number}", "wrong")
        response = self.login()
        assert self.error_of(response, 429) == "request.throttled"
        assert int(response["Retry-After"]) > 0


class SessionDeleteTests(ConsoleTestCase):
    """DELETE /session/"""

    def test_ends_the_session(self) -> None:
        """The cookie is worth nothing afterwards."""
        client = self.session(self.vera)
        assert client.delete("/api/v1/session/").status_code == 204
        assert self.error_of(client.get("/api/v1/me/"), 401) == "session.unauthenticated"

    def test_refuses_who_is_not_logged_in(self) -> None:
        """401, in the one error shape."""
        assert self.error_of(self.session().delete("/api/v1/session/"), 401)

    def test_refuses_without_a_csrf_token(self) -> None:
        """A foreign page must not log anybody out."""
        client = APIClient(enforce_csrf_checks=True)
        client.force_login(self.vera, backend="django.contrib.auth.backends.ModelBackend")
        assert self.error_of(client.delete("/api/v1/session/"), 403) == "session.csrf"


class MeTests(EndpointTests, ConsoleTestCase):
    """GET /me/"""

    view_name = "me"

    def test_gives_the_csrf_cookie_before_login_too(self) -> None:
        """The login form needs it."""
        assert "csrftoken" in self.session().get(self.url()).cookies


class MeUpdateTests(EndpointTests, ConsoleTestCase):
    """PATCH /me/"""

    view_name = "me"
    method = "patch"

    def body(self) -> dict[str, Any]:
        """Dark."""
        return {"theme": "dark"}

    def test_remembers_the_theme(self) -> None:
        """In the database."""
        self.call(self.session(self.vera))
        assert User.objects.get(pk=self.vera.pk).theme == "dark"


class MePasswordTests(EndpointTests, ConsoleTestCase):
    """POST /me/password/"""

    view_name = "me-password"
    method = "post"
    success = 204

    def body(self) -> dict[str, Any]:
        """Another good one."""
        return {"old_password": PASSWORD, "new_password": f"{PASSWORD}-2"}

    def test_keeps_this_session_and_ends_the_others(self) -> None:
        """Of the same user."""
        here, there = self.session(self.vera), self.session(self.vera)
        self.call(here)
        assert here.get("/api/v1/me/").status_code == 200
        assert there.get("/api/v1/me/").status_code == 401

    def test_refuses_a_wrong_present_password(self) -> None:
        """Naming the field."""
        body = {"old_password": "wrong", "new_password": f"{PASSWORD}-2"}
        response = self.session(self.vera).post(self.url(), body)
        assert self.error_of(response, 400) == "user.password_wrong"
        assert "old_password" in response.json()["extra"]["fields"]


@pytest.mark.django_db
def test_passwords_are_hashed_with_argon2_outside_of_tests() -> None:
    """The tests' own fast hasher must not reach a real console."""
    from console.config.settings import base

    assert base.PASSWORD_HASHERS == ["django.contrib.auth.hashers.Argon2PasswordHasher"]
