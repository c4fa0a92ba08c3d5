"""A heartbeat with nothing new: CPU time beside an empty view of the same server, and writes."""

import sqlite3
import statistics
from pathlib import Path

from agents.wire import codec
from agents.wire.inventory import Gauge
from agents.wire.messages import HeartbeatRequest
from agents.wire.names import PATH_HEARTBEAT, WorkKind
from tests.load.processes import cpu_seconds
from tests.load.report import Row, median_interval
from tests.load.server import (
    AGENT_VERSION,
    BenchConsole,
    Caller,
    EnrolledHost,
    Server,
    enrolled_host,
    serving,
)

EMPTY = "/agent/bench/empty/"
MOST = 3.0
_REQUESTS = 1500
_PAIRS = 8
_WARM_UP = 200


def measure(console: BenchConsole) -> list[Row]:
    """Measure under both interfaces."""
    rows: list[Row] = []
    for interface in ("wsgi", "asgi"):
        with serving(console, interface) as server:
            rows += _measure(console, server, interface)
    return rows


def _measure(console: BenchConsole, server: Server, interface: str) -> list[Row]:
    host = enrolled_host(console, server)
    caller = Caller(server, host.credential)
    body = _heartbeat(host)
    caller.post(EMPTY, body, _WARM_UP)
    caller.post(PATH_HEARTBEAT, body, _WARM_UP)
    before = _commits(console.database)
    spent: dict[str, list[float]] = {EMPTY: [], PATH_HEARTBEAT: []}
    for number in range(_PAIRS):
        order = (EMPTY, PATH_HEARTBEAT) if number % 2 == 0 else (PATH_HEARTBEAT, EMPTY)
        for path in order:
            started = cpu_seconds(server.pid)
            caller.post(path, body, _REQUESTS)
            spent[path].append((cpu_seconds(server.pid) - started) / _REQUESTS)
    writes = _commits(console.database) != before
    ratio = median_interval(
        [beat / empty for beat, empty in zip(spent[PATH_HEARTBEAT], spent[EMPTY], strict=True)]
    )
    each = {path: statistics.median(values) * 1000 for path, values in spent.items()}
    how = f"{_PAIRS} interleaved pairs of {_REQUESTS} requests, one connection, one worker"
    return [
        Row(
            name=f"heartbeat ÷ empty view, CPU time, {interface.upper()}",
            measured=f"{ratio.median:.2f} ({ratio.low:.2f} – {ratio.high:.2f}); "
            f"{each[PATH_HEARTBEAT]:.2f} ms ÷ {each[EMPTY]:.2f} ms",
            promise=f"≤ {MOST:.0f}",
            is_met=ratio.median <= MOST,
            how=how,
        ),
        Row(
            name=f"commits to the database by {_PAIRS * _REQUESTS} heartbeats, {interface.upper()}",
            measured="some" if writes else "none",
            promise="none",
            is_met=not writes,
            how="SQLite's data_version before and after",
        ),
    ]


def _heartbeat(host: EnrolledHost) -> bytes:
    request = HeartbeatRequest(
        snapshot_digest=host.digest,
        agent_version=AGENT_VERSION,
        allow=[kind.value for kind in WorkKind],
        boot_id="bench",
        uptime_seconds=1000.0,
        gauges=[Gauge(name="token.sessions", subject_key=f"t{n}", value=n) for n in range(6)],
    )
    return codec.encode(request)


_READERS: dict[Path, sqlite3.Connection] = {}


def _commits(database: Path) -> int:
    """Return SQLite's data_version: it changes when another connection commits a change."""
    if database not in _READERS:
        _READERS[database] = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    (version,) = _READERS[database].execute("PRAGMA data_version").fetchone()
    return int(version)
