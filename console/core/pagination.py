"""Keyset paging: a page begins after a row, not after a number of rows, so it never skips one."""

import base64
import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import F, Field, Q, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from console.core.errors import InvalidInput

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 1000
EXPORT_PAGE_SIZE = 500
_VALUE = "_keyset_value"


@dataclass(frozen=True, slots=True)
class Order:
    """An ordering: its name in the API, the ORM path behind it, direction; ties go by id."""

    name: str
    path: str
    is_descending: bool

    def apply(self, rows: QuerySet[Any], *, backwards: bool = False) -> QuerySet[Any]:
        """Return `rows` ordered; rows without a value come last whichever the direction."""
        descending = self.is_descending != backwards
        by = F(self.path)
        nulls = {"nulls_first": True} if backwards else {"nulls_last": True}
        options = nulls if _is_nullable(rows, self.path) else {}
        first = by.desc(**options) if descending else by.asc(**options)
        tie = F("pk").desc() if descending else F("pk").asc()
        ordered: QuerySet[Any] = rows.annotate(**{_VALUE: by}).order_by(first, tie)
        return ordered

    def after(self, rows: QuerySet[Any], cursor: "Cursor") -> QuerySet[Any]:
        """Return the rows beyond `cursor` in its direction (not yet ordered)."""
        step = "lt" if self.is_descending != cursor.is_backwards else "gt"
        tie = Q(**{f"pk__{step}": cursor.pk})
        if cursor.value is None:
            same = Q(**{f"{self.path}__isnull": True}) & tie
            beyond = Q(**{f"{self.path}__isnull": False}) if cursor.is_backwards else Q(pk__in=[])
            return rows.filter(same | beyond)
        beyond = Q(**{f"{self.path}__{step}": cursor.value})
        if not cursor.is_backwards and _is_nullable(rows, self.path):
            beyond |= Q(**{f"{self.path}__isnull": True})
        return rows.filter(beyond | (Q(**{self.path: cursor.value}) & tie))


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in an ordered list: after (or, backwards, before) the row (value, pk)."""

    ordering: str
    value: Any
    pk: Any
    is_backwards: bool = False

    def encode(self) -> str:
        """Return the opaque text that stands for this place."""
        parts = [self.ordering, self.value, self.pk, self.is_backwards]
        body = json.dumps(parts, separators=(",", ":"), default=_plain)
        return base64.urlsafe_b64encode(body.encode()).rstrip(b"=").decode("ascii")

    @classmethod
    def decode(cls, text: str) -> "Cursor":
        """Return the place that `text` stands for. Raise InvalidInput for anything else."""
        try:
            padded = text + "=" * (-len(text) % 4)
            ordering, value, pk, backwards = json.loads(base64.urlsafe_b64decode(padded))
        except (ValueError, TypeError, binascii.Error):
            raise _bad_cursor() from None
        scalar = str | int | float | None
        if not isinstance(ordering, str) or not isinstance(value, scalar) or value != value:
            raise _bad_cursor()
        if not isinstance(pk, str | int) or not isinstance(backwards, bool):
            raise _bad_cursor()
        return cls(ordering, value, pk, backwards)


class KeysetPagination(BasePagination):
    """`?cursor=&page_size=&ordering=` → {next, previous, count, results}; cursors are opaque."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """Return one page as a list. Raise InvalidInput for a bad cursor, size or ordering."""
        order = order_of(request, view)
        size = _page_size(request)
        text = request.query_params.get("cursor", "")
        cursor = Cursor.decode(text) if text else None
        if cursor is not None and cursor.ordering != order.name:
            raise InvalidInput(
                "page.cursor", "This cursor belongs to another ordering; start without a cursor."
            )
        self.count = queryset.order_by().count()
        rows, has_more = read_page(queryset, order, cursor, size)
        self._set_cursors(order, cursor, rows, has_more)
        return rows

    def _set_cursors(
        self, order: Order, cursor: Cursor | None, rows: list[Any], has_more: bool
    ) -> None:
        backwards = cursor is not None and cursor.is_backwards
        has_next = bool(rows) and (backwards or has_more)
        has_previous = bool(rows) and (has_more if backwards else cursor is not None)
        self.next = place_of(order, rows[-1]).encode() if has_next else None
        self.previous = place_of(order, rows[0], backwards=True).encode() if has_previous else None

    def get_paginated_response(self, data: Any) -> Response:
        """Wrap a page."""
        return Response(
            {
                "next": self.next,
                "previous": self.previous,
                "count": self.count,
                "results": data,
            }
        )

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a wrapped page for OpenAPI."""
        cursor = {"type": ["string", "null"], "description": "Pass as `cursor`."}
        return {
            "type": "object",
            "required": ["next", "previous", "count", "results"],
            "properties": {
                "next": cursor,
                "previous": cursor,
                "count": {"type": "integer", "description": "Rows in the whole list."},
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the query parameters for OpenAPI."""
        names = [sign + name for name in ordering_names(view) for sign in ("", "-")]
        return [
            _parameter(
                "cursor", {"type": "string"}, "Where the page begins: `next` or `previous`."
            ),
            _parameter(
                "page_size",
                {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_PAGE_SIZE,
                    "default": DEFAULT_PAGE_SIZE,
                },
                "Rows per page.",
            ),
            _parameter(
                "ordering",
                {"type": "string", "enum": names, "default": view.ordering},
                "Field to order by; with a minus sign, descending.",
            ),
        ]


def read_page(
    rows: QuerySet[Any], order: Order, cursor: Cursor | None, size: int
) -> tuple[list[Any], bool]:
    """Return the page after `cursor`, in list order, and whether more rows lie beyond it.

    Raise InvalidInput when the cursor's values do not fit the field.
    """
    backwards = cursor is not None and cursor.is_backwards
    try:
        if cursor is not None:
            rows = order.after(rows, cursor)
        page = list(order.apply(rows, backwards=backwards)[: size + 1])
    except (ValueError, TypeError, OverflowError, ValidationError):
        raise _bad_cursor() from None
    has_more = len(page) > size
    page = page[:size]
    return (page[::-1] if backwards else page), has_more


def all_pages(rows: QuerySet[Any], order: Order) -> Iterator[list[Any]]:
    """Yield all of `rows` in pages, each read by a query of its own (no open cursor to lose)."""
    cursor: Cursor | None = None
    has_more = True
    while has_more:
        page, has_more = read_page(rows, order, cursor, EXPORT_PAGE_SIZE)
        if page:
            yield page
            cursor = place_of(order, page[-1])


def place_of(order: Order, row: Any, *, backwards: bool = False) -> Cursor:
    """Return the cursor at `row`, which a queryset from `Order.apply` gave."""
    return Cursor(order.name, getattr(row, _VALUE), row.pk, backwards)


def order_of(request: Request, view: Any) -> Order:
    """Return the ordering asked for, or the view's own. Raise InvalidInput when it has no such."""
    asked = request.query_params.get("ordering") or view.ordering
    field = asked.removeprefix("-")
    names = ordering_names(view)
    if field not in names:
        raise InvalidInput(
            "page.ordering",
            f"Cannot order by {field!r}; choose one of {', '.join(names)}.",
            extra={"choices": names},
        )
    return Order(asked, view.ordering_fields.get(field, field), asked.startswith("-"))


def ordering_names(view: Any) -> list[str]:
    """Return the fields a list can be ordered by, as the API names them."""
    return sorted({*view.ordering_fields, view.ordering.removeprefix("-")})


def _page_size(request: Request) -> int:
    text = request.query_params.get("page_size", "")
    try:
        size = int(text) if text else DEFAULT_PAGE_SIZE
    except ValueError:
        size = 0
    if not 1 <= size <= MAX_PAGE_SIZE:
        raise InvalidInput("page.size", f"page_size is a number from 1 to {MAX_PAGE_SIZE}.")
    return size


def _is_nullable(rows: QuerySet[Any], path: str) -> bool:
    """Whether a row may have no value there; unknown (annotations, joins) counts as yes."""
    if path == "pk":
        return False
    try:
        field = rows.model._meta.get_field(path)
    except FieldDoesNotExist:
        return True
    return field.null if isinstance(field, Field) else True


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _bad_cursor() -> InvalidInput:
    return InvalidInput("page.cursor", "This is no cursor of this list; start without a cursor.")


def _parameter(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, "description": description}
