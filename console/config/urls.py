"""All URLs of the console: /api/v1 for people and automation, /agent for agents, the rest is the SPA."""

from django.urls import include, path

API_V1 = [
    path("", include("console.accounts.api.urls")),
    path("", include("console.audit.api.urls")),
    path("", include("console.fleet.api.urls")),
    path("", include("console.inventory.api.urls")),
    path("", include("console.jobs.api.urls")),
    path("", include("console.advice.api.urls")),
]

urlpatterns = [
    path("api/v1/", include(API_V1)),
    path("agent/", include("console.agentapi.urls")),
]
