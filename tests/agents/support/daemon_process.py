"""The daemon as a process of its own for tests: test workloads, a small scan, and kill points.

`python -m tests.agents.support.daemon_process <state dir> <kill at> [count file]`: at the given
point (1 is the first, 0 none) the process kills itself with SIGKILL. Points lie before and after
each line of journal and outbox, each start of a child, each claim and each handing-in of reports.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.client import ConsoleClient
from agents.config import AgentConfig, Config, load_config
from agents.daemon import run_daemon
from agents.journal import Journal
from agents.log import configure_logging
from agents.outbox import Outbox
from agents.worker import changes, runs, scans


class KillPoints:
    """Counts points and dies at the chosen one."""

    def __init__(self, kill_at: int, count_file: Path | None) -> None:
        self._left = kill_at
        self._count = 0
        self._count_file = count_file
        self._lock = threading.Lock()

    def point(self, name: str) -> None:
        """Pass a point."""
        with self._lock:
            self._count += 1
            if self._count_file is not None:
                with self._count_file.open("a") as stream:
                    stream.write(f"{self._count} {name}\n")
            if self._count == self._left:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: Any, name: str) -> None:
        """Put a point before and after each call of `owner.name`."""
        original: Callable[..., Any] = getattr(owner, name)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            self.point(f"before {name}")
            result = original(*args, **kwargs)
            self.point(f"after {name}")
            return result

        setattr(owner, name, wrapped)


def main() -> int:
    """Run the daemon of a state directory that is enrolled already."""
    state_dir, kill_at = Path(sys.argv[1]), int(sys.argv[2])
    points = KillPoints(kill_at, Path(sys.argv[3]) if len(sys.argv) > 3 else None)
    for owner, name in (
        (Journal, "_append"),
        (Outbox, "_write"),
        (runs, "spawn_detached"),
        (ConsoleClient, "claim"),
        (ConsoleClient, "reports"),
    ):
        points.around(owner, name)
    runs.JOB_ENTRY = ("-m", "tests.agents.support.workloads")
    changes.CHANGE_ENTRY = ("-m", "tests.agents.support.change_entry")
    scans.SCAN_ENTRY = ("-m", "tests.agents.support.scan_entry")
    configure_logging("info")
    config = state_dir.with_suffix(".toml")
    if config.exists():
        return run_daemon(load_config(config))
    return run_daemon(Config(agent=AgentConfig(), state_dir=state_dir))


if __name__ == "__main__":
    sys.exit(main())
