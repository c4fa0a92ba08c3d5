"""Filters of the inventory's lists."""

from typing import Any

import django_filters
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django_filters.constants import EMPTY_VALUES

from console.core.filters import IdsFilter, KeyrackFilterSet, SearchFilter, TimeFilter, WordsFilter
from console.fleet.api.filters import LabelFilter
from console.fleet.models import Host
from console.inventory.enums import GoneFilterChoice, PolicyFact
from console.inventory.models import (
    Certificate,
    CryptoUnit,
    LogicalDomain,
    Mechanism,
    Provider,
    Slot,
    Snapshot,
    Token,
)


class GoneFilter(django_filters.ChoiceFilter):
    """`?gone=true` shows what is gone, `any` both; without it only what is there."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("gone_at", choices=GoneFilterChoice.choices, **kwargs)

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Narrow `qs`; an empty value means what is there."""
        if value == GoneFilterChoice.ANY:
            return qs
        return qs.filter(gone_at__isnull=value != GoneFilterChoice.GONE)


class FactFilter(django_filters.ChoiceFilter):
    """`?is_verified=unknown`: true, false or not known."""

    def __init__(self, field_name: str, **kwargs: Any) -> None:
        super().__init__(field_name, choices=PolicyFact.choices, **kwargs)

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Narrow `qs`."""
        if value in EMPTY_VALUES:
            return qs
        wanted = {PolicyFact.YES: True, PolicyFact.NO: False}.get(value)
        return qs.filter(**{str(self.field_name): wanted})


class AllWordsFilter(django_filters.CharFilter):
    """`?operation=sign,verify`: a JSON list that holds every one of these words."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Narrow `qs` by the list's text: neither database indexes JSON lists alike."""
        words = [word.strip() for word in str(value or "").split(",") if word.strip()]
        alias = f"_{self.field_name}_text"
        if words:
            qs = qs.alias(**{alias: Cast(str(self.field_name), TextField())})
        for word in words:
            qs = qs.filter(**{f"{alias}__contains": f'"{word}"'})
        return qs


class RowFilter(KeyrackFilterSet):
    """What every observed thing can be filtered by."""

    host = IdsFilter("host")
    host_label = LabelFilter("host__labels", help_text="key or key=value; several with commas")
    host_state = WordsFilter("host__state")
    is_simulated = django_filters.BooleanFilter("host__is_simulated")
    gone = GoneFilter()


class UnitFilter(RowFilter):
    """Crypto units."""

    kind = WordsFilter("kind")
    state = WordsFilter("state")
    is_assignable = django_filters.BooleanFilter("is_assignable")
    is_assigned = django_filters.BooleanFilter("domain_key", lookup_expr="isnull", exclude=True)
    domain = IdsFilter("domain")
    feature = AllWordsFilter("features")
    search = SearchFilter("name", "key", "kind", "host__name", "domain__name", "reason")

    class Meta:
        model = CryptoUnit
        fields: tuple[str, ...] = ()


class DomainFilter(RowFilter):
    """Logical domains."""

    kind = WordsFilter("kind")
    state = WordsFilter("state")
    reconfiguration = WordsFilter(
        "attributes__reconfiguration", help_text="pending: it waits for a reboot; none"
    )
    search = SearchFilter("name", "key", "host__name")

    class Meta:
        model = LogicalDomain
        fields: tuple[str, ...] = ()


class ProviderFilter(RowFilter):
    """Providers."""

    kind = WordsFilter("kind")
    state = WordsFilter("state")
    is_thread_safe = FactFilter("is_thread_safe")
    search = SearchFilter("name", "path", "manufacturer", "description", "host__name")

    class Meta:
        model = Provider
        fields: tuple[str, ...] = ()


class MechanismFilter(RowFilter):
    """Mechanisms. `name` is exact, `search` finds parts; key sizes: those that include the size."""

    provider = IdsFilter("provider")
    provider_kind = WordsFilter("provider__kind")
    name = WordsFilter("name")
    number = django_filters.NumberFilter("number")
    operation = AllWordsFilter("operations")
    is_hardware = django_filters.BooleanFilter("is_hardware")
    is_offered = django_filters.BooleanFilter("is_offered")
    is_allowed = FactFilter("is_allowed")
    is_verified = FactFilter("is_verified")
    key_size_min = django_filters.NumberFilter("max_key_size", lookup_expr="gte")
    key_size_max = django_filters.NumberFilter("min_key_size", lookup_expr="lte")
    search = SearchFilter("name", "provider__name", "host__name")

    class Meta:
        model = Mechanism
        fields: tuple[str, ...] = ()


class SlotFilter(RowFilter):
    """Slots."""

    provider = IdsFilter("provider")
    is_hardware = django_filters.BooleanFilter("is_hardware")
    has_error = django_filters.BooleanFilter("error", lookup_expr="exact", method="filter_error")
    search = SearchFilter("description", "manufacturer", "key", "host__name", "provider__name")

    class Meta:
        model = Slot
        fields: tuple[str, ...] = ()

    def filter_error(self, rows: QuerySet[Slot], _name: str, value: bool) -> QuerySet[Slot]:
        """Slots that could not be read, or those that could."""
        return rows.exclude(error="") if value else rows.filter(error="")


class TokenFilter(RowFilter):
    """Tokens."""

    provider = IdsFilter("provider")
    user_pin_state = WordsFilter("user_pin_state")
    so_pin_state = WordsFilter("so_pin_state")
    is_initialised = django_filters.BooleanFilter("is_initialised")
    has_pin_source = django_filters.BooleanFilter("has_pin_source")
    flag = AllWordsFilter("flags")
    search = SearchFilter(
        "label", "serial", "model", "manufacturer", "host__name", "provider__name"
    )

    class Meta:
        model = Token
        fields: tuple[str, ...] = ()


class CertificateFilter(RowFilter):
    """Certificates; expiry as ISO 8601 times."""

    token = IdsFilter("token")
    sha256 = WordsFilter("sha256")
    key_type = WordsFilter("key_type")
    expires_before = TimeFilter("not_after", lookup_expr="lt")
    expires_after = TimeFilter("not_after", lookup_expr="gte")
    search = SearchFilter("subject", "issuer", "label", "serial", "sha256", "host__name")

    class Meta:
        model = Certificate
        fields: tuple[str, ...] = ()


class MetaslotFilter(KeyrackFilterSet):
    """?host=&status=&actual=&is_simulated=&label=&search="""

    host = IdsFilter("pk")
    label = LabelFilter("labels", help_text="key or key=value; several with commas")
    is_simulated = django_filters.BooleanFilter("is_simulated")
    status = WordsFilter("metaslot_status")
    actual = WordsFilter("metaslot_actual")
    search = SearchFilter("name", "hostname")

    class Meta:
        model = Host
        fields: tuple[str, ...] = ()


class SnapshotFilter(KeyrackFilterSet):
    """Snapshots."""

    host = IdsFilter("host")
    host_label = LabelFilter("host__labels", help_text="key or key=value; several with commas")
    is_simulated = django_filters.BooleanFilter("host__is_simulated")
    received_before = TimeFilter("received_at", lookup_expr="lt")
    received_after = TimeFilter("received_at", lookup_expr="gte")
    search = SearchFilter("host__name", "digest")

    class Meta:
        model = Snapshot
        fields: tuple[str, ...] = ()
