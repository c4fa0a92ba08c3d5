"""Is the crypto hardware of a host really used? Answered from what its counters did lately."""

from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from console.accounts.actors import Actor
from console.fleet.models import Host
from console.inventory import crypto_words as words
from console.inventory.counter_readings import Reading, readings_of
from console.inventory.crypto_counters import NAMES, Movement, shared
from console.inventory.models import PRESENT
from console.inventory.selectors import domain_list, unit_list

ANSWERS = ("yes", "partly", "no", "idle", "unknown")
"""partly: units worked, software did more. no: only software did. idle: nothing did."""

STALE_SECONDS = 1200.0
"""Older readings say nothing of now: an agent scans every five minutes."""


def crypto_use_of(*, actor: Actor, host: Host) -> dict[str, Any]:
    """Return the answer in a word and a sentence, with the counters and rates behind it.

    Reads the two newest readings of the host's counters. Rates are per second between the two.
    """
    newest, before = readings_of(host, NAMES)
    movement = Movement(newest or Reading(0.0, {}), before)
    units, software = movement.hardware(), movement.software()
    shared([unit for unit in units if unit["is_acceleration"]])
    shared(software)
    found = {
        "host": host,
        "is_simulated": host.is_simulated,
        "since": _moment(before),
        "until": _moment(newest),
        "seconds": movement.seconds if before else None,
        "hardware_per_second": _sum([unit for unit in units if unit["is_acceleration"]]),
        "software_per_second": _sum(software),
        "warnings": words.warnings(units),
        "units": units,
        "algorithms": movement.algorithms(),
        "software": software,
    }
    found["why_unknown"] = _why_unknown(actor, host, found)
    found["answer"] = "unknown" if found["why_unknown"] else _answer(found)
    found["sentence"] = words.sentence(found, _owner(actor, host))
    return found


def _answer(found: dict[str, Any]) -> str:
    hardware, software = found["hardware_per_second"], found["software_per_second"] or 0.0
    if hardware > 0:
        return "yes" if hardware >= software else "partly"
    return "no" if software > 0 else "idle"


def _why_unknown(actor: Actor, host: Host, found: dict[str, Any]) -> str:
    """Return why there is no answer, a sentence; empty where there is one."""
    if not any(unit["is_acceleration"] for unit in found["units"]):
        kinds = unit_list(actor=actor).filter(PRESENT, host=host).values_list("kind", flat=True)
        return words.no_counters(set(kinds), is_read=found["until"] is not None)
    if found["since"] is None:
        return words.ONE_READING
    if (timezone.now() - found["until"]).total_seconds() > STALE_SECONDS:
        return words.stale(found["until"])
    return words.BEGAN_ANEW if found["hardware_per_second"] is None else ""


def _owner(actor: Actor, host: Host) -> str:
    """Return whose units are counted: of a machine with domains, the control domain's alone."""
    domains = domain_list(actor=actor).filter(PRESENT, host=host).order_by("name")
    rows = domains.values_list("name", "attributes")
    return next((name for name, facts in rows if facts.get("is_control")), host.name)


def _sum(rows: list[dict[str, Any]]) -> float | None:
    """Return the rate of all rows; None where none has one."""
    rates = [row["per_second"] for row in rows if row["per_second"] is not None]
    return sum(rates) if rates else None


def _moment(reading: Reading | None) -> datetime | None:
    return None if reading is None else datetime.fromtimestamp(reading.at, UTC)
