"""Filters of the fleet's lists, and those that every list about hosts shares."""

from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.utils import timezone

from console.core.filters import (
    ChoicesFilter,
    IdsFilter,
    KeyrackFilterSet,
    SearchFilter,
    WordsFilter,
)
from console.fleet.enums import EnrolmentTokenState, HostState
from console.fleet.models import EnrolmentToken, Host, HostGroup
from console.fleet.selectors import enrolment_token_usable
from console.fleet.services import LABEL_KEY


class LabelFilter(django_filters.CharFilter):
    """`?label=env=prod,tier`: every named label is there, with the value where one is given."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Narrow `qs`; `field_name` is the path to the labels."""
        for number, word in enumerate(filter(None, str(value or "").split(","))):
            key, has_value, wanted = word.strip().partition("=")
            if not LABEL_KEY.fullmatch(key):
                return qs.none()
            alias = f"_label_{number}"
            qs = qs.alias(**{alias: KeyTransform(key, self.field_name)})
            condition = {alias: wanted} if has_value else {f"{alias}__isnull": False}
            qs = qs.filter(**condition)
        return qs


class GroupFilter(IdsFilter):
    """`?group=<id>,<id>`: hosts in any of these groups, each once."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Narrow `qs` by a sub-query: a join would repeat a host that is in two of them."""
        if not value:
            return qs
        members = HostGroup.hosts.through.objects.filter(hostgroup__in=value)
        return qs.filter(**{f"{self.field_name}__in": members.values("host")})


class HostFilter(KeyrackFilterSet):
    """?state=&label=&group=&platform=&architecture=&is_simulated=&agent_version=&search="""

    state = ChoicesFilter("state", choices=HostState.choices)
    label = LabelFilter("labels", help_text="key or key=value; several with commas")
    group = GroupFilter("pk")
    platform = WordsFilter("platform")
    architecture = WordsFilter("architecture")
    agent_version = WordsFilter("agent_version")
    is_simulated = django_filters.BooleanFilter("is_simulated")
    is_drifted = django_filters.BooleanFilter(
        method="filter_drifted", help_text="Whether a part is not as a change last left it."
    )
    search = SearchFilter("name", "hostname", "os_name", "os_version", "cpu_model")

    class Meta:
        model = Host
        fields: tuple[str, ...] = ()

    def filter_drifted(self, rows: QuerySet[Host], _name: str, value: bool) -> QuerySet[Host]:
        """By a sub-query: a join would repeat hosts with several such parts."""
        drifted = Host.objects.filter(desired_parts__drifted_since__isnull=False).values("pk")
        return rows.filter(pk__in=drifted) if value else rows.exclude(pk__in=drifted)


class HostGroupFilter(KeyrackFilterSet):
    """?host=&search="""

    host = IdsFilter("hosts")
    search = SearchFilter("name", "description")

    class Meta:
        model = HostGroup
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[HostGroup]) -> QuerySet[HostGroup]:
        """Narrow by a sub-query: a join would count only the hosts asked for."""
        rows = super().filter_queryset(HostGroup.objects.all())
        return queryset.filter(pk__in=rows.values("pk"))


class EnrolmentTokenFilter(KeyrackFilterSet):
    """?state=&search="""

    state = django_filters.ChoiceFilter(choices=EnrolmentTokenState.choices, method="filter_state")
    search = SearchFilter("name", "hint", "created_by__username")

    class Meta:
        model = EnrolmentToken
        fields: tuple[str, ...] = ()

    def filter_state(
        self, rows: QuerySet[EnrolmentToken], _name: str, value: str
    ) -> QuerySet[EnrolmentToken]:
        """State is derived from times and uses, so the filter is too."""
        if value == EnrolmentTokenState.ACTIVE:
            return rows.filter(enrolment_token_usable())
        if value == EnrolmentTokenState.REVOKED:
            return rows.exclude(revoked_at=None)
        rows = rows.filter(revoked_at=None)
        past = Q(expires_at__lte=timezone.now())
        if value == EnrolmentTokenState.EXPIRED:
            return rows.filter(past)
        return rows.exclude(past).exclude(enrolment_token_usable())
