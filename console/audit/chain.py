"""The hash chain: what of a row is hashed, and how. Pure functions."""

import hashlib
import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from console.audit.models import AuditEvent

GENESIS = "0" * 64
"""`previous_digest` of the first row."""

HASHED_FIELDS = (
    "seq",
    "actor_type",
    "actor_id",
    "actor_name",
    "verb",
    "object_type",
    "object_id",
    "object_name",
    "host_id",
    "host_name",
    "old",
    "new",
    "request_id",
)


def plain(value: Any) -> Any:
    """Return `value` as JSON that both databases give back unchanged.

    PostgreSQL's jsonb refuses NUL and lone surrogates and prints large floats as integers; dates,
    UUIDs and anything else unknown become strings.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {plain(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [plain(item) for item in items]
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return (
        text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\N{REPLACEMENT CHARACTER}")
    )


def digest_of(event: "AuditEvent", previous_digest: str) -> str:
    """Return the digest that `event` must carry when it follows a row with `previous_digest`."""
    content = {name: plain(getattr(event, name)) for name in HASHED_FIELDS}
    content["at"] = f"{event.at:%Y-%m-%dT%H:%M:%S.%fZ}"
    content["previous_digest"] = previous_digest
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
