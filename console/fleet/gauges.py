"""Gauges become bounded series: the newest heartbeat's figures, one point per period, 24 hours."""

import math
import time
from datetime import UTC, datetime
from typing import Any

from console.core.clean import clean_text
from console.fleet.enums import SERVED
from console.fleet.models import GaugeSeries, Host
from console.fleet.pulse import pulse_beats, pulse_gauges, pulse_seen

PERIOD_SECONDS = 300
MAX_POINTS = 24 * 3600 // PERIOD_SECONDS
MAX_PER_HOST = 500
_BATCH = 500

GaugeKey = tuple[str, str, str]


def gauges_roll() -> int:
    """Append the newest figure of every gauge of the hosts heard of lately; return how many.

    Reads the series of those hosts in one query and writes them in batches. Gauges of a host beyond
    MAX_PER_HOST are ignored, points older than MAX_POINTS dropped. Raises redis.RedisError.
    """
    now = time.time()
    lately = {host_id: at for host_id, at in pulse_seen().items() if at > now - PERIOD_SECONDS}
    served = Host.objects.filter(pk__in=lately, state__in=SERVED).values_list("pk", flat=True)
    figures = _figures({str(pk) for pk in served})
    rows = GaugeSeries.objects.filter(host_id__in={key[0] for key in figures})
    series = {(str(row.host_id), row.name, row.subject_key): row for row in rows}
    new: list[GaugeSeries] = []
    old: list[GaugeSeries] = []
    for key, value in figures.items():
        row = series.get(key)
        (old if row else new).append(_append(row, key, value, lately[key[0]]))
    GaugeSeries.objects.bulk_create(new, ignore_conflicts=True, batch_size=_BATCH)
    GaugeSeries.objects.bulk_update(old, ["value", "at", "points"], batch_size=_BATCH)
    return len(figures)


def _figures(host_ids: set[str]) -> dict[GaugeKey, float]:
    figures: dict[GaugeKey, float] = {}
    for host_id, beat in pulse_gauges(host_ids).items():
        gauges: list[dict[str, Any]] = beat.get("gauges", [])
        for gauge in gauges[:MAX_PER_HOST]:
            name, subject_key = (
                clean_text(gauge["name"], 200),
                clean_text(gauge["subject_key"], 500),
            )
            figures[host_id, name, subject_key] = gauge["value"]
    for host_id, beat in pulse_beats(host_ids).items():
        if beat.get("uptime_seconds"):
            figures[host_id, "host.uptime_seconds", ""] = beat["uptime_seconds"]
    # One agent's infinite figure must not keep the others' from the database.
    return {key: float(value) for key, value in figures.items() if math.isfinite(value)}


def _append(row: GaugeSeries | None, key: GaugeKey, value: float, at: float) -> GaugeSeries:
    host_id, name, subject_key = key
    series = row or GaugeSeries(host_id=host_id, name=name, subject_key=subject_key, points=[])
    series.value = value
    series.at = datetime.fromtimestamp(at, UTC)
    series.points = [*series.points, [int(at), value]][-MAX_POINTS:]
    return series
