"""CSV: cells that spreadsheets do not run, columns that do not depend on the data."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from rest_framework import serializers

from console.core.csv import cell, columns_of, lines, stream_response


class Inner(serializers.Serializer[Any]):
    """Nested."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class Row(serializers.Serializer[Any]):
    """A row with everything."""

    host = Inner()
    labels = serializers.DictField()
    secret = serializers.CharField(write_only=True)
    capabilities = serializers.DictField()
    count = serializers.IntegerField()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (-5, "-5"),
        (2.5, "2.5"),
        ("plain", "plain"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        (["a", "b"], "a; b"),
        (["=a", "b"], "'=a; b"),
        ({"b": 1, "a": None}, '{"a": null, "b": 1}'),
        ([{"a": 1}], '[{"a": 1}]'),
    ],
)
def test_a_cell_is_text_that_no_spreadsheet_runs(value: Any, text: str) -> None:
    """Numbers stay numbers, also negative ones."""
    assert cell(value) == text


def test_columns_follow_the_serializer() -> None:
    """Nested ones are flattened, secrets and capabilities left out."""
    columns = columns_of(Row())
    assert columns == [("host", "id"), ("host", "name"), ("labels",), ("count",)]


def test_a_missing_nested_object_leaves_its_cells_empty() -> None:
    """The line keeps its length."""
    chunks = [[{"host": None, "labels": {}, "count": 1}]]
    text = b"".join(lines(columns_of(Row()), chunks)).decode()
    assert text == "host.id,host.name,labels,count\r\n,,{},1\r\n"


def test_under_asgi_pieces_are_read_one_by_one(rf: Any, async_rf: Any) -> None:
    """Neither the whole in memory nor the database in the event loop."""
    pieces = iter([b"a", b"b"])
    response = stream_response(async_rf.get("/"), pieces, "x")
    assert response.is_async

    async def read(content: AsyncIterator[bytes]) -> list[bytes]:
        return [piece async for piece in content]

    assert asyncio.run(read(response.streaming_content)) == [b"a", b"b"]
    assert response["Content-Disposition"] == 'attachment; filename="x.csv"'
    plain = stream_response(rf.get("/"), iter([b"a"]), "x")
    assert list(plain.streaming_content) == [b"a"]
