"""Filters that the lists share. A filter set of an app derives from KeyrackFilterSet."""

from datetime import UTC, datetime
from typing import Any

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django_filters.fields import IsoDateTimeField


class KeyrackFilterSet(django_filters.FilterSet):
    """A filter set; ListApi refuses query parameters that it does not declare."""


class WordsFilter(django_filters.BaseInFilter, django_filters.CharFilter):
    """`?state=active,offline`: any of several words, separated by commas."""

    def __init__(self, field_name: str, **kwargs: Any) -> None:
        super().__init__(field_name=field_name, lookup_expr="in", distinct=False, **kwargs)


class ChoicesFilter(django_filters.BaseInFilter, django_filters.ChoiceFilter):
    """`?role=viewer,operator`: any of several members of an enum; others are refused."""

    def __init__(self, field_name: str, *, choices: Any, **kwargs: Any) -> None:
        super().__init__(
            field_name=field_name, lookup_expr="in", distinct=False, choices=choices, **kwargs
        )


class IdsFilter(django_filters.BaseInFilter, django_filters.UUIDFilter):
    """`?host=<id>,<id>`: any of several ids."""

    def __init__(self, field_name: str, **kwargs: Any) -> None:
        super().__init__(field_name=field_name, lookup_expr="in", distinct=False, **kwargs)


class _UtcField(IsoDateTimeField):
    """An ISO 8601 time, as UTC: at the ends of the calendar some offsets lead out of it."""

    def to_python(self, value: Any) -> datetime | None:
        """Read the time. Raises ValidationError for what is none."""
        at: datetime | None = super().to_python(value)
        try:
            return at.astimezone(UTC) if at else None
        except OverflowError:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None


class TimeFilter(django_filters.IsoDateTimeFilter):
    """`?queued_after=2026-03-01T10:00:00Z`: an ISO 8601 time; without offset it is UTC."""

    field_class = _UtcField


class SearchFilter(django_filters.CharFilter):
    """`?search=text`: the text occurs in any of `paths`, upper or lower case."""

    def __init__(self, *paths: str, **kwargs: Any) -> None:
        self.paths = paths
        super().__init__(**kwargs)

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Narrow `qs`; every word of `value` must occur."""
        for word in str(value or "").split():
            condition = Q()
            for path in self.paths:
                condition |= Q(**{f"{path}__icontains": word})
            qs = qs.filter(condition)
        return qs
