"""What /metrics answers, computed from database and Redis at each scrape.

Nothing is counted in this process, so it does not matter which of several processes is asked. An
app adds its own by a module `metrics` with `metrics_collect()`.
"""

import importlib
import importlib.util
from collections.abc import Iterator

import redis
from django.apps import apps
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from console.core.events import STREAM_KEY
from console.core.health import checks_run
from console.core.pulse import Pulse, pulse_age_seconds
from console.core.redis import redis_client

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _Now(Collector):
    """Asks everything when it is scraped."""

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics of the console."""
        yield _parts()
        yield from _redis()
        for config in apps.get_app_configs():
            name = f"{config.name}.metrics"
            is_ours = config.name.startswith("console.") and name != __name__
            if is_ours and importlib.util.find_spec(name) is not None:
                yield from importlib.import_module(name).metrics_collect()


def metrics_text() -> bytes:
    """Return all metrics in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Now())
    return generate_latest(registry)


def _parts() -> Metric:
    family = GaugeMetricFamily(
        "keyrack_up", "1 when this part of the console works.", labels=["part"]
    )
    for check in checks_run():
        family.add_metric([check.name], 1 if check.is_ok else 0)
    return family


def _redis() -> Iterator[Metric]:
    ages = GaugeMetricFamily(
        "keyrack_pulse_age_seconds", "Time since the last sign of life.", labels=["part"]
    )
    queues = GaugeMetricFamily(
        "keyrack_queue_length", "Messages waiting in the console's queue.", labels=["queue"]
    )
    events = GaugeMetricFamily("keyrack_event_stream_length", "Events kept for resuming streams.")
    try:
        for who in Pulse:
            age = pulse_age_seconds(who)
            if age is not None:
                ages.add_metric([who.value], age)
        queues.add_metric(["console"], float(redis_client().llen("console")))
        events.add_metric([], float(redis_client().xlen(STREAM_KEY)))
    except redis.RedisError:
        return  # keyrack_up{part="broker"} says so
    yield from (ages, queues, events)
