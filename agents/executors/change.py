"""Entry of a change's process: plans, or applies one phase, in a session of its own.

`python -m agents.executors.change <run directory>` reads order.json and writes events.jsonl. It
outlives the daemon. Killed itself, it is started again on the same directory and recovers from the
journal there; a lock sees to it that only one works in a directory.
"""

import fcntl
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agents.changes.endings import after_defect
from agents.changes.orders import Carrying, Ended, carry_out
from agents.changes.step_journal import StepJournal
from agents.config import Config, ConfigError, load_config
from agents.drivers.registry import NoDriver, choose_driver
from agents.executors.events import CHILD_FILE, EVENTS_FILE, ORDER_FILE, EventWriter
from agents.executors.processtree import identify
from agents.files import write_durably
from agents.log import configure_logging
from agents.wire.names import WorkKind
from agents.wire.work import RunOutcome

LOCK_FILE = "change.lock"
CANCEL_FILE = "cancel"
"""Its being there asks to stop between steps; unlike a signal it is not lost with a process."""
EXIT_RUNS_ALREADY = 3

_log = logging.getLogger(__name__)


def run_order(
    order: Mapping[str, Any], run_dir: Path, writer: EventWriter, is_cancelled: Callable[[], bool]
) -> Ended:
    """Carry the order out; a defect of ours becomes an outcome too."""
    limit = time.monotonic() + float(order["deadline_seconds"])
    try:
        config = _config(order)
        driver = choose_driver(config)
        carrying = Carrying(
            config=config,
            driver=driver,
            is_simulated=driver.is_simulated,
            run_dir=run_dir,
            nonce=str(order["nonce"]),
            reporter=writer,
            is_cancelled=is_cancelled,
            remaining_seconds=lambda: limit - time.monotonic(),
        )
        return carry_out(carrying, str(order["kind"]), order["parameters"])
    except Exception as error:
        _log.exception("change.defect")
        return _failed(order, run_dir, error)


def _failed(order: Mapping[str, Any], run_dir: Path, error: Exception) -> Ended:
    """Return what is reported where not even the host's driver could be asked."""
    if order["kind"] == WorkKind.CHANGE_APPLY:
        phase = int(order["parameters"].get("phase", 0))
        ending = after_defect(StepJournal(run_dir).record, phase, error)
        return Ended(outcome=ending.outcome, message=ending.message, result=ending.plain())
    if isinstance(error, ConfigError | NoDriver):
        return Ended(outcome=RunOutcome.FAILED, message=str(error), result={})
    message = f"Planning failed with a defect of Keyrack's: {type(error).__name__}: {error}."
    return Ended(outcome=RunOutcome.ERRORED, message=message, result={})


def _config(order: Mapping[str, Any]) -> Config:
    path = order.get("config")
    return load_config(Path(path) if path else None)


def main(arguments: list[str] | None = None) -> int:
    """Carry out one directory's order; exit code 3 where another process is at it."""
    (directory,) = sys.argv[1:] if arguments is None else arguments
    run_dir = Path(directory)
    lock = os.open(run_dir / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        # Not flock: a tool that waits at its gate, forked from here, would hold that as well.
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return EXIT_RUNS_ALREADY
    configure_logging("info")
    cancelled: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: cancelled.append(True))
    _say_who(run_dir)
    order = json.loads((run_dir / ORDER_FILE).read_bytes())
    writer = EventWriter(run_dir / EVENTS_FILE)
    if not writer.is_finished:
        asked = run_dir / CANCEL_FILE
        ended = run_order(order, run_dir, writer, lambda: bool(cancelled) or asked.exists())
        writer.finished(ended.outcome, ended.message, ended.result)
    return 0


def _say_who(run_dir: Path) -> None:
    identity = identify(os.getpid())
    start_time = identity.start_time if identity else ""
    data = json.dumps({"pid": os.getpid(), "start_time": start_time}).encode()
    write_durably(run_dir / CHILD_FILE, data)


if __name__ == "__main__":
    sys.exit(main())
