"""Reads JSON bodies: what cannot be read, stored or sent back again is refused with a sentence."""

import re
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, which PostgreSQL cannot store, and halves of surrogate pairs, which UTF-8 cannot spell."""


class JsonParser(JSONParser):
    """DRF's parser, with an answer to bodies that are nested too deeply and to unusable names.

    Values are the serializers' business, who name the field; names of an object are nobody's.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the body. Raises ParseError."""
        try:
            data = super().parse(stream, media_type, parser_context)
            unusable = _unusable_name(data)
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        if unusable:
            raise ParseError("A name in the JSON holds a character that cannot be stored.")
        return data


def _unusable_name(data: Any) -> bool:
    if isinstance(data, dict):
        return any(_UNSTORABLE.search(name) or _unusable_name(data[name]) for name in data)
    return isinstance(data, list) and any(map(_unusable_name, data))
