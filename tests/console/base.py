"""What every test of the console builds on: a fixed cast, clients, inherited endpoint tests.

An endpoint's test class derives from EndpointTests, ListTests or DetailTests and from
ConsoleTestCase; it inherits the tests of who may call, of paging, ordering, filters and CSV. A test
in tests/architecture fails for an endpoint without such a class.
"""

import csv
import io
import uuid
from typing import Any, ClassVar

from django.db import connection, transaction
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from rest_framework.test import APIClient

from console.accounts.actors import Actor, actor_of_user
from console.accounts.enums import Role
from console.accounts.models import User
from console.accounts.policies import VERBS_BY_ROLE
from console.accounts.token_services import api_token_create

PASSWORD = f"correct-horse-{uuid.uuid4().hex}"


class ConsoleTestCase(TestCase):
    """A test with the cast: viewer vera, operator omar, approver ada, administrator adam."""

    vera: ClassVar[User]
    omar: ClassVar[User]
    ada: ClassVar[User]
    adam: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        """Make the cast."""
        cls.vera = _member("vera", Role.VIEWER)
        cls.omar = _member("omar", Role.OPERATOR)
        cls.ada = _member("ada", Role.APPROVER)
        cls.adam = _member("adam", Role.ADMINISTRATOR)

    @property
    def cast(self) -> tuple[User, ...]:
        """All four, from the one who may least."""
        return (self.vera, self.omar, self.ada, self.adam)

    def session(self, user: User | None = None) -> APIClient:
        """Return a client with a session of `user`; without one nobody is logged in."""
        client = APIClient()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def bearer(self, user: User) -> APIClient:
        """Return a client with an API token of `user`."""
        _, secret = api_token_create(actor=self.actor(user), user=user, name="test")
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        return client

    def actor(self, user: User) -> Actor:
        """Return `user` as services take it."""
        return actor_of_user(user)

    def error_of(self, response: Any, status: int) -> str:
        """Check that `response` is an error of `status` in the one shape; return its code."""
        assert response.status_code == status, response.content
        body = response.json()
        assert set(body) == {"code", "message", "extra"}, body
        assert body["message"], body
        return str(body["code"])


def _member(name: str, role: Role) -> User:
    user = User(username=name, role=role, email=f"{name}@example.org")
    user.set_password(PASSWORD)
    user.save()
    return user


class EndpointTests:
    """Tests that every endpoint passes. `verb` None: everybody who is logged in may call."""

    view_name: ClassVar[str]
    method: ClassVar[str] = "get"
    verb: ClassVar[str | None] = None
    success: ClassVar[int] = 200

    def url_kwargs(self) -> dict[str, Any]:
        """Return what the URL names; make the object first if it takes one."""
        return {}

    def body(self) -> dict[str, Any] | None:
        """Return a body that is accepted."""
        return None

    def url(self) -> str:
        """Return the endpoint's address."""
        return reverse(self.view_name, kwargs=self.url_kwargs())

    def call(self: Any, client: APIClient, url: str | None = None) -> Any:
        """Call the endpoint with an acceptable body."""
        return getattr(client, self.method)(url or self.url(), self.body(), format=self._format())

    def _format(self) -> str | None:
        return None if self.method == "get" else "json"

    def may(self, user: User) -> bool:
        """Return whether `user`'s role has the verb."""
        return self.verb is None or self.verb in VERBS_BY_ROLE[Role(user.role)]

    def test_refuses_who_is_not_logged_in(self: Any) -> None:
        """401, in the one error shape."""
        assert self.error_of(self.call(self.session()), 401) == "session.unauthenticated"

    def test_refuses_roles_without_the_verb(self: Any) -> None:
        """403 for each of them."""
        url = self.url()
        for user in self.cast:
            if not self.may(user):
                with self.subTest(user.username):
                    code = self.error_of(self.call(self.session(user), url), 403)
                    assert code == "permission.denied"

    def test_serves_roles_with_the_verb(self: Any) -> None:
        """Each of them, each time from the same state."""
        for user in self.cast:
            if self.may(user):
                with self.subTest(user.username), transaction.atomic():
                    response = self.call(self.session(user))
                    assert response.status_code == self.success, response.content
                    transaction.set_rollback(True)

    def test_serves_an_api_token_as_its_owner(self: Any) -> None:
        """The administrator's works; an unknown one is refused, not anonymous."""
        response = self.call(self.bearer(self.adam))
        assert response.status_code == self.success, response.content
        stranger = APIClient()
        stranger.credentials(HTTP_AUTHORIZATION="Bearer krk_unknown")
        assert self.error_of(self.call(stranger), 401) == "api_token.unknown"


