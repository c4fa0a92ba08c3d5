"""URLs of core under /api/v1/: the event stream, the OpenAPI file and its browsable form."""

from csp.decorators import csp_update
from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from console.core.event_stream import events

# Swagger UI sets style attributes and inline styles; its scripts come from files of ours alone.
_docs = csp_update({"style-src": ["'unsafe-inline'"]})(
    SpectacularSwaggerSplitView.as_view(url_name="schema", title="Keyrack API")
)

urlpatterns = [
    path("events/", events, name="events"),
    path("schema/", SpectacularJSONAPIView.as_view(), name="schema"),
    path("docs/", _docs, name="docs"),
]
