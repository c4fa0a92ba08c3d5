"""Filters of the jobs' lists."""

from uuid import UUID

import django_filters
from django.db.models import QuerySet

from console.core.filters import (
    ChoicesFilter,
    IdsFilter,
    KeyrackFilterSet,
    SearchFilter,
    TimeFilter,
    WordsFilter,
)
from console.fleet.api.filters import HostFilter
from console.fleet.enums import DISMISSED, WorkState
from console.fleet.models import Host
from console.jobs.enums import JobState, Verdict
from console.jobs.models import Job, JobRun, Sample


class JobFilter(KeyrackFilterSet):
    """?workload=&state=&host=&created_by=&created_after=&created_before=&search="""

    workload = WordsFilter("workload")
    state = ChoicesFilter("state", choices=JobState.choices)
    host = django_filters.UUIDFilter(method="filter_host")
    created_by = IdsFilter("created_by")
    created_after = TimeFilter("created_at", lookup_expr="gte")
    created_before = TimeFilter("created_at", lookup_expr="lt")
    search = SearchFilter("name", "workload", "created_by_name")

    class Meta:
        model = Job
        fields: tuple[str, ...] = ()

    def filter_host(self, rows: QuerySet[Job], _name: str, value: UUID) -> QuerySet[Job]:
        """By a sub-query: a join would count only this host's runs."""
        return rows.filter(pk__in=JobRun.objects.filter(host=value).values("job"))


class EligibilityFilter(HostFilter):
    """A host's filters, and ?host=; retired and revoked ones show only when asked for by id."""

    host = IdsFilter("id")

    def filter_queryset(self, queryset: QuerySet[Host]) -> QuerySet[Host]:
        """Leave out hosts that are no longer served, unless they are named."""
        rows = super().filter_queryset(queryset)
        if self.form.cleaned_data.get("host"):
            return rows
        return rows.exclude(state__in=DISMISSED)


class RunFilter(KeyrackFilterSet):
    """?job=&host=&workload=&state=&verdict=&queued_after=&queued_before=&is_simulated=&search="""

    job = IdsFilter("job")
    host = IdsFilter("host")
    workload = WordsFilter("job__workload")
    state = ChoicesFilter("state", choices=WorkState.choices)
    verdict = django_filters.ChoiceFilter(choices=Verdict.choices, method="filter_verdict")
    queued_after = TimeFilter("queued_at", lookup_expr="gte")
    queued_before = TimeFilter("queued_at", lookup_expr="lt")
    is_simulated = django_filters.BooleanFilter("host__is_simulated")
    search = SearchFilter("host__name", "job__name", "message", "sentence")

    class Meta:
        model = JobRun
        fields: tuple[str, ...] = ()

    def filter_verdict(self, rows: QuerySet[JobRun], _name: str, value: str) -> QuerySet[JobRun]:
        """Runs of which some cell shows this."""
        return rows.filter(comparisons__verdict=value).distinct()


class SampleFilter(KeyrackFilterSet):
    """?job=&run=&host=&cell=&variant=&metric="""

    job = IdsFilter("run__job")
    run = IdsFilter("run")
    host = IdsFilter("run__host")
    cell = WordsFilter("cell")
    variant = WordsFilter("variant")
    metric = WordsFilter("metric")

    class Meta:
        model = Sample
        fields: tuple[str, ...] = ()
