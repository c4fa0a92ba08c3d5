"""Users: who may manage them, and the last administrator."""

from typing import Any

from console.accounts.enums import Role
from console.accounts.models import ApiToken, User
from console.accounts.services import user_create
from console.audit.models import AuditEvent
from tests.console.base import PASSWORD, ConsoleTestCase, DetailTests, EndpointTests, ListTests


class UserListTests(ListTests, ConsoleTestCase):
    """GET /users/"""

    view_name = "user-list"
    verb = "user.manage"

    def make_rows(self, count: int) -> None:
        """Make users with different names, roles and addresses."""
        made = User.objects.count()
        roles = list(Role)
        for number in range(made, made + count):
            User.objects.create(username=f"user{number}", role=roles[number % 4])

    def test_filters_by_role_and_text(self) -> None:
        """Several roles; any part of a name."""
        names = [row["username"] for row in self.listed(role="viewer,operator")["results"]]
        assert names == ["omar", "vera"]
        assert [row["username"] for row in self.listed(search="ADA")["results"]] == ["ada", "adam"]

    def test_refuses_a_role_that_does_not_exist(self) -> None:
        """400 naming the field."""
        response = self.session(self.adam).get(self.url(), {"role": "king"})
        assert self.error_of(response, 400) == "input.invalid"
        assert "role" in response.json()["extra"]["fields"]


class UserCreateTests(EndpointTests, ConsoleTestCase):
    """POST /users/"""

    view_name = "user-list"
    method = "post"
    verb = "user.manage"
    success = 201

    def body(self) -> dict[str, Any]:
        """A new operator."""
        return {"username": "nora", "role": "operator", "email": "nora@example.org"}

    def test_shows_a_generated_password_that_works_and_audits_no_secret(self) -> None:
        """The password is in the reply alone."""
        password = self.call(self.session(self.adam)).json()["password"]
        assert User.objects.get(username="nora").check_password(password)
        event = AuditEvent.objects.get(verb="user.create")
        assert event.new == {"username": "nora", "role": "operator", "email": "nora@example.org"}
        assert password not in str(event.__dict__)

    def test_refuses_a_name_that_differs_in_case_only(self) -> None:
        """VERA would be taken for vera."""
        response = self.session(self.adam).post(self.url(), {"username": "VERA"})
        assert self.error_of(response, 400) == "user.username_taken"
        assert "username" in response.json()["extra"]["fields"]

    def test_refuses_a_weak_password(self) -> None:
        """Short or well known."""
        body = {"username": "nora", "password": "password1"}
        response = self.session(self.adam).post(self.url(), body)
        assert self.error_of(response, 400) == "user.password_weak"


class UserDetailTests(DetailTests, ConsoleTestCase):
    """GET /users/<id>/"""

    view_name = "user-detail"
    verb = "user.manage"

    def url_kwargs(self) -> dict[str, Any]:
        """The viewer."""
        return {"pk": self.vera.pk}


class UserUpdateTests(DetailTests, ConsoleTestCase):
    """PATCH /users/<id>/"""

    view_name = "user-detail"
    method = "patch"
    verb = "user.manage"

    def url_kwargs(self) -> dict[str, Any]:
        """The viewer."""
        return {"pk": self.vera.pk}

    def body(self) -> dict[str, Any]:
        """A promotion."""
        return {"role": "operator"}

    def test_audits_the_old_and_the_new_role(self) -> None:
        """Only what changed."""
        self.call(self.session(self.adam))
        event = AuditEvent.objects.get(verb="user.update")
        assert (event.old, event.new) == ({"role": "viewer"}, {"role": "operator"})

    def test_writes_nothing_when_nothing_changes(self) -> None:
        """No audit row for the same role again."""
        self.session(self.adam).patch(self.url(), {"role": "viewer"})
        assert not AuditEvent.objects.filter(verb="user.update").exists()

    def test_keeps_the_last_administrator(self) -> None:
        """409, and the role stays."""
        client = self.session(self.adam)
        response = client.patch(f"/api/v1/users/{self.adam.pk}/", {"role": "viewer"})
        assert self.error_of(response, 409) == "user.last_administrator"
        assert User.objects.get(pk=self.adam.pk).role == Role.ADMINISTRATOR


class UserDeactivateTests(DetailTests, ConsoleTestCase):
    """POST /users/<id>/deactivate/"""

    view_name = "user-deactivate"
    method = "post"
    verb = "user.manage"

    def url_kwargs(self) -> dict[str, Any]:
        """The viewer."""
        return {"pk": self.vera.pk}

    def test_ends_sessions_and_api_tokens(self) -> None:
        """Both are refused from then on."""
        session, bearer = self.session(self.vera), self.bearer(self.vera)
        self.call(self.session(self.adam))
        assert self.error_of(session.get("/api/v1/me/"), 401) == "session.unauthenticated"
        assert self.error_of(bearer.get("/api/v1/me/"), 401) == "api_token.revoked"
        assert not ApiToken.objects.filter(user=self.vera, revoked_at=None).exists()

    def test_keeps_the_last_administrator(self) -> None:
        """A deactivated second administrator does not count."""
        eve, _ = user_create(actor=self.actor(self.adam), username="eve", role=Role.ADMINISTRATOR)
        client = self.session(self.adam)
        assert client.post(f"/api/v1/users/{eve.pk}/deactivate/").status_code == 200
        response = client.post(f"/api/v1/users/{self.adam.pk}/deactivate/")
        assert self.error_of(response, 409) == "user.last_administrator"


class UserActivateTests(DetailTests, ConsoleTestCase):
    """POST /users/<id>/activate/"""

    view_name = "user-activate"
    method = "post"
    verb = "user.manage"

    def url_kwargs(self) -> dict[str, Any]:
        """A user who was deactivated."""
        user, _ = User.objects.get_or_create(username="nora", defaults={"is_active": False})
        return {"pk": user.pk}

    def test_lets_the_user_in_again(self) -> None:
        """The name and password work."""
        User.objects.filter(pk=self.vera.pk).update(is_active=False)
        client = self.session(self.adam)
        assert client.post(f"/api/v1/users/{self.vera.pk}/activate/").json()["is_active"] is True
        body = {"username": "vera", "password": PASSWORD}
        assert self.session().post("/api/v1/session/", body).status_code == 200


class UserPasswordResetTests(DetailTests, ConsoleTestCase):
    """POST /users/<id>/password/"""

    view_name = "user-password"
    method = "post"
    verb = "user.manage"

    def url_kwargs(self) -> dict[str, Any]:
        """The viewer."""
        return {"pk": self.vera.pk}

    def test_ends_the_sessions_that_knew_the_old_password(self) -> None:
        """The new one works."""
        session = self.session(self.vera)
        password = self.call(self.session(self.adam)).json()["password"]
        assert self.error_of(session.get("/api/v1/me/"), 401) == "session.unauthenticated"
        body = {"username": "vera", "password": password}
        assert self.session().post("/api/v1/session/", body).status_code == 200
