"""All URLs: /api/v1 for people and automation, /agent for agents, the rest is the dashboard."""

from django.urls import include, path, re_path

from console.core import views
from console.core.dashboard import dashboard

API_V1 = [
    path("", include("console.core.urls")),
    path("", include("console.accounts.api.urls")),
    path("", include("console.audit.api.urls")),
    path("", include("console.fleet.api.urls")),
    path("", include("console.inventory.api.urls")),
    path("", include("console.jobs.api.urls")),
    path("", include("console.changes.api.urls")),
    path("", include("console.advice.api.urls")),
    path("", include("console.overview.api.urls")),
]

urlpatterns = [
    path("api/v1/", include(API_V1)),
    path("agent/", include("console.agentapi.urls")),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
    # Everything that is not for programs is a page of the dashboard.
    re_path(r"^(?!api/|agent/|static/|assets/|healthz|readyz|metrics).*$", dashboard),
]

handler400 = "console.core.error_handler.bad_request"
handler404 = "console.core.error_handler.not_found"
handler500 = "console.core.error_handler.server_error"