class DetailTests(EndpointTests):
    """Tests of endpoints whose URL names one object by `pk`."""

    def test_knows_no_object_of_another_id(self: Any) -> None:
        """404, in the one error shape."""
        kwargs = {**self.url_kwargs(), "pk": uuid.uuid4()}
        response = self.call(self.session(self.adam), reverse(self.view_name, kwargs=kwargs))
        assert self.error_of(response, 404).endswith(".not_found")


class ListTests(EndpointTests):
    """Tests of list endpoints: paging, ordering, filters, CSV, a constant number of queries."""

    def make_rows(self, count: int) -> None:
        """Make `count` more rows that the administrator sees."""
        raise NotImplementedError

    @property
    def view_class(self) -> Any:
        """The view behind the URL."""
        return resolve(self.url()).func.view_class  # type: ignore[attr-defined]

    def listed(self: Any, **query: Any) -> Any:
        """Return the body of one page, as the administrator sees it."""
        response = self.session(self.adam).get(self.url(), query)
        assert response.status_code == 200, response.content
        return response.json()

    def test_pages_hold_every_row_once_in_both_directions(self: Any) -> None:
        """Walking forward and back over pages of two gives the whole list, whatever the order."""
        self.make_rows(5)
        for name in self.view_class.ordering_fields:
            for ordering in (name, f"-{name}"):
                with self.subTest(ordering):
                    self._walk(ordering)

    def row_id(self: Any, row: dict[str, Any]) -> Any:
        """Return what tells this row from the others."""
        return row["id"]

    def _walk(self: Any, ordering: str) -> None:
        whole = self.listed(ordering=ordering, page_size=1000)
        rows, cursor = [], None
        while True:
            place: dict[str, Any] = {"cursor": cursor} if cursor else {}
            page = self.listed(ordering=ordering, page_size=2, **place)
            assert page["count"] == whole["count"]
            rows += page["results"]
            if page["next"] is None:
                break
            cursor = page["next"]
        ids = [self.row_id(row) for row in whole["results"]]
        assert [self.row_id(row) for row in rows] == ids
        back = self.listed(ordering=ordering, page_size=2, cursor=page["previous"])["results"]
        rest = len(page["results"])
        assert [self.row_id(row) for row in back] == ids[len(ids) - rest - 2 : len(ids) - rest]

    def test_refuses_filters_orderings_and_cursors_it_does_not_have(self: Any) -> None:
        """A misspelt parameter must not show everything."""
        client = self.session(self.adam)
        for query, code in (
            ({"filtre": "x"}, "filter.unknown"),
            ({"page_size": ["5", "6"]}, "filter.repeated"),
            ({"ordering": "password"}, "page.ordering"),
            ({"cursor": "nonsense"}, "page.cursor"),
            ({"page_size": "1001"}, "page.size"),
        ):
            with self.subTest(code):
                assert self.error_of(client.get(self.url(), query), 400) == code

    def test_gives_every_row_as_csv(self: Any) -> None:
        """One header, one line per row of the JSON list."""
        self.make_rows(3)
        response = self.session(self.adam).get(self.url(), {"format": "csv"})
        assert response["Content-Type"].startswith("text/csv"), response
        text = b"".join(response.streaming_content).decode()
        lines = list(csv.DictReader(io.StringIO(text)))
        assert len(lines) == self.listed(page_size=1000)["count"]
        assert "capabilities" not in lines[0]

    def test_needs_as_many_queries_for_many_rows_as_for_few(self: Any) -> None:
        """No query per row."""
        self.make_rows(2)
        few = self._queries()
        self.make_rows(8)
        assert self._queries() == few

    def _queries(self: Any) -> int:
        client = self.session(self.adam)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            client.get(self.url(), {"page_size": 1000})
        return len(captured)
