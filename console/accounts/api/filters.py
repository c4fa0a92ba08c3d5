"""Filters of the accounts' lists."""

import django_filters
from django.db.models import Q, QuerySet
from django.utils import timezone

from console.accounts.enums import ApiTokenState, Role
from console.accounts.models import ApiToken, User
from console.core.filters import ChoicesFilter, IdsFilter, KeyrackFilterSet, SearchFilter


class UserFilter(KeyrackFilterSet):
    """?role=&is_active=&search="""

    role = ChoicesFilter("role", choices=Role.choices)
    is_active = django_filters.BooleanFilter("is_active")
    search = SearchFilter("username", "email")

    class Meta:
        model = User
        fields: tuple[str, ...] = ()


class ApiTokenFilter(KeyrackFilterSet):
    """?user=&state=&search="""

    user = IdsFilter("user")
    state = django_filters.ChoiceFilter(choices=ApiTokenState.choices, method="filter_state")
    search = SearchFilter("name", "user__username", "hint")

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = ()

    def filter_state(self, rows: QuerySet[ApiToken], _name: str, value: str) -> QuerySet[ApiToken]:
        """State is derived from times, so the filter is too."""
        past = Q(expires_at__lte=timezone.now())
        if value == ApiTokenState.REVOKED:
            return rows.exclude(revoked_at=None)
        rows = rows.filter(revoked_at=None)
        return rows.filter(past) if value == ApiTokenState.EXPIRED else rows.exclude(past)
