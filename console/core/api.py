"""Base classes of all API views: who may call, what is listed, how replies are made.

A view declares `verbs` (HTTP method → verb), calls a selector to read and a service to write.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from console.accounts.actors import Actor, actor_of_request
from console.accounts.policies import can, require
from console.core.errors import NotAuthenticated, NotFound

M = TypeVar("M", bound=Model)


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
    """A view whose methods each need one verb. `verbs = {"GET": "host.read"}`."""

    verbs: ClassVar[Mapping[str, str]] = {}

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
        verb = self.verbs.get("GET" if request.method == "HEAD" else str(request.method))
        if verb is not None:
            require(self.actor, verb)

    def selector(self) -> QuerySet[Any]:
        """Return the rows that this view shows, narrowed to what `self.actor` may see."""
        raise NotImplementedError(f"{type(self).__name__} has no selector")

    def get_queryset(self) -> QuerySet[Any]:
        """Call the selector; for schema generation any queryset of the model will do."""
        return self.selector()

    def read_input(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Return the validated body. Raise DRF's ValidationError (400 with `extra.fields`)."""
        checked = serializer(data=self.request.data, context=self.get_serializer_context())
        checked.is_valid(raise_exception=True)
        return dict(checked.validated_data)

    def one(self, rows: QuerySet[M], noun: str, pk: Any = None) -> M:
        """Return the row with id `pk` (default: the URL's) or raise NotFound `<noun>.not_found`."""
        wanted = self.kwargs["pk"] if pk is None else pk
        try:
            return rows.get(pk=wanted)
        except (rows.model.DoesNotExist, ValidationError, ValueError):
            raise NotFound(f"{noun}.not_found", f"There is no such {noun}.") from None

    def reply(self, obj: Any, status: int = 200, **context: Any) -> Response:
        """Return `obj` through the view's serializer."""
        base = self.get_serializer_context() | context
        return Response(self.get_serializer_class()(obj, context=base).data, status=status)


class ListApi(KeyrackView):
    """GET a page of `selector()`: filtered, ordered, paged, or all of it as CSV (`?format=csv`).

    `ordering_fields` maps names of the API to ORM paths; `ordering` is the default, in API names.
    """

    ordering_fields: ClassVar[Mapping[str, str]] = {}
    ordering: ClassVar[str] = "-created_at"

    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> Response:
        """List."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class DetailApi(KeyrackView):
    """GET one row of `selector()` by the URL's `pk`; `noun` names it in errors."""

    noun: ClassVar[str] = "object"

    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> Response:
        """Show one."""
        return self.reply(self.one(self.get_queryset(), self.noun))
