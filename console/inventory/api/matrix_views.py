"""The assignment matrix of a host, and the metaslots of the fleet."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import KeyrackView, ListApi
from console.fleet.models import Host
from console.fleet.selectors import host_list
from console.inventory.api.filters import MetaslotFilter
from console.inventory.api.matrix_serializers import MatrixOutput, MetaslotOutput
from console.inventory.matrix import matrix_of
from console.inventory.selectors import metaslot_list


class HostMatrixApi(KeyrackView):
    """Which domain has which units."""

    verbs = {"GET": "inventory.read"}
    serializer_class = MatrixOutput

    def selector(self) -> QuerySet[Host]:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)

    def get(self, _request: Request, pk: Any) -> Response:
        """Show the host's domains and assignable units, and who could have which."""
        host: Host = self.one(self.get_queryset(), "host")
        return self.reply(matrix_of(actor=self.actor, host=host))


class MetaslotListApi(ListApi):
    """Metaslots: one row for each host that has one."""

    verbs = {"GET": "inventory.read"}
    serializer_class = MetaslotOutput
    filterset_class = MetaslotFilter
    ordering = "name"
    ordering_fields = {"name": "name", "inventory_at": "inventory_at"}

    def selector(self) -> QuerySet[Host]:
        """Hosts with a metaslot that the actor may see."""
        return metaslot_list(actor=self.actor)
