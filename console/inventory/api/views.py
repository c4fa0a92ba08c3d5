"""Lists and details of observed things."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import DetailApi, ListApi
from console.fleet.selectors import gauges_now
from console.inventory import selectors
from console.inventory.api import filters, serializers
from console.inventory.ingest import snapshot_facts
from console.inventory.models import Token

_READ = {"GET": "inventory.read"}
_ROW_ORDERING = {
    "name": "name",
    "host": "host__name",
    "first_seen_at": "first_seen_at",
    "gone_at": "gone_at",
}


class _RowListApi(ListApi):
    """A list of observed things, by name."""

    verbs = _READ
    ordering = "name"
    ordering_fields = _ROW_ORDERING


class UnitListApi(_RowListApi):
    """Crypto units of all hosts."""

    serializer_class = serializers.UnitOutput
    filterset_class = filters.UnitFilter
    ordering_fields = _ROW_ORDERING | {"kind": "kind", "state": "state", "key": "key"}

    def selector(self) -> Any:
        """Units that the actor may see."""
        return selectors.unit_list(actor=self.actor)


class UnitDetailApi(DetailApi):
    """One crypto unit."""

    verbs = _READ
    serializer_class = serializers.UnitOutput
    noun = "unit"
    selector = UnitListApi.selector


class DomainListApi(_RowListApi):
    """Logical domains of all hosts."""

    serializer_class = serializers.DomainOutput
    filterset_class = filters.DomainFilter
    ordering_fields = _ROW_ORDERING | {"kind": "kind", "state": "state"}

    def selector(self) -> Any:
        """Domains that the actor may see."""
        return selectors.domain_list(actor=self.actor)


class DomainDetailApi(DetailApi):
    """One logical domain."""

    verbs = _READ
    serializer_class = serializers.DomainOutput
    noun = "domain"
    selector = DomainListApi.selector


class ProviderListApi(_RowListApi):
    """Providers of all hosts."""

    serializer_class = serializers.ProviderOutput
    filterset_class = filters.ProviderFilter
    ordering_fields = _ROW_ORDERING | {
        "kind": "kind",
        "state": "state",
        "mechanism_count": "mechanism_count",
        "slot_count": "slot_count",
    }

    def selector(self) -> Any:
        """Providers that the actor may see."""
        return selectors.provider_list(actor=self.actor)


class ProviderDetailApi(DetailApi):
    """One provider."""

    verbs = _READ
    serializer_class = serializers.ProviderOutput
    noun = "provider"
    selector = ProviderListApi.selector


class MechanismListApi(_RowListApi):
    """Mechanisms of all providers of all hosts."""

    serializer_class = serializers.MechanismOutput
    filterset_class = filters.MechanismFilter
    ordering_fields = _ROW_ORDERING | {
        "number": "number",
        "provider": "provider__name",
        "min_key_size": "min_key_size",
        "max_key_size": "max_key_size",
    }

    def selector(self) -> Any:
        """Mechanisms that the actor may see."""
        return selectors.mechanism_list(actor=self.actor)


class MechanismDetailApi(DetailApi):
    """One mechanism."""

    verbs = _READ
    serializer_class = serializers.MechanismOutput
    noun = "mechanism"
    selector = MechanismListApi.selector


class SlotListApi(_RowListApi):
    """Slots of all PKCS#11 libraries."""

    serializer_class = serializers.SlotOutput
    filterset_class = filters.SlotFilter
    ordering = "slot_id"
    ordering_fields = {
        "slot_id": "slot_id",
        "description": "description",
        "host": "host__name",
        "first_seen_at": "first_seen_at",
        "gone_at": "gone_at",
    }

    def selector(self) -> Any:
        """Slots that the actor may see."""
        return selectors.slot_list(actor=self.actor)


class SlotDetailApi(DetailApi):
    """One slot."""

    verbs = _READ
    serializer_class = serializers.SlotOutput
    noun = "slot"
    selector = SlotListApi.selector


def _gauges_attach(tokens: list[Token]) -> None:
    """Give each token its newest figures: one question to Redis for all of them."""
    found = gauges_now(token.host_id for token in tokens)
    for token in tokens:
        # For the serializer only; the model has no such field.
        token.gauges = found.get((str(token.host_id), token.key), {})  # type: ignore[attr-defined]


class TokenListApi(_RowListApi):
    """Tokens of all hosts."""

    serializer_class = serializers.TokenOutput
    filterset_class = filters.TokenFilter
    ordering = "label"
    ordering_fields = {
        "label": "label",
        "serial": "serial",
        "model": "model",
        "host": "host__name",
        "provider": "provider__name",
        "user_pin_state": "user_pin_state",
        "certificate_count": "certificate_count",
        "first_seen_at": "first_seen_at",
        "gone_at": "gone_at",
    }

    def selector(self) -> Any:
        """Tokens that the actor may see."""
        return selectors.token_list(actor=self.actor)

    def paginate_queryset(self, queryset: Any) -> Any:
        """Read a page and its gauges."""
        page = super().paginate_queryset(queryset)
        _gauges_attach(page or [])
        return page


class TokenDetailApi(DetailApi):
    """One token."""

    verbs = _READ
    serializer_class = serializers.TokenOutput
    noun = "token"
    selector = TokenListApi.selector

    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> Response:
        """Show it with its newest figures."""
        token = self.one(self.get_queryset(), self.noun)
        _gauges_attach([token])
        return self.reply(token)


class CertificateListApi(_RowListApi):
    """Certificates of all tokens, the next to expire first."""

    serializer_class = serializers.CertificateOutput
    filterset_class = filters.CertificateFilter
    ordering = "not_after"
    ordering_fields = {
        "not_after": "not_after",
        "not_before": "not_before",
        "subject": "subject",
        "issuer": "issuer",
        "label": "label",
        "host": "host__name",
        "first_seen_at": "first_seen_at",
        "gone_at": "gone_at",
    }

    def selector(self) -> Any:
        """Certificates that the actor may see."""
        return selectors.certificate_list(actor=self.actor)


class CertificateDetailApi(DetailApi):
    """One certificate."""

    verbs = _READ
    serializer_class = serializers.CertificateOutput
    noun = "certificate"
    selector = CertificateListApi.selector


class SnapshotListApi(ListApi):
    """Snapshots of all hosts, newest first: one whenever the facts changed."""

    verbs = _READ
    serializer_class = serializers.SnapshotOutput
    filterset_class = filters.SnapshotFilter
    ordering = "-received_at"
    ordering_fields = {"received_at": "received_at", "taken_at": "taken_at", "host": "host__name"}

    def selector(self) -> Any:
        """Snapshots that the actor may see."""
        return selectors.snapshot_list(actor=self.actor)


class SnapshotDetailApi(DetailApi):
    """One snapshot."""

    verbs = _READ
    serializer_class = serializers.SnapshotDetailOutput
    noun = "snapshot"
    selector = SnapshotListApi.selector

    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> Response:
        """Show it with its facts as the agent sent them."""
        snapshot = self.one(self.get_queryset(), self.noun)
        snapshot.facts = snapshot_facts(snapshot)
        return self.reply(snapshot)
