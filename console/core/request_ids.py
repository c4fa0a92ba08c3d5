"""Every reply carries the request id under which the log speaks of it: X-Request-ID."""

from typing import Any

import structlog
from django.http import HttpResponse
from django_structlog.signals import bind_extra_request_finished_metadata, update_failure_response

HEADER = "X-Request-ID"


def current_request_id() -> str:
    """Return the id of the request being served, "" outside of one."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def connect() -> None:
    """Have django-structlog tell us of each reply."""
    bind_extra_request_finished_metadata.connect(_add_header, dispatch_uid="keyrack.request_id")
    update_failure_response.connect(_add_header, dispatch_uid="keyrack.request_id")


def _add_header(response: HttpResponse, **_kwargs: Any) -> None:
    response[HEADER] = current_request_id()
