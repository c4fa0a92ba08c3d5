"""Prometheus metrics of job runs."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from console.fleet.enums import WorkState
from console.jobs.models import JobRun


def metrics_collect() -> Iterator[Metric]:
    """Yield runs by state; those of states that end grow until old runs are deleted."""
    family = GaugeMetricFamily("keyrack_runs", "Job runs by state.", labels=["state"])
    counts = dict(JobRun.objects.values_list("state").annotate(count=Count("pk")).order_by())
    for state in WorkState:
        family.add_metric([state.value], counts.get(state.value, 0))
    yield family
