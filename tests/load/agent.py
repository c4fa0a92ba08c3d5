"""What an idle agent costs: memory and CPU of all its processes over a minute."""

import time

from tests.load.embedded import Embedded
from tests.load.processes import cpu_seconds, family, pss_bytes
from tests.load.report import Row

MOST_BYTES = 60 << 20
MOST_CPU = 0.005
_SECONDS = 60.0
_SETTLE_SECONDS = 10.0


def measure(embedded: Embedded) -> list[Row]:
    """Watch the local agent while nothing is asked of it."""
    pid = embedded.agent_pid()
    time.sleep(_SETTLE_SECONDS)
    started, before = time.monotonic(), cpu_seconds(pid)
    most = 0
    while time.monotonic() - started < _SECONDS:
        most = max(most, pss_bytes(pid))
        time.sleep(5)
    share = (cpu_seconds(pid) - before) / (time.monotonic() - started)
    how = f"local agent, {_SECONDS:.0f} s with heartbeats and no scan"
    return [
        Row(
            name="idle agent, memory of all its processes",
            measured=f"{most / (1 << 20):.1f} MB PSS in {len(family(pid))} processes",
            promise="≤ 60 MB",
            is_met=most <= MOST_BYTES,
            how=f"{how}; highest of the readings, smaps_rollup",
        ),
        Row(
            name="idle agent, CPU",
            measured=f"{share:.2%} of one processor",
            promise="< 0.5 %",
            is_met=share < MOST_CPU,
            how=how,
        ),
    ]
