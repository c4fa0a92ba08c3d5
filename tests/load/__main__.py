"""Runs the benchmarks, prints one Markdown table, and ends with 1 where a promise is not kept.

`python -m tests.load` runs all; `python -m tests.load heartbeat ingest` only those.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.load import (
    agent,
    batch,
    heartbeat,
    ingest,
    jobs,
    matrix,
    overhead,
    page,
    planning,
    snapshot,
)
from tests.load.embedded import Embedded, embedded_running
from tests.load.report import Row, machine, table
from tests.load.server import BenchConsole, bench_console
from tests.support.redis import redis_running

T = TypeVar("T")

ON_A_SERVER: dict[str, Callable[[BenchConsole], list[Row]]] = {
    "heartbeat": heartbeat.measure,
    "ingest": ingest.measure,
    "batch": batch.measure,
    "matrix": matrix.measure,
}
ON_EVERYTHING: dict[str, Callable[[Embedded], list[Row]]] = {
    "snapshot": snapshot.measure,
    "agent": agent.measure,
    "latency": jobs.measure_latency,
    "speed": jobs.measure_speed,
}
_QUIET = 0.5
ALONE: dict[str, Callable[[], list[Row]]] = {
    "planning": planning.measure,
    "overhead": overhead.measure,
    "page": page.measure,
}
NAMES = (*ON_A_SERVER, *ON_EVERYTHING, *ALONE)


def main() -> int:
    """Run what was asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], metavar="|".join(NAMES))
    wanted = parser.parse_args().names or list(NAMES)
    rows: list[Row] = []
    if (load := os.getloadavg()[0]) > _QUIET:
        print(f"Load average {load:.1f}: these figures want an idle machine.", file=sys.stderr)
    # So that what was started is stopped also when we are.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="keyrack-bench-") as folder:
        rows += _on_a_server(Path(folder), [name for name in wanted if name in ON_A_SERVER])
        rows += _on_everything(Path(folder), [name for name in wanted if name in ON_EVERYTHING])
    rows += [row for name, run in ALONE.items() if name in wanted for row in run()]
    print(f"{machine()}\n\n{table(rows)}")
    return 1 if any(row.is_met is False for row in rows) else 0


def _on_a_server(folder: Path, names: list[str]) -> list[Row]:
    rows: list[Row] = []
    if names:
        (folder / "server").mkdir()
        with redis_running(folder / "server") as redis_url:
            console = bench_console(folder / "server", redis_url)
            for name in names:
                rows += _timed(name, ON_A_SERVER[name], console)
    return rows


def _on_everything(folder: Path, names: list[str]) -> list[Row]:
    rows: list[Row] = []
    if names:
        with embedded_running(folder / "var") as embedded:
            for name in names:
                rows += _timed(name, ON_EVERYTHING[name], embedded)
    return rows


def _timed(name: str, run: Callable[[T], list[Row]], console: T) -> list[Row]:
    started = time.monotonic()
    print(f"{name} …", end=" ", file=sys.stderr, flush=True)
    rows = run(console)
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
