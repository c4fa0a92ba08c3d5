"""Turns every exception into {code, message, extra}: DRF's handler and Django's own error pages."""

from collections.abc import Iterator
from typing import Any

import structlog
from django.core import exceptions as django_errors
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from rest_framework import exceptions as drf
from rest_framework import status as http
from rest_framework.response import Response
from rest_framework.views import set_rollback

from console.core.errors import KeyrackError, error_body

_CODES: dict[type[drf.APIException], str] = {
    drf.ParseError: "request.malformed",
    drf.AuthenticationFailed: "session.unauthenticated",
    drf.NotAuthenticated: "session.unauthenticated",
    drf.PermissionDenied: "permission.denied",
    drf.NotFound: "request.not_found",
    drf.MethodNotAllowed: "request.method_not_allowed",
    drf.NotAcceptable: "request.not_acceptable",
    drf.UnsupportedMediaType: "request.unsupported_media_type",
    drf.Throttled: "request.throttled",
}
_MACHINE_PREFIXES = ("/api/", "/agent/", "/healthz", "/readyz", "/metrics")


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the reply to `error`, or None for one of ours, which Django then logs as a 500."""
    if isinstance(error, KeyrackError):
        set_rollback()
        headers = _headers_of(error)
        body = error_body(error.code, error.message, error.extra)
        return Response(body, status=error.status, headers=headers)
    api_error = _as_api_exception(error)
    if api_error is None:
        return None
    set_rollback()
    return Response(
        _body_of(api_error), status=api_error.status_code, headers=_drf_headers(api_error)
    )


def _as_api_exception(error: Exception) -> drf.APIException | None:
    if isinstance(error, drf.APIException):
        return error
    if isinstance(error, Http404):
        return drf.NotFound()
    if isinstance(error, django_errors.PermissionDenied):
        return drf.PermissionDenied()
    if isinstance(error, django_errors.ValidationError):
        return drf.ValidationError(
            error.message_dict if hasattr(error, "error_dict") else error.messages
        )
    return None


def _body_of(error: drf.APIException) -> dict[str, Any]:
    if isinstance(error, drf.ValidationError):
        return _validation_body(error)
    code = next((_CODES[cls] for cls in type(error).__mro__ if cls in _CODES), "request.failed")
    message = str(error.detail)
    if message.startswith("CSRF Failed"):
        code = "session.csrf"
    wait = _wait_of(error)
    extra = {} if wait is None else {"retry_after_seconds": wait}
    return error_body(code, message, extra)


def _validation_body(error: drf.ValidationError) -> dict[str, Any]:
    fields: dict[str, list[str]] = {}
    for path, sentence in _flatten(error.detail, ""):
        fields.setdefault(path, []).append(sentence)
    general = fields.pop("", [])
    sentences = general + [f"{path}: {text}" for path, texts in fields.items() for text in texts]
    extra: dict[str, Any] = {"fields": fields}
    if general:
        extra["general"] = general
    return error_body("input.invalid", " ".join(sentences) or "The input is not valid.", extra)


def _flatten(detail: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield (`hosts[3].name`, sentence) for each message; path "" concerns the whole input."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            step = "" if key == "non_field_errors" else str(key)
            yield from _flatten(value, ".".join(part for part in (path, step) if part))
    elif isinstance(detail, list):
        for number, value in enumerate(detail):
            nested = isinstance(value, dict | list)
            yield from _flatten(value, f"{path}[{number}]" if nested else path)
    else:
        yield path, str(detail)


def _headers_of(error: KeyrackError) -> dict[str, str]:
    headers = {}
    if error.status == http.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if (wait := error.extra.get("retry_after_seconds")) is not None:
        headers["Retry-After"] = str(wait)
    return headers


def _drf_headers(error: drf.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := _wait_of(error)) is not None:
        headers["Retry-After"] = str(wait)
    return headers


def _wait_of(error: drf.APIException) -> int | None:
    """Return after how many whole seconds a throttled caller may come back."""
    wait = getattr(error, "wait", None)
    return None if wait is None else int(wait) + 1


def error_response(error: KeyrackError) -> HttpResponse:
    """Return the reply to `error` outside of DRF."""
    body = error_body(error.code, error.message, error.extra)
    return JsonResponse(body, status=error.status, headers=_headers_of(error))


def is_machine_path(path: str) -> bool:
    """Return whether programs call `path`, so that even its failures are JSON."""
    return path.startswith(_MACHINE_PREFIXES)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django refuses before a view sees it (400)."""
    return JsonResponse(error_body("request.malformed", "The request is not valid."), status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a request without a valid CSRF token (403)."""
    return JsonResponse(error_body("session.csrf", f"CSRF failed: {reason}"), status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that does not exist (404)."""
    if is_machine_path(request.path):
        body = error_body("request.not_found", f"There is nothing at {request.path}.")
        return JsonResponse(body, status=404)
    return HttpResponseNotFound("Not found.\n", content_type="text/plain; charset=utf-8")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer when we failed (500); the log holds the same request id."""
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    message = "The console failed at this. Its log says why, under this request id."
    body = error_body("console.failed", message, {"request_id": str(request_id)})
    return JsonResponse(body, status=500)
