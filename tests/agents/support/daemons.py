"""Starting, killing and waiting for daemons in tests."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agents.enrolment import Identity, save_identity
from tests.agents.support.console_stub import CREDENTIAL

ROOT = Path(__file__).resolve().parents[3]


def enrolled(state_dir: Path, url: str, *, broker_url: str = "", host_id: str = "h1") -> Identity:
    """Write the identity that an enrolment would have given."""
    identity = Identity(
        console_url=url, pin="", host_id=host_id, host_name="small", credential=CREDENTIAL,
        broker_url=broker_url, heartbeat_seconds=1, scan_seconds=300,
    )  # fmt: skip
    save_identity(state_dir, identity)
    return identity


class DaemonProcess:
    """One daemon as a process; its log is `<state dir>.log`."""

    def __init__(
        self, state_dir: Path, *, kill_at: int = 0, count_file: Path | None = None
    ) -> None:
        argv = [sys.executable, "-m", "tests.agents.support.daemon_process", str(state_dir)]
        argv += [str(kill_at), *([str(count_file)] if count_file else [])]
        self.log = state_dir.with_suffix(".log")
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(
                argv, cwd=ROOT, stdout=stream, stderr=stream, env={**os.environ, "TZ": "UTC"}
            )

    def kill(self) -> None:
        """SIGKILL, and reap."""
        self.process.kill()
        self.process.wait(10)

    def terminate(self) -> int:
        """SIGTERM; return the exit code."""
        self.process.terminate()
        return self.process.wait(20)

    def end(self) -> None:
        """End it in whatever way, for a test's cleanup."""
        if self.process.poll() is None:
            self.kill()


def wait_until(condition: Callable[[], object], seconds: float = 40.0) -> None:
    """Wait until `condition` holds; AssertionError after `seconds`."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)
