"""How views become OpenAPI: inputs, outputs and errors come from what each view declares."""

import copy
import importlib
import importlib.util
import inspect
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db.models import Choices
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from console.core.api import KeyrackView
from console.core.csv import CsvRenderer
from console.core.events import TOPIC_VERBS


class Error(serializers.Serializer[Any]):
    """Every error: `code` for programs, `message` for people, `extra` with what belongs to it."""

    code = serializers.CharField(help_text="Dotted and stable, such as `input.invalid`.")
    message = serializers.CharField(help_text="A sentence: what happened and what to do next.")
    extra = serializers.DictField(
        help_text="Details, such as `fields` (path → sentences) or `request_id`."
    )


_MEANINGS = {
    400: "The input is not valid.",
    401: "Nobody is logged in, or the token is not valid.",
    403: "The actor may not do this.",
    404: "There is no such object for this actor.",
    409: "The object's state does not allow this now.",
}


class KeyrackSchema(AutoSchema):
    """Reads `inputs`, `outputs` and `statuses` of KeyrackView and adds the errors."""

    def get_request_serializer(self) -> Any:
        """Return the serializer of the body, if this method takes one."""
        if isinstance(self.view, KeyrackView):
            return self.view.inputs.get(self.method)
        return super().get_request_serializer()

    def get_response_serializers(self) -> Any:
        """Return the serializer of the reply under its status."""
        if not isinstance(self.view, KeyrackView):
            return super().get_response_serializers()
        status = self.view.statuses.get(self.method, 200)
        if status == 204:
            return {204: None}
        if self.method in self.view.outputs:
            return {status: self.view.outputs[self.method]}
        serializer = super().get_response_serializers()
        return serializer if status == 200 else {status: serializer}

    # The base has no types of its own; its stub differs.
    def get_description(self) -> str:  # type: ignore[override]
        """Describe an inherited list or detail view by its own class, not by the base's method."""
        method = getattr(self.view, str(self.method).lower(), None)
        if getattr(method, "__qualname__", "") in {"ListApi.get", "DetailApi.get"}:
            return inspect.getdoc(type(self.view)) or ""
        return super().get_description()

    def map_renderers(self, attribute: str) -> list[Any]:
        """Offer CSV where a list is read and nowhere else."""
        found: list[Any] = super().map_renderers(attribute)
        if self._is_list_view():
            return found
        return [item for item in found if item not in (CsvRenderer.format, CsvRenderer.media_type)]

    def get_paginated_name(self, serializer_name: str) -> str:
        """Name the component of a page: HostOutput → HostPage."""
        return f"{serializer_name.removesuffix('Output')}Page"

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        """Say that replies hold every field: a model's default spares only who writes."""
        # Untyped in the base.
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        is_reply = isinstance(serializer, serializers.ModelSerializer) or (
            inspect.isclass(serializer) and issubclass(serializer, serializers.ModelSerializer)
        )
        if is_reply and direction == "response":
            schema["required"] = sorted(schema["properties"])
        return schema

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for body in bodies.values():
            if CsvRenderer.media_type in (content := body.get("content", {})):
                content[CsvRenderer.media_type] = {"schema": {"type": "string"}}
        for status in self._error_statuses():
            if str(status) not in bodies:
                bodies[str(status)] = self._error_response(status)
        return dict(sorted(bodies.items()))

    def _error_statuses(self) -> list[int]:
        statuses = [401, 403] if self.get_auth() else []
        if self.method != "GET" or self._is_list_view():
            statuses.append(400)
        if "{" in self.path:
            statuses.append(404)
        if self.method != "GET":
            statuses.append(409)
        return statuses

    def _error_response(self, status: int) -> dict[str, Any]:
        component = self.resolve_serializer(Error, "response")
        content = {"application/json": {"schema": component.ref}}
        return {"description": _MEANINGS[status], "content": content}


def enum_names_collect() -> None:
    """Give every enum of the console's `enums` modules its class name as OpenAPI component name."""
    names: dict[str, str] = settings.SPECTACULAR_SETTINGS.setdefault("ENUM_NAME_OVERRIDES", {})
    for config in apps.get_app_configs():
        if not config.name.startswith("console."):
            continue
        module_name = f"{config.name}.enums"
        if importlib.util.find_spec(module_name) is None:
            continue
        module = importlib.import_module(module_name)
        for name, member in inspect.getmembers(module, inspect.isclass):
            if issubclass(member, Choices) and member.__module__ == module_name:
                names[name] = f"{module_name}.{name}"


def public_only(endpoints: list[Any], **_kwargs: Any) -> list[Any]:
    """Keep the public API in the OpenAPI file (a drf-spectacular preprocessing hook)."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith("/api/v1/")]


EVENTS_PATH: dict[str, Any] = {
    "/api/v1/events/": {
        "get": {
            "operationId": "events_stream",
            "description": (
                "Server-sent events. The data of a message is `{topic, id, rev}`: an object"
                " changed, not how. Send `Last-Event-ID` to resume; a message `reset` says that"
                " something was missed and everything has to be read again."
            ),
            "tags": ["events"],
            "security": [{"apiToken": []}, {"cookieAuth": []}],
            "parameters": [
                {
                    "name": "topics",
                    "in": "query",
                    "description": "Topics, separated by commas; all that one may hear by default.",
                    "schema": {
                        "type": "array",
                        "items": {"type": "string", "enum": sorted(TOPIC_VERBS)},
                    },
                    "explode": False,
                    "style": "form",
                },
                {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}},
            ],
            "responses": {
                "200": {
                    "description": "The stream.",
                    "content": {"text/event-stream": {"schema": {"type": "string"}}},
                },
            },
        }
    }
}
"""The event stream is no DRF view, so its description stands here."""


def events_append(result: dict[str, Any], generator: Any, **_kwargs: Any) -> dict[str, Any]:
    """Add the event stream to the OpenAPI file (a drf-spectacular postprocessing hook)."""
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    path = copy.deepcopy(EVENTS_PATH)
    responses = path["/api/v1/events/"]["get"]["responses"]
    for status in (400, 401, 403):
        responses[str(status)] = {"description": _MEANINGS[status], "content": error}
    responses["503"] = {"description": "The event bus does not answer.", "content": error}
    result["paths"] = dict(sorted({**result["paths"], **path}.items()))
    return result
