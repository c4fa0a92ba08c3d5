"""Any list as CSV: all its rows, streamed, safe to open in a spreadsheet."""

import csv
import io
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from rest_framework.renderers import BaseRenderer
from rest_framework.serializers import BaseSerializer, Serializer

CONTENT_TYPE = "text/csv; charset=utf-8"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_SKIPPED = frozenset({"capabilities"})


class CsvRenderer(BaseRenderer):
    """Lets a list be asked for with `?format=csv` or `Accept: text/csv`; ListApi streams it.

    Only errors reach `render`, and those stay JSON.
    """

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Write an error's body."""
        if renderer_context:
            renderer_context["response"]["Content-Type"] = "application/json"
        return json.dumps(data, default=str).encode()


def columns_of(serializer: BaseSerializer[Any]) -> list[tuple[str, ...]]:
    """Return the column paths of `serializer`, in its order; nested ones are flattened."""
    if not isinstance(serializer, Serializer):
        return [("value",)]
    columns: list[tuple[str, ...]] = []
    for name, field in serializer.fields.items():
        if name in _SKIPPED or field.write_only:
            continue
        if isinstance(field, Serializer):
            columns += [(name, *rest) for rest in columns_of(field)]
        else:
            columns.append((name,))
    return columns


def cell(value: Any) -> str:
    """Return the text of one cell. Text that a spreadsheet would take for a formula gets a `'`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        value = "; ".join(str(item) for item in value)
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def lines(columns: list[tuple[str, ...]], chunks: Iterable[list[Any]]) -> Iterator[bytes]:
    """Yield the header and then one piece of text for each chunk of serialised rows (RFC 4180)."""
    yield _write([[".".join(path) for path in columns]])
    for chunk in chunks:
        yield _write([[cell(_dig(row, path)) for path in columns] for row in chunk])


def stream_response(
    request: HttpRequest, pieces: Iterator[bytes], name: str
) -> StreamingHttpResponse:
    """Return a streaming download named `<name>.csv`, fitting the server (ASGI or WSGI)."""
    is_async = isinstance(request, ASGIRequest)
    response = StreamingHttpResponse(
        _in_threads(pieces) if is_async else pieces, content_type=CONTENT_TYPE
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "no-store"
    return response


async def _in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Read the next piece in Django's thread for synchronous code, never in the event loop."""
    end = b""
    while piece := await sync_to_async(lambda: next(pieces, end))():
        yield piece


def _write(rows: list[list[str]]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue().encode()


def _dig(row: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        if row is None:
            return None
        row = row.get(step)
    return row
