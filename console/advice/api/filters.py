"""Filters of the list of findings."""

import django_filters
from django.db.models import QuerySet

from console.advice.enums import FindingState
from console.advice.models import Finding
from console.core.filters import IdsFilter, KeyrackFilterSet, SearchFilter, WordsFilter
from console.fleet.api.filters import LabelFilter


class FindingFilter(KeyrackFilterSet):
    """`state` is open, acknowledged or resolved; without it all are shown."""

    host = IdsFilter("host")
    host_label = LabelFilter("host__labels", help_text="key or key=value; several with commas")
    is_simulated = django_filters.BooleanFilter("host__is_simulated")
    severity = WordsFilter("severity")
    code = WordsFilter("code")
    subject_kind = WordsFilter("subject_kind")
    is_resolved = django_filters.BooleanFilter("resolved_at", lookup_expr="isnull", exclude=True)
    state = django_filters.ChoiceFilter(choices=FindingState.choices, method="filter_state")
    search = SearchFilter("message", "code", "subject_key", "host__name", "comment")

    class Meta:
        model = Finding
        fields: tuple[str, ...] = ()

    def filter_state(self, rows: QuerySet[Finding], _name: str, value: str) -> QuerySet[Finding]:
        """State is derived from times, so the filter is too."""
        if value == FindingState.RESOLVED:
            return rows.exclude(resolved_at=None)
        is_new = value == FindingState.OPEN
        return rows.filter(resolved_at=None, acknowledged_at__isnull=is_new)
