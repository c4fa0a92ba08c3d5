"""Counters of the crypto drivers and the framework, from kstat's rows, as gauges.

Names of statistics: ncp(7D) and n2cp(7D) for units, kcf's source for providers. A counter whose
name is not known is kept as an algorithm's of its driver.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.wire.inventory import Gauge

DRIVERS = ("n2cp", "ncp")
"""The drivers of units; their counters are those of the units that this domain has."""
MODULES = (*DRIVERS, "n2rng", "kcf", "kssl")

_UNIT = re.compile(r"(cwq|mau)(\d+)(submit|qfull|qupdate_failure|update_failure|state)")
_PROVIDER = re.compile(r"(.+?)_provider_s(?:t|ta|tat|tats)?")
_HARDWARE = re.compile(r"(.+)_(\d+)_\d+")
_NO_COUNTERS = frozenset(("class", "crtime", "snaptime"))
_UNIT_NAMES = {
    "submit": "ops",
    "qfull": "queue_full",
    "qupdate_failure": "failures",
    "update_failure": "failures",
}
_KERNEL_NAMES = {
    "kcf_ops_total": "kernel.ops",
    "kcf_ops_failed": "kernel.failed",
    "kcf_ops_returned_busy": "kernel.busy",
}
_RNG_NAMES = {"rngjobs": "rng.ops", "rngbytes": "rng.bytes"}


@dataclass(frozen=True, slots=True)
class Stat:
    """One row of `kstat -p`."""

    module: str
    instance: int
    name: str
    statistic: str
    value: str

    @property
    def provider(self) -> str:
        """The driver's instance as cryptoadm names it: `n2cp/0`."""
        return f"{self.module}/{self.instance}"


def counter_gauges(stats: Iterable[Stat]) -> list[Gauge]:
    """Return the counters among kstat's rows; rows that hold words are none."""
    return [gauge for stat in stats for gauge in _gauges(stat)]


def _gauges(stat: Stat) -> Iterator[Gauge]:
    if stat.statistic in _NO_COUNTERS:
        return
    if stat.module in DRIVERS:
        yield from _driver(stat)
        return
    value = _number(stat.value)
    if value is None:
        return
    if stat.module == "kcf" and stat.statistic in _KERNEL_NAMES:
        if provider := kernel_provider(stat.name):
            yield Gauge(name=_KERNEL_NAMES[stat.statistic], subject_key=provider, value=value)
    elif stat.module == "n2rng" and stat.statistic in _RNG_NAMES:
        yield Gauge(name=_RNG_NAMES[stat.statistic], subject_key=stat.provider, value=value)
    elif stat.module == "kssl" and stat.statistic.startswith("kssl_"):
        name = f"kssl.{stat.statistic.removeprefix('kssl_')}"
        yield Gauge(name=name, subject_key="host", value=value)


def _driver(stat: Stat) -> Iterator[Gauge]:
    unit = _UNIT.fullmatch(stat.statistic)
    if unit is None:
        value = _number(stat.value)
        if value is not None:
            algorithm = stat.statistic.removesuffix("jobs")
            key = f"{stat.provider}:{algorithm}"
            yield Gauge(name="algorithm.ops", subject_key=key, value=value)
        return
    kind, number, what = unit.groups()
    key = f"{stat.provider}:{kind}{number}"
    if what == "state":
        online = float(stat.value == "online")
        yield Gauge(name=f"{kind}.online", subject_key=key, value=online)
    elif (value := _number(stat.value)) is not None:
        yield Gauge(name=f"{kind}.{_UNIT_NAMES[what]}", subject_key=key, value=value)


def kernel_provider(name: str) -> str:
    """Return the provider of a kcf kstat as cryptoadm names it, empty where it is none's.

    `aes_provider_stats` is aes, `ncp_0_2_provider_stats` ncp/0; names are cut at 30 signs [src].
    """
    found = _PROVIDER.fullmatch(name)
    if not found:
        return ""
    hardware = _HARDWARE.fullmatch(found[1])
    return f"{hardware[1]}/{hardware[2]}" if hardware else found[1]


def _number(text: str) -> float | None:
    word = text.strip()
    is_whole = word.isascii() and word.isdigit() and len(word) <= 20
    return float(word) if is_whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What was counted since boot: operations of units and of software, and full queues."""

    hardware: float = 0.0
    software: float = 0.0
    queue_full: float = 0.0
    has_units: bool = False
    offline: tuple[str, ...] = ()
    """Units that their driver says are not online."""


def totals_of(gauges: Iterable[Gauge]) -> Totals:
    """Return the sums. Providers of random numbers do no work that a unit could have done."""
    sums = {"hardware": 0.0, "software": 0.0, "queue_full": 0.0}
    has_units, offline = False, []
    for gauge in gauges:
        kind, _, what = gauge.name.partition(".")
        if kind in ("cwq", "mau"):
            has_units = True
            sums["hardware"] += gauge.value if what == "ops" else 0.0
            sums["queue_full"] += gauge.value if what == "queue_full" else 0.0
            if what == "online" and not gauge.value:
                offline.append(gauge.subject_key)
        elif gauge.name == "kernel.ops" and _is_software(gauge.subject_key):
            sums["software"] += gauge.value
    return Totals(**sums, has_units=has_units, offline=tuple(sorted(offline)))


def _is_software(provider: str) -> bool:
    return "/" not in provider and provider not in ("swrand", "rng")
