"""Entry of a job's process: carries out one order, in a session of its own.

`python -m agents.executors.job <run directory>` reads order.json and writes events.jsonl. It
outlives the daemon, which takes the events over. One directory is run once: child.json says so.
"""

import json
import logging
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.executors.events import CHILD_FILE, EVENTS_FILE, ORDER_FILE, EventWriter
from agents.executors.process import CommandResult, stream_command
from agents.executors.processtree import identify
from agents.log import configure_logging
from agents.wire.work import RunOutcome, SampleData
from agents.workloads.base import DeadlinePassed, RunCancelled, RunResult, WorkloadRefused
from agents.workloads.registry import get_workload

EXIT_RUN_BEFORE = 3
NOT_MEASURED = (
    "This host is simulated: a figure measured on the machine that simulates it would say nothing "
    "of the one that it stands for. Run the job on a real host."
)

_log = logging.getLogger(__name__)


class JobContext:
    """What a workload gets (agents.workloads.base.RunContext)."""

    def __init__(
        self,
        parameters: Mapping[str, Any],
        writer: EventWriter,
        *,
        state_dir: Path,
        deadline_seconds: float,
    ) -> None:
        self.parameters = parameters
        self.state_dir = state_dir
        self._writer = writer
        self._deadline = time.monotonic() + deadline_seconds
        self._is_cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether someone asked to stop."""
        return self._is_cancelled

    def cancel(self) -> None:
        """Ask the run to stop."""
        self._is_cancelled = True

    def remaining_seconds(self) -> float:
        """Return the seconds until the run's hard limit."""
        return self._deadline - time.monotonic()

    def run_command(
        self,
        argv: Sequence[str],
        *,
        timeout_seconds: float,
        env: Mapping[str, str] | None = None,
    ) -> CommandResult:
        """Run a program within the run's limits. Raises RunCancelled or DeadlinePassed."""
        self._check_limits()
        result = stream_command(
            argv,
            timeout_seconds=min(timeout_seconds, self.remaining_seconds()),
            should_stop=lambda: self._is_cancelled,
            env=env,
        )
        self._check_limits()
        return result

    def emit_sample(self, sample: SampleData) -> None:
        """Report one measured figure, durably."""
        self._writer.sample(sample)

    def emit_output(self, text: str, stream: str = "stdout") -> None:
        """Report raw output."""
        self._writer.output(text, stream)

    def emit_progress(
        self, *, done: int, total: int, remaining_seconds: float | None, doing: str
    ) -> None:
        """Report how far the run is."""
        self._writer.progress(
            {"done": done, "total": total, "remaining_seconds": remaining_seconds, "doing": doing}
        )

    def _check_limits(self) -> None:
        if self._is_cancelled:
            raise RunCancelled
        if self.remaining_seconds() <= 0:
            raise DeadlinePassed


def run_order(order: Mapping[str, Any], context: JobContext) -> RunResult:
    """Run the workload that the order names, and turn whatever it raises into an outcome.

    Nothing is measured for a simulated host, also where the console should have asked for it.
    """
    if order.get("is_simulated"):
        return RunResult(outcome=RunOutcome.FAILED, message=NOT_MEASURED)
    try:
        return get_workload(str(order["parameters"].get("workload", ""))).run(context)
    except WorkloadRefused as refusal:
        return RunResult(outcome=RunOutcome.FAILED, message=refusal.sentence, result=refusal.result)
    except RunCancelled:
        return RunResult(
            outcome=RunOutcome.CANCELLED, message="Cancelled on request; what was measured is kept."
        )
    except DeadlinePassed:
        message = (
            f"Not finished within its limit of {order['deadline_seconds']} s and ended; what was "
            "measured is kept. Ask for fewer algorithms, sizes or rounds."
        )
        return RunResult(outcome=RunOutcome.FAILED, message=message)
    except Exception as error:
        _log.exception("job.defect")
        message = (
            f"The workload failed with a defect of Keyrack's: {type(error).__name__}: {error}. "
            "The agent's log on the host has the details; please report it."
        )
        return RunResult(outcome=RunOutcome.ERRORED, message=message)


def main(arguments: list[str] | None = None) -> int:
    """Run one directory's order; exit code 3 where it was run before."""
    (directory,) = sys.argv[1:] if arguments is None else arguments
    run_dir = Path(directory)
    if not _take_possession(run_dir):
        return EXIT_RUN_BEFORE
    configure_logging("info")
    order = json.loads((run_dir / ORDER_FILE).read_bytes())
    writer = EventWriter(run_dir / EVENTS_FILE)
    context = JobContext(
        order["parameters"].get("parameters", {}),
        writer,
        state_dir=Path(order["state_dir"]),
        deadline_seconds=order["deadline_seconds"],
    )
    signal.signal(signal.SIGTERM, lambda *_: context.cancel())
    result = run_order(order, context)
    writer.finished(result.outcome, result.message, result.result)
    return 0


def _take_possession(run_dir: Path) -> bool:
    """Say in child.json who runs this directory; False when someone did before. At most one can."""
    identity = identify(os.getpid())
    start_time = identity.start_time if identity else ""
    temporary = run_dir / f".{CHILD_FILE}.{os.getpid()}"
    temporary.write_text(json.dumps({"pid": os.getpid(), "start_time": start_time}))
    try:
        os.link(temporary, run_dir / CHILD_FILE)
    except FileExistsError:
        return False
    finally:
        temporary.unlink()
    return True


if __name__ == "__main__":
    sys.exit(main())
