"""Prometheus metrics of hosts."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from console.fleet.enums import HostState
from console.fleet.models import Host


def metrics_collect() -> Iterator[Metric]:
    """Yield hosts by state, and hosts whose work lane is closed because contact was lost."""
    states = GaugeMetricFamily("keyrack_hosts", "Hosts by state.", labels=["state"])
    counts = dict(Host.objects.values_list("state").annotate(count=Count("pk")).order_by())
    for state in HostState:
        states.add_metric([state.value], counts.get(state.value, 0))
    yield states
    closed = Host.objects.filter(work_lane_closed_at__isnull=False).count()
    yield GaugeMetricFamily(
        "keyrack_hosts_work_lane_closed", "Hosts whose work lane is closed.", value=closed
    )
