"""Addresses without a domain: liveness, readiness, metrics."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from console.accounts.authentication import api_token_check, bearer_of
from console.core.error_handler import error_response
from console.core.errors import KeyrackError, NotAuthenticated
from console.core.health import checks_run
from console.core.metrics import CONTENT_TYPE, metrics_text
from console.core.net import is_loopback


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Say that this process serves requests; nothing else is looked at."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Say of each part whether it works: 200 when all do, else 503."""
    checks = checks_run()
    is_ready = all(check.is_ok for check in checks)
    body = {
        "status": "ready" if is_ready else "not_ready",
        "checks": {c.name: {"is_ok": c.is_ok, "message": c.message or "ok"} for c in checks},
    }
    return JsonResponse(body, status=200 if is_ready else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Give metrics to Prometheus on this machine, or to the bearer of an API token."""
    try:
        _require_scraper(request)
    except KeyrackError as error:
        return error_response(error)
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE)


def _require_scraper(request: HttpRequest) -> None:
    secret = bearer_of(request.headers.get("Authorization", ""))
    if secret is not None:
        api_token_check(secret)
    elif not is_loopback(request):
        raise NotAuthenticated(
            "metrics.unauthenticated", "Metrics need an API token, except from this machine."
        )
