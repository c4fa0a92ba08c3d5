"""Keyset paging beyond what every list endpoint's own tests show."""

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from console.accounts.models import User
from console.core.errors import InvalidInput
from console.core.pagination import Cursor, KeysetPagination, Order, all_pages

pytestmark = pytest.mark.django_db


class View:
    """As much of a list view as paging looks at."""

    ordering = "-last_login"
    ordering_fields = {"last_login": "last_login", "name": "username"}


def page(**query: Any) -> dict[str, Any]:
    """Return one page of users by name."""
    pagination = KeysetPagination()
    request = Request(APIRequestFactory().get("/", query))
    rows = pagination.paginate_queryset(User.objects.all(), request, View())
    reply = pagination.get_paginated_response([row.username for row in rows]).data
    assert isinstance(reply, dict)
    return reply


def make(*names: str, logged_in: str = "") -> None:
    """Make users; those in `logged_in` logged in at different times."""
    for number, name in enumerate(names):
        at = timezone.now() - timedelta(days=number) if name in logged_in else None
        User.objects.create(username=name, last_login=at)


@pytest.mark.parametrize("ordering", ["last_login", "-last_login"])
def test_rows_without_a_value_come_last_in_either_direction(ordering: str) -> None:
    """And are paged like others."""
    make("a", "b", "c", "d", "e", logged_in="ce")
    seen, cursor = [], ""
    while cursor is not None:
        reply = page(ordering=ordering, page_size=2, cursor=cursor)
        seen += reply["results"]
        cursor = reply["next"]
    assert set(seen[:2]) == {"c", "e"}
    assert sorted(seen[2:]) == ["a", "b", "d"]


def test_rows_added_before_the_place_neither_repeat_nor_hide_others() -> None:
    """What page numbers get wrong."""
    make("b", "d", "f", "h")
    first = page(ordering="name", page_size=2)
    make("a", "c")
    second = page(ordering="name", page_size=2, cursor=first["next"])
    assert first["results"] + second["results"] == ["b", "d", "f", "h"]
    assert second["count"] == 6


def test_the_first_page_has_nothing_before_it_and_the_last_nothing_after() -> None:
    """Also when one gets there backwards."""
    make("a", "b", "c")
    first = page(ordering="name", page_size=2)
    last = page(ordering="name", page_size=2, cursor=first["next"])
    back = page(ordering="name", page_size=2, cursor=last["previous"])
    assert (first["previous"], last["next"], back["previous"]) == (None, None, None)
    assert back["results"] == first["results"]
    assert back["next"] == first["next"]


def test_a_cursor_of_another_ordering_is_refused() -> None:
    """It would point nowhere."""
    make("a", "b", "c")
    cursor = page(ordering="name", page_size=1)["next"]
    with pytest.raises(InvalidInput, match="another ordering"):
        page(ordering="-name", page_size=1, cursor=cursor)


@pytest.mark.parametrize(
    "parts",
    [
        ["name", {"a": 1}, "x", False],
        ["name", "a", None, False],
        ["name", "a", "not-a-uuid", False],
        ["last_login", "not-a-time", "01890000-0000-7000-8000-000000000000", False],
        ["name", float("nan"), "01890000-0000-7000-8000-000000000000", False],
        "text",
        [],
    ],
)
def test_a_cursor_that_was_tampered_with_is_refused(parts: Any) -> None:
    """400, never a 500 and never somebody else's rows."""
    make("a")
    text = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")
    ordering = parts[0] if isinstance(parts, list) and parts else "name"
    with pytest.raises(InvalidInput) as caught:
        page(ordering=ordering, cursor=text)
    assert caught.value.code == "page.cursor"


def test_times_survive_a_cursor_to_the_microsecond() -> None:
    """Otherwise rows of the same millisecond would repeat."""
    at = timezone.now().replace(microsecond=123456)
    assert "123456" in str(Cursor.decode(Cursor("x", at, 1).encode()).value)


def test_an_export_walks_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each read by a query of its own."""
    monkeypatch.setattr("console.core.pagination.EXPORT_PAGE_SIZE", 2)
    make("a", "b", "c", "d", "e")
    pages = list(all_pages(User.objects.all(), Order("name", "username", False)))
    assert [[row.username for row in rows] for rows in pages] == [["a", "b"], ["c", "d"], ["e"]]
