"""The console's URLs, and `/bench/empty/`: all middleware, no work."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from console.config.urls import handler400, handler404, handler500
from console.config.urls import urlpatterns as console_patterns

__all__ = ["handler400", "handler404", "handler500", "urlpatterns"]


@csrf_exempt
def empty(_request: HttpRequest) -> HttpResponse:
    """Answer nothing."""
    return HttpResponse(b"{}", content_type="application/json")


urlpatterns = [path("agent/bench/empty/", empty), *console_patterns]
