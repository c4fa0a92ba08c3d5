"""Which counters tell of crypto hardware and of software, and what moved between two readings.

The names are those of the gauges that agents send; docs/inventory.md says where they come from.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from console.inventory.counter_readings import CounterKey, Reading

ALGORITHM = "algorithm.ops"
KERNEL = "kernel.ops"


@dataclass(frozen=True, slots=True)
class Counter:
    """A gauge that counts what a unit did. `title`: the unit's name where the subject is no name.

    `is_acceleration`: whether it answers "is the hardware used?"; a random generator does not,
    the kernel asks it by itself.
    """

    kind: str
    ops: str
    queue_full: str = ""
    failures: str = ""
    counts: str = "operations"
    title: str = ""
    is_acceleration: bool = True


HARDWARE = (
    Counter("cwq", "cwq.ops", "cwq.queue_full", "cwq.failures"),
    Counter("mau", "mau.ops", "mau.queue_full", "mau.failures"),
    Counter("ap_queue", "ap.requests", counts="requests"),
    Counter("ktls_device", "ktls.tx_device", counts="connections", title="kTLS device, sending"),
    Counter("ktls_device", "ktls.rx_device", counts="connections", title="kTLS device, receiving"),
    Counter("hardware_rng", "rng.ops", counts="requests", is_acceleration=False),
)
"""Counters of units. A kernel provider of hardware is counted by KERNEL where its units are not."""

_BEHIND = Counter("kernel_hardware", KERNEL, "kernel.busy", "kernel.failed")
_SOFTWARE = (
    Counter("kernel_software", KERNEL, "kernel.busy", "kernel.failed"),
    Counter("ktls_software", "ktls.tx_sw", counts="connections", title="kTLS software, sending"),
    Counter("ktls_software", "ktls.rx_sw", counts="connections", title="kTLS software, receiving"),
)
_RANDOM = ("n2rng/", "swrand", "rng")
"""Kernel providers that only give random numbers: no work that a crypto unit could have done."""

NAMES = frozenset(
    name
    for counter in (*HARDWARE, _BEHIND, *_SOFTWARE)
    for name in (counter.ops, counter.queue_full, counter.failures)
    if name
) | {ALGORITHM, "cwq.online"}


class Movement:
    """What counters did between two readings; before the second reading there are no rates."""

    def __init__(self, newest: Reading, before: Reading | None) -> None:
        self.values = newest.values
        self._before = before
        self.seconds = newest.at - before.at if before else 0.0

    def per_second(self, key: CounterKey) -> float | None:
        """Return a counter's rate; None without an earlier value, or where it began anew."""
        if self._before is None or key not in self._before.values or key not in self.values:
            return None
        moved = self.values[key] - self._before.values[key]
        return moved / self.seconds if moved >= 0 else None

    def subjects(self, name: str) -> list[str]:
        """Return what has a counter of that name."""
        return sorted(subject for found, subject in self.values if found == name)

    def hardware(self) -> list[dict[str, Any]]:
        """Return the units with their counters and rates."""
        units = [
            unit for counter in HARDWARE for unit in self._rows(counter, _known(self, counter))
        ]
        counted = {unit["provider"] for unit in units}
        behind = [s for s in self.subjects(KERNEL) if "/" in s and s not in counted]
        return units + list(self._rows(_BEHIND, [s for s in behind if not _is_random(s)]))

    def software(self) -> list[dict[str, Any]]:
        """Return what worked in software, with rates; random numbers are no such work."""
        rows = []
        for counter in _SOFTWARE:
            found = [s for s in self.subjects(counter.ops) if "/" not in s and not _is_random(s)]
            rows += list(self._rows(counter, found))
        return rows

    def algorithms(self) -> list[dict[str, Any]]:
        """Return what hardware did by algorithm, where its driver tells."""
        rows = []
        for subject in self.subjects(ALGORITHM):
            provider, _, name = subject.rpartition(":")
            key = (ALGORITHM, subject)
            rate = self.per_second(key)
            rows.append(
                {"provider": provider, "name": name, "ops": self.values[key], "per_second": rate}
            )
        shared(rows)
        return rows

    def _rows(self, counter: Counter, subjects: Iterable[str]) -> Iterator[dict[str, Any]]:
        for subject in subjects:
            provider, unit = _names(counter, subject)
            yield {
                "key": counter.ops if counter.title else subject,
                "unit": unit,
                "provider": provider,
                "kind": counter.kind,
                "counts": counter.counts,
                "is_acceleration": counter.is_acceleration,
                "is_online": self._is_online(counter, subject),
                "ops": self.values[counter.ops, subject],
                "queue_full": self.values.get((counter.queue_full, subject)),
                "failures": self.values.get((counter.failures, subject)),
                "per_second": self.per_second((counter.ops, subject)),
                "queue_full_per_second": self.per_second((counter.queue_full, subject)),
                "failures_per_second": self.per_second((counter.failures, subject)),
                "share": None,
            }

    def _is_online(self, counter: Counter, subject: str) -> bool | None:
        value = self.values.get((f"{counter.kind}.online", subject))
        return None if value is None else value > 0


def _names(counter: Counter, subject: str) -> tuple[str, str]:
    """Return provider and unit: `n2cp/0:cwq1` is unit cwq1 of n2cp/0, others are their own."""
    provider, _, unit = subject.rpartition(":")
    if counter.title or counter.kind == "ap_queue" or not provider:
        return (counter.title or subject,) * 2
    return provider, unit


def _known(movement: Movement, counter: Counter) -> list[str]:
    """Return whom a counter counts: AP cards count what their queues do, so queues alone do."""
    subjects = movement.subjects(counter.ops)
    cards = {subject.partition(".")[0] for subject in subjects if "." in subject}
    if counter.kind == "ktls_device":
        # The kernel counts these without a card that can do it, too: it never did, or there is one.
        return [subject for subject in subjects if movement.values[counter.ops, subject] > 0]
    is_ap = counter.kind == "ap_queue"
    return [subject for subject in subjects if not (is_ap and subject in cards)]


def _is_random(provider: str) -> bool:
    return provider.startswith(_RANDOM)


def shared(rows: list[dict[str, Any]]) -> None:
    """Give each row its share, 0 to 1, of what all of them did; None where nothing was done."""
    total = sum(row["per_second"] or 0.0 for row in rows)
    for row in rows:
        row["share"] = (row["per_second"] or 0.0) / total if total > 0 else None
