"""The one filter that keeps secrets out of logs and the audit: by name and by shape."""

import re
from typing import Any

REDACTED = "[redacted]"

_SECRET_NAME = re.compile(
    r"(^|[_-])(password|passwd|secret|secret[_-]key|pin|so[_-]pin|pin[_-]value|authorization|cookie"
    r"|credential|private[_-]key|csrfmiddlewaretoken)$",
    re.IGNORECASE,
)
_SHAPES = (
    # Our own credentials: API tokens, enrolment tokens, agents' credentials.
    (re.compile(r"\b(kr[kea]_)[A-Za-z0-9_-]{8,}"), rf"\1{REDACTED}"),
    # A password inside a URL: redis://user:password@host.
    (re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]*:)[^\s/@]+@", re.IGNORECASE), rf"\1{REDACTED}@"),
    # The PIN attribute of a PKCS#11 URI (RFC 7512 section 2.4).
    (re.compile(r"(\bpin-value=)[^&\s;]+", re.IGNORECASE), rf"\1{REDACTED}"),
    (re.compile(r"(\bBearer\s+)[^\s\"']{8,}", re.IGNORECASE), rf"\1{REDACTED}"),
)


def redact(value: Any) -> Any:
    """Return `value` without secrets; containers are copied, other things kept as they are."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        return {key: _redact_item(key, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return (
            type(value)(redact(item) for item in value) if type(value) in (list, tuple) else value
        )
    return value


def redact_text(text: str) -> str:
    """Return `text` with everything masked that looks like a secret."""
    for shape, replacement in _SHAPES:
        text = shape.sub(replacement, text)
    return text


def _redact_item(key: Any, item: Any) -> Any:
    if isinstance(key, str) and _SECRET_NAME.search(key) and item not in (None, "", False, True):
        return REDACTED
    return redact(item)
