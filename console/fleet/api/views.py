"""Hosts and enrolment tokens."""

from datetime import UTC, datetime, timedelta
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import DetailApi, KeyrackView, ListApi
from console.fleet.api.filters import EnrolmentTokenFilter, HostFilter
from console.fleet.api.serializers import (
    EnrolmentTokenCreatedOutput,
    EnrolmentTokenCreateInput,
    EnrolmentTokenOutput,
    HostDetailOutput,
    HostGaugesOutput,
    HostOutput,
    HostUpdateInput,
)
from console.fleet.enrolment import enrolment_token_create, enrolment_token_revoke
from console.fleet.install import install_command
from console.fleet.models import EnrolmentToken, Host
from console.fleet.pulse import pulse_beats, pulse_seen_at
from console.fleet.selectors import enrolment_token_list, gauge_list, host_list
from console.fleet.services import host_labels_set, host_rename, host_retire, host_revoke


class HostListApi(ListApi):
    """Hosts, retired and revoked ones included."""

    verbs = {"GET": "host.read"}
    serializer_class = HostOutput
    filterset_class = HostFilter
    ordering = "name"
    ordering_fields = {
        "name": "name",
        "state": "state",
        "platform": "platform",
        "last_seen_at": "last_seen_at",
        "inventory_at": "inventory_at",
        "enrolled_at": "enrolled_at",
    }

    def selector(self) -> Any:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)


class HostDetailApi(DetailApi):
    """One host."""

    verbs = {"GET": "host.read", "PATCH": "host.update"}
    serializer_class = HostDetailOutput
    inputs = {"PATCH": HostUpdateInput}
    noun = "host"

    def selector(self) -> Any:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)

    def patch(self, request: Request, pk: Any) -> Response:
        """Rename the host or replace its labels."""
        given = self.read_input()
        host = self.one(self.get_queryset(), self.noun)
        if "name" in given:
            host = host_rename(host=host, name=given["name"], actor=self.actor)
        if "labels" in given:
            host = host_labels_set(host=host, labels=given["labels"], actor=self.actor)
        return self.reply(host)


class _HostView(KeyrackView):
    """Something about the host that the URL names."""

    serializer_class = HostOutput

    def selector(self) -> Any:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)

    def host(self) -> Host:
        """Return that host or raise NotFound."""
        host: Host = self.one(self.get_queryset(), "host")
        return host


class HostRetireApi(_HostView):
    """The end of a host's service."""

    verbs = {"POST": "host.retire"}

    def post(self, request: Request, pk: Any) -> Response:
        """Retire the host: its agent is refused, its history stays."""
        return self.reply(host_retire(host=self.host(), actor=self.actor))


class HostRevokeApi(_HostView):
    """The end of trust in an agent."""

    verbs = {"POST": "host.retire"}

    def post(self, request: Request, pk: Any) -> Response:
        """Revoke the agent's credential at once; only a new enrolment leads back."""
        return self.reply(host_revoke(host=self.host(), actor=self.actor))


class HostGaugesApi(_HostView):
    """Momentary figures of a host."""

    verbs = {"GET": "host.read"}
    outputs = {"GET": HostGaugesOutput}

    def get(self, request: Request, pk: Any) -> Response:
        """Show the newest heartbeat's figures and the series behind them."""
        host = self.host()
        beat = pulse_beats([host.pk]).get(str(host.pk), {})
        at = pulse_seen_at(host.pk)
        return self.reply(
            {
                "at": datetime.fromtimestamp(at, UTC) if at else host.last_seen_at,
                "uptime_seconds": beat.get("uptime_seconds"),
                "is_broker_reached": beat.get("broker_ok"),
                "gauges": gauge_list(host=host),
            }
        )


class EnrolmentTokenListApi(ListApi):
    """Enrolment tokens."""

    verbs = {"GET": "enrolment_token.manage", "POST": "enrolment_token.manage"}
    serializer_class = EnrolmentTokenOutput
    filterset_class = EnrolmentTokenFilter
    inputs = {"POST": EnrolmentTokenCreateInput}
    outputs = {"POST": EnrolmentTokenCreatedOutput}
    statuses = {"POST": 201}
    ordering_fields = {
        "created_at": "created_at",
        "expires_at": "expires_at",
        "last_used_at": "last_used_at",
        "name": "name",
    }

    def selector(self) -> Any:
        """All of them."""
        return enrolment_token_list(actor=self.actor)

    def post(self, request: Request) -> Response:
        """Make a token; the reply shows it and the one command to run, this once."""
        given = self.read_input()
        lifetime = timedelta(seconds=given.pop("lifetime_seconds"))
        made = enrolment_token_create(actor=self.actor, lifetime=lifetime, **given)
        return self.reply(made.row, secret=made.secret, install=install_command(made.secret))


class EnrolmentTokenDetailApi(DetailApi):
    """One enrolment token."""

    verbs = {"GET": "enrolment_token.manage"}
    serializer_class = EnrolmentTokenOutput
    noun = "enrolment_token"

    def selector(self) -> Any:
        """All of them."""
        return enrolment_token_list(actor=self.actor)


class EnrolmentTokenRevokeApi(KeyrackView):
    """The end of an enrolment token."""

    verbs = {"POST": "enrolment_token.manage"}
    serializer_class = EnrolmentTokenOutput

    def selector(self) -> Any:
        """All of them."""
        return enrolment_token_list(actor=self.actor)

    def post(self, request: Request, pk: Any) -> Response:
        """Make the token useless from now on; hosts that it enrolled stay."""
        token: EnrolmentToken = self.one(self.get_queryset(), "enrolment_token")
        return self.reply(enrolment_token_revoke(token=token, actor=self.actor))
