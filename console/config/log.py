"""Logging of the console: all events, those of libraries too, through one redaction filter."""

import logging
import sys
from typing import Any

import structlog

from console.core.redaction import redact

# django-structlog reports what django.request would say a second time.
_QUIET = {
    "django.request": logging.CRITICAL,
    "axes": logging.ERROR,
    "kombu": logging.ERROR,
    "httpx": logging.WARNING,
}


def redact_event(_logger: Any, _method: str, event: Any) -> Any:
    """Take secrets out of one event, whoever logged it (a structlog processor)."""
    return redact(event)


def configure_logging(*, level: str, as_json: bool) -> None:
    """Send everything from `level` upwards to standard error, as JSON or as text for people."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        structlog.processors.UnicodeDecoder(),
        redact_event,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: Any = structlog.processors.JSONRenderer(default=str)
    if not as_json:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name, least in _QUIET.items():
        logging.getLogger(name).setLevel(least)
