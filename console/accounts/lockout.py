"""Throttled logins: what django-axes asks us and what it answers in our error shape."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from console.core.errors import error_body
from console.core.net import client_address


def client_ip(request: HttpRequest) -> str:
    """Return the address that failed logins are counted against."""
    return client_address(request)


def lockout_response(request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
    """Answer a login that is refused without looking at the password (429)."""
    wait = int(settings.AXES_COOLOFF_TIME.total_seconds())
    message = f"Too many failed logins. Wait {wait // 60} minutes, then try again."
    body = error_body("session.throttled", message, {"retry_after_seconds": wait})
    return JsonResponse(body, status=429, headers={"Retry-After": str(wait)})
