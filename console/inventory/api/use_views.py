"""Whether a host's crypto hardware is really used."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import KeyrackView
from console.fleet.api.serializers import HostBrief
from console.fleet.models import Host
from console.fleet.selectors import host_list
from console.inventory.crypto_use import ANSWERS, crypto_use_of


class CryptoUseRowOutput(serializers.Serializer[Any]):
    """Who did crypto work: a unit, or a provider in software. Rates are per second."""

    key = serializers.CharField()
    unit = serializers.CharField(help_text="Its name; the driver's, where units have one.")
    provider = serializers.CharField()
    kind = serializers.CharField()
    counts = serializers.CharField(help_text="What it counts: operations, requests, connections.")
    is_online = serializers.BooleanField(allow_null=True, help_text="null: it does not tell.")
    ops = serializers.FloatField(help_text="Its counter as last read.")
    queue_full = serializers.FloatField(allow_null=True)
    failures = serializers.FloatField(allow_null=True)
    per_second = serializers.FloatField(allow_null=True, help_text="null: no two readings.")
    queue_full_per_second = serializers.FloatField(allow_null=True)
    failures_per_second = serializers.FloatField(allow_null=True)
    share = serializers.FloatField(
        allow_null=True, help_text="Of what all of its kind of work did, 0 to 1."
    )


class CryptoUseUnitOutput(CryptoUseRowOutput):
    """A unit. A random generator is listed, but does not decide the answer."""

    is_acceleration = serializers.BooleanField()


class CryptoUseAlgorithmOutput(serializers.Serializer[Any]):
    """What hardware did of one algorithm, where its driver tells."""

    provider = serializers.CharField()
    name = serializers.CharField()
    ops = serializers.FloatField()
    per_second = serializers.FloatField(allow_null=True)
    share = serializers.FloatField(allow_null=True)


class CryptoUseOutput(serializers.Serializer[Any]):
    """Whether the crypto hardware is used: yes; partly, software does more; no, only software
    works; idle, nothing does; unknown, and why.
    """

    host = HostBrief()
    is_simulated = serializers.BooleanField()
    answer = serializers.ChoiceField(choices=[(answer, answer) for answer in ANSWERS])
    sentence = serializers.CharField()
    why_unknown = serializers.CharField(help_text="Empty unless the answer is unknown.")
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="Full queues, failures, units not online."
    )
    since = serializers.DateTimeField(allow_null=True, help_text="The earlier reading.")
    until = serializers.DateTimeField(allow_null=True, help_text="The newest reading.")
    seconds = serializers.FloatField(allow_null=True, help_text="Between the two.")
    hardware_per_second = serializers.FloatField(allow_null=True)
    software_per_second = serializers.FloatField(allow_null=True)
    units = CryptoUseUnitOutput(many=True)
    algorithms = CryptoUseAlgorithmOutput(many=True)
    software = CryptoUseRowOutput(many=True)


class HostCryptoUseApi(KeyrackView):
    """Is the hardware used?"""

    verbs = {"GET": "inventory.read"}
    serializer_class = CryptoUseOutput

    def selector(self) -> QuerySet[Host]:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)

    def get(self, _request: Request, pk: Any) -> Response:
        """Answer whether the host's crypto hardware is really used, with counters and rates."""
        host: Host = self.one(self.get_queryset(), "host")
        return self.reply(crypto_use_of(actor=self.actor, host=host))
