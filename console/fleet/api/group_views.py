"""Groups of hosts."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import CapabilitiesField, DetailApi, ListApi
from console.fleet.api.filters import HostGroupFilter
from console.fleet.groups import host_group_create, host_group_delete, host_group_update
from console.fleet.models import HostGroup
from console.fleet.selectors import host_group_list

_MAX_HOSTS = 10_000


class HostGroupOutput(serializers.ModelSerializer[HostGroup]):
    """A group of hosts; who is in it, /hosts/?group= lists."""

    host_count = serializers.IntegerField(read_only=True)
    capabilities = CapabilitiesField("host_group.manage", "maintenance_window.manage")

    class Meta:
        model = HostGroup
        fields = (
            "id",
            "name",
            "description",
            "host_count",
            "created_at",
            "updated_at",
            "capabilities",
        )


class HostIdsField(serializers.ListField):
    """Ids of hosts."""

    child = serializers.UUIDField()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=_MAX_HOSTS, **kwargs)


class HostGroupCreateInput(serializers.Serializer[Any]):
    """A new group."""

    name = serializers.CharField(max_length=100)
    description = serializers.CharField(max_length=2000, allow_blank=True, required=False)
    hosts = HostIdsField()


class HostGroupUpdateInput(serializers.Serializer[Any]):
    """What is left out stays."""

    name = serializers.CharField(max_length=100, required=False)
    description = serializers.CharField(max_length=2000, allow_blank=True, required=False)
    add_hosts = HostIdsField()
    remove_hosts = HostIdsField()


class HostGroupListApi(ListApi):
    """Groups of hosts."""

    verbs = {"GET": "host.read", "POST": "host_group.manage"}
    serializer_class = HostGroupOutput
    inputs = {"POST": HostGroupCreateInput}
    statuses = {"POST": 201}
    filterset_class = HostGroupFilter
    ordering = "name"
    ordering_fields = {"name": "name", "created_at": "created_at"}

    def selector(self) -> QuerySet[HostGroup]:
        """All of them."""
        return host_group_list(actor=self.actor)

    def post(self, _request: Request) -> Response:
        """Make a group."""
        group = host_group_create(actor=self.actor, **self.read_input())
        return self.reply(self.selector().get(pk=group.pk))


class HostGroupDetailApi(DetailApi):
    """One group."""

    verbs = {
        "GET": "host.read",
        "PATCH": "host_group.manage",
        "DELETE": "host_group.manage",
    }
    serializer_class = HostGroupOutput
    inputs = {"PATCH": HostGroupUpdateInput}
    statuses = {"DELETE": 204}
    noun = "host_group"

    def selector(self) -> QuerySet[HostGroup]:
        """All of them."""
        return host_group_list(actor=self.actor)

    def patch(self, _request: Request, pk: Any) -> Response:
        """Rename it, add hosts, remove hosts."""
        given = self.read_input()
        group: HostGroup = self.one(self.get_queryset(), self.noun)
        host_group_update(actor=self.actor, group=group, **given)
        return self.reply(self.selector().get(pk=group.pk))

    def delete(self, _request: Request, pk: Any) -> Response:
        """Delete it with its maintenance windows; its hosts stay."""
        host_group_delete(actor=self.actor, group=self.one(self.get_queryset(), self.noun))
        return self.reply()
