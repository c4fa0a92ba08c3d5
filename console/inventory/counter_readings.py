"""Readings of a host's counters: the newest, and an earlier one to take rates from.

Agents send counters as gauges with each scan. Two readings are kept in Redis; older ones come from
the series in the database, so an emptied Redis costs the newest figures and no more.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agents.wire.inventory import COUNTERS_READ_AT
from console.fleet.models import Host
from console.fleet.pulse import pulse_readings
from console.fleet.selectors import gauge_list

MIN_SECONDS = 5.0
"""A shorter stretch between two readings tells nothing of a rate."""

CounterKey = tuple[str, str]
"""Name of a gauge and its subject."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All counters of a host at one moment."""

    at: float
    values: dict[CounterKey, float]


def readings_of(host: Host, names: Iterable[str]) -> tuple[Reading | None, Reading | None]:
    """Return the newest reading of the counters `names` and the newest one before it.

    One question to Redis and one query. None where there is none.
    """
    wanted = {*names, COUNTERS_READ_AT}
    found = _from_pulse(host, wanted) + _from_series(host, wanted)
    found.sort(key=lambda reading: reading.at, reverse=True)
    if not found:
        return None, None
    newest = found[0]
    before = (reading for reading in found if newest.at - reading.at >= MIN_SECONDS)
    return newest, next(before, None)


def _from_pulse(host: Host, wanted: set[str]) -> list[Reading]:
    found = []
    for beat in pulse_readings(host.pk):
        gauges: list[dict[str, Any]] = beat.get("gauges", [])
        values = {
            (gauge["name"], gauge["subject_key"]): float(gauge["value"])
            for gauge in gauges
            if gauge["name"] in wanted
        }
        at = values.pop((COUNTERS_READ_AT, "host"), None)
        if at is not None:
            found.append(Reading(at, values))
    return found


def _from_series(host: Host, wanted: set[str]) -> list[Reading]:
    """Return the readings of the two newest points, by when the agent had read them.

    A point repeats the last reading where no scan came between: one moment of reading, one reading.
    """
    rows = list(gauge_list(host=host).filter(name__in=wanted))
    clock = next((row for row in rows if row.name == COUNTERS_READ_AT), None)
    moments = {point[0]: float(point[1]) for point in (clock.points if clock else [])[-3:]}
    found: dict[float, Reading] = {at: Reading(at, {}) for at in moments.values()}
    for row in rows:
        for second, value in row.points[-3:]:
            if row.name != COUNTERS_READ_AT and second in moments:
                found[moments[second]].values[row.name, row.subject_key] = value
    return list(found.values())
