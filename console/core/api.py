"""Base classes of all API views: who may call, what is listed, how replies are made.

A view declares `verbs` (HTTP method → verb), calls a selector to read and a service to write.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

import structlog
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from console.accounts.actors import Actor, actor_of_request
from console.accounts.policies import can, require
from console.core.csv import CsvRenderer, columns_of, lines, stream_response
from console.core.errors import InvalidInput, NotAuthenticated, NotFound
from console.core.pagination import all_pages, order_of

M = TypeVar("M", bound=Model)

PAGE_PARAMETERS = frozenset({"cursor", "page_size", "ordering", "format"})
"""Query parameters that every list has."""


@extend_schema_field(
    {"type": "object", "additionalProperties": {"type": "boolean"}, "readOnly": True}
)
class CapabilitiesField(serializers.Field[Any, Any, dict[str, bool], Any]):
    """`capabilities = CapabilitiesField("host.retire", …)`: what the asking user may do to it."""

    def __init__(self, *verbs: str, **kwargs: Any) -> None:
        self.verbs = verbs
        super().__init__(source="*", read_only=True, **kwargs)

    def to_representation(self, value: Any) -> dict[str, bool]:
        """Ask the policies for each verb."""
        request = self.context.get("request")
        actor = actor_of_request(request) if request is not None else None
        return {verb: can(actor, verb, value) for verb in self.verbs}


class KeyrackView(GenericAPIView[Any]):
    """A view whose methods each need one verb: `verbs = {"GET": "host.read"}`.

    `inputs` names the serializer of each method's body, `outputs` that of its reply where it is not
    `serializer_class`, `statuses` the reply's status where it is not 200. Behaviour and OpenAPI
    file both follow these declarations. A method without a verb is for everybody logged in.
    """

    verbs: ClassVar[Mapping[str, str]] = {}
    inputs: ClassVar[Mapping[str, type[serializers.Serializer[Any]]]] = {}
    outputs: ClassVar[Mapping[str, Any]] = {}
    statuses: ClassVar[Mapping[str, int]] = {}

    @property
    def actor(self) -> Actor:
        """Who asks. Raise NotAuthenticated when nobody is logged in."""
        actor = actor_of_request(self.request)
        if actor is None:
            raise NotAuthenticated("session.unauthenticated", "Log in first.")
        return actor

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate, then refuse methods whose verb the actor lacks."""
        super().initial(request, *args, **kwargs)
        if (actor := actor_of_request(request)) is not None:
            structlog.contextvars.bind_contextvars(actor=actor.name, actor_type=actor.type.value)
        verb = self.verbs.get("GET" if request.method == "HEAD" else str(request.method))
        if verb is not None:
            require(self.actor, verb)

    def selector(self) -> QuerySet[Any]:
        """Return the rows that this view shows, narrowed to what `self.actor` may see."""
        raise NotImplementedError(f"{type(self).__name__} has no selector")

    def get_queryset(self) -> QuerySet[Any]:
        """Call the selector; the schema generator, with nobody to ask for, needs only the model."""
        if getattr(self, "swagger_fake_view", False):
            model = getattr(getattr(self.get_serializer_class(), "Meta", None), "model", None)
            return model._default_manager.none() if model else self.selector()
        return self.selector()

    def read_input(
        self, serializer: type[serializers.Serializer[Any]] | None = None
    ) -> dict[str, Any]:
        """Return the body validated by `serializer` (default: `inputs` of this method).

        A field that the serializer does not know is refused: a misspelt lifetime must not become
        the default one. Raise DRF's ValidationError, which becomes a 400 with `extra.fields`.
        """
        chosen = serializer or self.inputs[str(self.request.method)]
        data = self.request.data
        checked = chosen(data=data, context=self.get_serializer_context())
        checked.is_valid(raise_exception=True)
        if unknown := sorted(set(data) - set(checked.fields)):
            sentence = f"There is no such field; there are: {', '.join(checked.fields)}."
            raise serializers.ValidationError({name: [sentence] for name in unknown})
        return dict(checked.validated_data)

    def one(self, rows: QuerySet[M], noun: str, pk: Any = None) -> M:
        """Return the row with id `pk` (default: the URL's) or raise NotFound `<noun>.not_found`."""
        wanted = self.kwargs["pk"] if pk is None else pk
        try:
            return rows.get(pk=wanted)
        except (ObjectDoesNotExist, ValidationError, ValueError):
            raise NotFound(f"{noun}.not_found", f"There is no such {noun}.") from None

    def reply(self, obj: Any = None, **context: Any) -> Response:
        """Return `obj` through the method's output serializer, or nothing (204) without one."""
        method = str(self.request.method)
        status = self.statuses.get(method, 200)
        if status == 204:
            return Response(status=status)
        serializer = self.outputs.get(method) or self.get_serializer_class()
        shown = serializer(obj, context={**self.get_serializer_context(), **context})
        return Response(shown.data, status=status)


class ListApi(ListModelMixin, KeyrackView):
    """GET a page of `selector()`: filtered, ordered, paged, or all of it as CSV (`?format=csv`).

    `ordering_fields` maps names of the API to ORM paths; `ordering` is the default, in API names.
    A query parameter that the list does not know, or that is repeated, is refused: a misspelt
    filter must not show everything, nor a second value hide the first.
    """

    ordering_fields: ClassVar[Mapping[str, str]] = {}
    ordering: ClassVar[str] = "-created_at"
    renderer_classes = (JSONRenderer, CsvRenderer)

    def get_renderers(self) -> list[Any]:
        """Offer CSV for reading alone."""
        renderers = super().get_renderers()
        # No request: the OpenAPI file is being written, and KeyrackSchema sorts CSV out itself.
        if getattr(self.request, "method", None) in ("GET", "HEAD", None):
            return list(renderers)
        return [renderer for renderer in renderers if not isinstance(renderer, CsvRenderer)]

    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> HttpResponseBase:
        """List."""
        self._refuse_odd_parameters()
        rows = self.filter_queryset(self.get_queryset())
        if request.accepted_renderer.format == CsvRenderer.format:
            return self._csv(rows)
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    def _csv(self, rows: QuerySet[Any]) -> HttpResponseBase:
        serializer = self.get_serializer()
        order = order_of(self.request, self)
        name = str(rows.model._meta.verbose_name_plural).replace(" ", "_")
        chunks = (self.get_serializer(page, many=True).data for page in all_pages(rows, order))
        return stream_response(self.request._request, lines(columns_of(serializer), chunks), name)

    def _refuse_odd_parameters(self) -> None:
        filterset = getattr(self, "filterset_class", None)
        known = PAGE_PARAMETERS | set(filterset.base_filters if filterset else ())
        unknown = sorted(set(self.request.query_params) - known)
        if unknown:
            raise InvalidInput(
                "filter.unknown",
                f"This list has no parameter {', '.join(unknown)}.",
                extra={"unknown": unknown, "choices": sorted(known)},
            )
        repeated = sorted(name for name, values in self.request.query_params.lists() if values[1:])
        if repeated:
            raise InvalidInput(
                "filter.repeated",
                f"{', '.join(repeated)} is given more than once; put several values into one, "
                "with commas between them.",
                extra={"repeated": repeated},
            )


class DetailApi(KeyrackView):
    """GET one row of `selector()` by the URL's `pk`; `noun` names it in errors."""

    noun: ClassVar[str] = "object"

    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> Response:
        """Show one."""
        return self.reply(self.one(self.get_queryset(), self.noun))
