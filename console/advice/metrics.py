"""Prometheus metrics of findings."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from console.advice.models import Finding


def metrics_collect() -> Iterator[Metric]:
    """Yield findings that are not resolved, by severity as the agents called it."""
    family = GaugeMetricFamily("keyrack_findings", "Unresolved findings.", labels=["severity"])
    rows = Finding.objects.filter(resolved_at=None).values_list("severity")
    for severity, count in rows.annotate(count=Count("pk")).order_by("severity"):
        family.add_metric([severity], count)
    yield family
