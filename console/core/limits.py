"""How large a request may be, decided before its body is read."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from console.core.errors import error_body

_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class BodyLimitMiddleware:
    """Refuses bodies that are too large (413) or of unknown size (411); agents may send more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer at once, or pass the request on."""
        if request.method in _WITH_BODY and (refusal := _refusal(request)) is not None:
            return refusal
        return self.get_response(request)


def _refusal(request: HttpRequest) -> HttpResponse | None:
    length = request.headers.get("Content-Length", "")
    if not length.isdecimal():
        if "chunked" not in request.headers.get("Transfer-Encoding", "").lower():
            return None
        body = error_body("request.length_required", "Send Content-Length with the body.")
        return JsonResponse(body, status=411)
    is_agent = request.path.startswith("/agent/")
    limit = settings.MAX_AGENT_BODY_BYTES if is_agent else settings.MAX_BODY_BYTES
    if int(length) <= limit:
        return None
    code = "wire.too_large" if is_agent else "request.too_large"
    message = f"The body has {length} bytes; {limit} are accepted."
    return JsonResponse(error_body(code, message, {"limit_bytes": limit}), status=413)
