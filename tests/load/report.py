"""Rows of the benchmark table, and the few statistics that they need."""

import math
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_LOAD_AT_START = os.getloadavg()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One promise and what was measured. `is_met` None: too noisy to tell."""

    name: str
    measured: str
    promise: str = ""
    is_met: bool | None = None
    how: str = ""


@dataclass(frozen=True, slots=True)
class Interval:
    """A median and an interval around it that holds the true one in at least 95 of 100 cases."""

    median: float
    low: float
    high: float


def median_interval(values: Sequence[float]) -> Interval:
    """Return the median with its distribution-free interval (order statistics, binomial).

    Raises ValueError below six values: no such interval reaches 95 % then.
    """
    ordered = sorted(values)
    number = len(ordered)
    rank = 0
    outside = 0.0
    for candidate in range(1, number // 2 + 1):
        outside += 2 * math.comb(number, candidate - 1) / 2**number
        if outside > 0.05:
            break
        rank = candidate
    if rank == 0:
        raise ValueError(f"{number} values give no 95 % interval")
    return Interval(statistics.median(ordered), ordered[rank - 1], ordered[number - rank])


def machine() -> str:
    """Return a line on where and when this was measured, and how busy the machine was before."""
    cpuinfo = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    models = [line.partition(": ")[2] for line in cpuinfo.splitlines() if "model name" in line]
    load = ", ".join(f"{value:.1f}" for value in _LOAD_AT_START)
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} × {models[0] if models else 'CPU'}, "
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}, "
        f"load averages at the start {load}"
    )


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| what | measured | promised | met | how |", "|---|---|---|---|---|"]
    words = {True: "yes", False: "**no**", None: "too noisy to tell"}
    for row in rows:
        cells = (row.name, row.measured, row.promise or "–", words[row.is_met], row.how)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
