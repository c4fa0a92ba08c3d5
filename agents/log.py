"""Structured logging: named events with fields, one line each, and one filter for secrets.

An event is `log_event(logger, "job.claimed", work=…)`; no sentence is built at the call.
"""

import logging
import re
import sys
import traceback
from typing import Any

_SHOWN = "[hidden]"
_MIN_SECRET_LENGTH = 6
_PATTERNS = (
    re.compile(r"\b(kr[aek]_)[A-Za-z0-9_\-]{4,}"),
    re.compile(r"(://[^:/@\s]*:)[^@/\s]+(?=@)"),
    re.compile(r"(?i)(\bauthorization['\"]?\s*[:=]\s*['\"]?(?:bearer\s+)?)[^\s'\",]+"),
    re.compile(
        r"(?i)(\b(?:user_?|so_?)?pin(?:-value)?['\"]?\s*[:=]\s*['\"]?)(?!sha256)[^\s'\",&]+"
    ),
    re.compile(
        r"(?i)(\b(?:password|passwd|secret|credential|token)['\"]?\s*=\s*['\"]?)[^\s'\",&]+"
    ),
)
_secrets: set[str] = set()


def register_secret(value: str) -> None:
    """Never let this very value reach a log (credential, enrolment token, broker password)."""
    if len(value) >= _MIN_SECRET_LENGTH:
        _secrets.add(value)


def redact(text: str) -> str:
    """Return `text` with registered secrets, and whatever looks like one, replaced."""
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, _SHOWN)
    for pattern in _PATTERNS:
        text = pattern.sub(lambda match: f"{match.group(1)}{_SHOWN}", text)
    return text


def log_event(
    logger: logging.Logger, event: str, /, level: int = logging.INFO, **fields: Any
) -> None:
    """Log the event `event` (dotted, noun first) with its fields."""
    logger.log(level, event, extra={"fields": fields})


class EventFormatter(logging.Formatter):
    """`time LEVEL event key=value …`, secrets replaced, an exception on the same line's end."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line; a line break inside a value is written as \\n."""
        stamp = self.formatTime(record, "%Y-%m-%dT%H:%M:%S")
        fields: dict[str, Any] = getattr(record, "fields", {})
        parts = [f"{stamp}.{int(record.msecs):03d}", record.levelname, record.getMessage()]
        parts += [f"{name}={_quoted(value)}" for name, value in fields.items()]
        if record.exc_info and record.exc_info[1] is not None:
            trace = "".join(traceback.format_exception(record.exc_info[1]))
            parts.append(f"exception={_quoted(trace)}")
        return redact(" ".join(parts)).replace("\n", "\\n")


def configure_logging(level: str) -> None:
    """Send all logging to stderr in this format; libraries only from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(EventFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("agents").setLevel(level.upper())


def _quoted(value: Any) -> str:
    text = str(value)
    if text and not re.search(r'[\s"=]', text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
