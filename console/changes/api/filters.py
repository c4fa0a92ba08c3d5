"""Filters of the changes' lists."""

import django_filters
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from console.changes.enums import ChangeState
from console.changes.models import Change, ChangeBatch
from console.changes.selectors import NEEDS
from console.core.filters import (
    ChoicesFilter,
    IdsFilter,
    KeyrackFilterSet,
    SearchFilter,
    TimeFilter,
    WordsFilter,
)
from console.fleet.api.filters import HostFilter


class ChangeFilter(KeyrackFilterSet):
    """?host=&kind=&state=&needs=&batch=&requested_by=&is_simulated=&created_after=&search= …"""

    host = IdsFilter("host")
    kind = WordsFilter("kind")
    state = ChoicesFilter("state", choices=ChangeState.choices)
    needs = django_filters.ChoiceFilter(
        choices=[(name, name) for name in NEEDS], method="filter_needs"
    )
    batch = IdsFilter("batch")
    rollback_of = IdsFilter("rollback_of")
    requested_by = IdsFilter("requested_by")
    is_simulated = django_filters.BooleanFilter("host__is_simulated")
    created_after = TimeFilter("created_at", lookup_expr="gte")
    created_before = TimeFilter("created_at", lookup_expr="lt")
    search = SearchFilter(
        "host__name", "kind", "reason", "message", "plan__sentence", "_parameters"
    )

    class Meta:
        model = Change
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[Change]) -> QuerySet[Change]:
        """Let the search look into parameters: domains, providers and modules stand there."""
        text = Cast("parameters", TextField())
        return super().filter_queryset(queryset.alias(_parameters=text))

    def filter_needs(self, rows: QuerySet[Change], _name: str, value: str) -> QuerySet[Change]:
        """Changes that need this of a person."""
        return rows.filter(NEEDS[value])


class EligibilityFilter(HostFilter):
    """?host= and what the list of hosts has: group, label, platform, state …"""

    host = IdsFilter("pk", help_text="These hosts: their ids, with commas.")


class BatchFilter(KeyrackFilterSet):
    """?kind=&requested_by=&created_after=&created_before=&search="""

    kind = WordsFilter("kind")
    requested_by = IdsFilter("requested_by")
    created_after = TimeFilter("created_at", lookup_expr="gte")
    created_before = TimeFilter("created_at", lookup_expr="lt")
    search = SearchFilter("kind", "reason", "requested_by_name")

    class Meta:
        model = ChangeBatch
        fields: tuple[str, ...] = ()
