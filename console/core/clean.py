"""Makes what an agent sent storable: both databases refuse some of what JSON can carry. Pure."""

import math
from typing import Any

MAX_TEXT = 20_000
"""Characters of one text; more than any real label, message or certificate name needs."""

MAX_INDEXED_TEXT = 500
"""Characters of a text that an index holds (PostgreSQL: at most 2,704 bytes per entry)."""

MAX_DEPTH = 50
"""Levels of nesting; facts have nine, and readers give up somewhere beyond a few hundred."""

_MAX_INTEGER = 2**63 - 1


def clean(value: Any, depth: int = 0) -> Any:
    """Return `value` with what PostgreSQL's jsonb and 64-bit columns cannot hold replaced.

    NUL and lone surrogates become U+FFFD, numbers beyond 64 bits the nearest that fits, NaN and
    infinities None; texts are cut at MAX_TEXT and nesting at MAX_DEPTH. The rest comes back as it
    was.
    """
    if isinstance(value, str):
        return clean_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return max(-_MAX_INTEGER, min(value, _MAX_INTEGER))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth >= MAX_DEPTH:
        return None
    if isinstance(value, dict):
        return {clean_text(str(key)): clean(item, depth + 1) for key, item in value.items()}
    return [clean(item, depth + 1) for item in value]


def clean_text(text: str, limit: int = MAX_TEXT) -> str:
    """Return `text` without NUL and lone surrogates, at most `limit` characters long."""
    if not text.isascii() or "\0" in text:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return text if len(text) <= limit else text[: limit - 1] + "…"
