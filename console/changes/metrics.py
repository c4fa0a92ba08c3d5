"""Prometheus metrics of changes."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from console.changes.enums import ChangeState
from console.changes.models import Change
from console.changes.queueing import runs_held
from console.changes.selectors import pause_get


def metrics_collect() -> Iterator[Metric]:
    """Yield changes by state, and whether applying is paused."""
    family = GaugeMetricFamily("keyrack_changes", "Changes by state.", labels=["state"])
    counts = dict(Change.objects.values_list("state").annotate(count=Count("pk")).order_by())
    for state in ChangeState:
        family.add_metric([state.value], counts.get(state.value, 0))
    yield family
    paused = GaugeMetricFamily("keyrack_changes_paused", "1 while all applies are held back.")
    paused.add_metric([], 1 if pause_get().is_paused else 0)
    yield paused
    held = GaugeMetricFamily(
        "keyrack_changes_held", "Queued changes that the pause or a maintenance window holds back."
    )
    held.add_metric([], runs_held().count())
    yield held
