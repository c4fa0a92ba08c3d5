"""CPU accounting: how a host's processors spent a window of time, from /proc/stat."""

import os
from dataclasses import dataclass
from pathlib import Path

from agents.parsers.base import UnexpectedOutput
from agents.wire.work import CpuSplit

PROC_STAT = Path("/proc/stat")


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuTicks:
    """Clock ticks of all processors together since boot (proc(5), first line of /proc/stat).

    `user` holds nice, and guests' time, which the kernel counts there already; `system` holds both
    kinds of interrupt.
    """

    user: int
    system: int
    idle: int
    iowait: int
    steal: int

    @property
    def total(self) -> int:
        """All ticks."""
        return self.user + self.system + self.idle + self.iowait + self.steal


def parse_proc_stat(text: str) -> CpuTicks:
    """Parse /proc/stat's first line. Raises UnexpectedOutput when it is not that."""
    line = text.partition("\n")[0]
    name, *fields = line.split()[:9] or [""]
    if name != "cpu" or len(fields) < 4 or not all(word.isdigit() for word in fields):
        raise UnexpectedOutput(1, line)
    numbers = [int(word) for word in fields] + [0] * (8 - len(fields))
    user, nice, system, idle, iowait, irq, softirq, steal = numbers
    return CpuTicks(
        user=user + nice, system=system + irq + softirq, idle=idle, iowait=iowait, steal=steal
    )


def cpu_split(before: CpuTicks, after: CpuTicks) -> CpuSplit:
    """Return the fractions of all processors' time between two readings.

    A counter that went back (iowait may, says proc(5)) counts as 0; all zero when no tick passed.
    """
    spent = {
        name: max(0, getattr(after, name) - getattr(before, name))
        for name in ("user", "system", "idle", "iowait", "steal")
    }
    total = sum(spent.values())
    if total == 0:
        return CpuSplit()
    return CpuSplit(**{name: ticks / total for name, ticks in spent.items()})


class CpuMeter:
    """Measures one window: made at its start, read at its end."""

    def __init__(self, path: Path = PROC_STAT) -> None:
        self._path = path
        self._before = self._read()

    def split(self) -> CpuSplit | None:
        """Return the split since the start, None where the kernel has no such file."""
        after = self._read()
        if self._before is None or after is None:
            return None
        return cpu_split(self._before, after)

    def _read(self) -> CpuTicks | None:
        try:
            return parse_proc_stat(self._path.read_text("ascii"))
        except (OSError, UnexpectedOutput):
            return None


def usable_cpu_count() -> int:
    """Return how many processors this process may use (its affinity), at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
