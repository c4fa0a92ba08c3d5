"""Jobs: from POST to running, and openssl.speed through Keyrack beside the same command by hand."""

import os
import statistics
import subprocess
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from agents.executors.process import FIXED_ENVIRONMENT
from tests.load.embedded import Embedded, EventListener
from tests.load.report import Row, median_interval

MOST_LATENCY_SECONDS = 0.080
MOST_DEVIATION = 0.03
_TIMES = 30
_PAIRS = 15
_ALGORITHM = "aes-128-cbc"
_PER_SIDE = 5
_FINAL = {"succeeded", "failed", "errored", "cancelled", "lost", "expired"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Seconds from sending the POST until each stage of one run."""

    queued: float
    claimed: float
    started: float
    told: float
    """Until the event stream told of the state *running*."""


def measure_latency(embedded: Embedded) -> list[Row]:
    """Start and cancel jobs; time from sending the POST until the console says *running*."""
    with embedded.client() as client, EventListener(embedded, "run") as events:
        starts = [_start_one(client, events, embedded.host_id) for _ in range(_TIMES + 1)][1:]
    found = median_interval([start.told for start in starts])
    stages = ", ".join(
        f"{name} {statistics.median(getattr(start, name) for start in starts) * 1000:.0f}"
        for name in ("queued", "claimed", "started")
    )
    return [
        Row(
            name="from POST /jobs/ to *running*",
            measured=f"{found.median * 1000:.0f} ms median "
            f"({found.low * 1000:.0f} – {found.high * 1000:.0f})",
            promise=f"≤ {MOST_LATENCY_SECONDS * 1000:.0f} ms",
            is_met=found.median <= MOST_LATENCY_SECONDS,
            how=f"{_TIMES} jobs, as the event stream tells it; on the way, in ms: {stages}",
        )
    ]


def _start_one(client: httpx.Client, events: EventListener, host_id: str) -> Start:
    seen = events.count()
    sent = time.time()
    run_id = _start(client, host_id, {"algorithms": ["sha256"], "seconds": 10, "control": False})
    while True:
        seen, told = events.wait(run_id, after=seen, seconds=20)
        run = client.get(f"/api/v1/runs/{run_id}/").raise_for_status().json()
        if run["state"] == "running":
            break
        if run["state"] in _FINAL:
            raise RuntimeError(f"the run ended as {run['state']} before it was seen running")
    client.post(f"/api/v1/runs/{run_id}/cancel/").raise_for_status()
    _ended(client, run_id)
    time.sleep(0.5)
    stages = {
        name: datetime.fromisoformat(run[f"{name}_at"]).timestamp() - sent
        for name in ("queued", "claimed", "started")
    }
    return Start(**stages, told=told - sent)


def measure_speed(embedded: Embedded) -> list[Row]:
    """Interleave jobs with the same commands by hand, and compare the medians of each pair."""
    ratios: list[float] = []
    with embedded.client() as client:
        for number in range(_PAIRS):
            sides = [lambda: _by_keyrack(client, embedded.host_id), _by_hand]
            first, second = sides if number % 2 == 0 else reversed(sides)
            values = [first(), second()]
            keyrack, hand = values if number % 2 == 0 else reversed(values)
            ratios.append(keyrack / hand)
    found = median_interval(ratios)
    return [
        Row(
            name=f"openssl.speed through Keyrack ÷ by hand ({_ALGORITHM}, 8 KiB)",
            measured=f"{found.median:.4f} ({found.low:.4f} – {found.high:.4f})",
            promise="within 3 %",
            is_met=abs(found.median - 1) <= MOST_DEVIATION,
            how=f"{_PAIRS} interleaved pairs of medians of {_PER_SIDE} one-second runs",
        )
    ]


def _by_keyrack(client: httpx.Client, host_id: str) -> float:
    parameters = {"algorithms": [_ALGORITHM], "pairs": _PER_SIDE, "control": False}
    run_id = _start(client, host_id, parameters)
    run = _ended(client, run_id)
    if run["state"] != "succeeded":
        raise RuntimeError(f"the run ended as {run['state']}: {run['message']}")
    query: dict[str, str | int] = {"run": run_id, "variant": "accelerated", "page_size": 100}
    samples = client.get("/api/v1/samples/", params=query).raise_for_status().json()["results"]
    values = [float(s["value"]) for s in samples if s["variant"] == "accelerated"]
    if len(values) != _PER_SIDE:
        raise RuntimeError(f"{len(values)} samples came instead of {_PER_SIDE}")
    return statistics.median(values)


def _by_hand() -> float:
    """Run it as a person would type it, in that person's environment."""
    argv = ["openssl", "speed", "-mr", "-elapsed", "-seconds", "1", "-bytes", "8192"]
    environment = {**os.environ, "PATH": FIXED_ENVIRONMENT["PATH"]}
    values = []
    for _ in range(_PER_SIDE):
        done = subprocess.run(
            [*argv, "-evp", _ALGORITHM], env=environment, capture_output=True, text=True, check=True
        )
        (line,) = [text for text in done.stdout.splitlines() if text.startswith("+F:")]
        values.append(float(line.rpartition(":")[2]))
    return statistics.median(values)


def _start(client: httpx.Client, host_id: str, parameters: dict[str, Any]) -> str:
    order = {"workload": "openssl.speed", "hosts": [host_id], "parameters": parameters}
    reply = client.post("/api/v1/jobs/", json=order)
    if reply.is_error:
        raise RuntimeError(f"the job was not accepted: {reply.text[:300]}")
    return str(reply.json()["runs"][0]["id"])


def _ended(client: httpx.Client, run_id: str) -> dict[str, Any]:
    while True:
        run: dict[str, Any] = client.get(f"/api/v1/runs/{run_id}/").raise_for_status().json()
        if run["state"] in _FINAL:
            return run
        time.sleep(0.25)
