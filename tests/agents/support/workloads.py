"""Workloads for tests, and the entry of a job's process that knows them.

`python -m tests.agents.support.workloads <run directory>` is agents.executors.job with these added.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.executors import job
from agents.wire.inventory import WorkloadFacts
from agents.wire.work import RunOutcome, SampleData
from agents.workloads import registry
from agents.workloads.base import (
    RunContext,
    RunResult,
    Workload,
    WorkloadHost,
    WorkloadRefused,
)


class MarkerWorkload(Workload):
    """Leaves a line in `marks` each time it runs, then does what its parameters say."""

    name = "test.marker"

    def check(self, host: WorkloadHost) -> WorkloadFacts:
        return WorkloadFacts(name=self.name, is_eligible=True)

    def validate(self, parameters: Mapping[str, Any]) -> None:
        if "refuse" in parameters:
            raise WorkloadRefused("This host lacks what it takes.")

    def run(self, context: RunContext) -> RunResult:
        parameters = context.parameters
        self.validate(parameters)
        if "marks" in parameters:
            with Path(parameters["marks"]).open("a") as stream:
                stream.write(f"{os.getpid()}\n")
        for number in range(int(parameters.get("samples", 0))):
            context.emit_output(f"line {number}\n")
            context.emit_sample(sample(number))
        self._misbehave(parameters)
        if "seconds" in parameters:
            code = f"import time; time.sleep({parameters['seconds']})"
            context.run_command([sys.executable, "-c", code], timeout_seconds=60)
        return RunResult(outcome=RunOutcome.SUCCEEDED, message="Done.", result={"pid": os.getpid()})

    def _misbehave(self, parameters: Mapping[str, Any]) -> None:
        if "crash" in parameters:
            os.kill(os.getpid(), signal.SIGKILL)
        if "defect" in parameters:
            raise ZeroDivisionError("one over nothing")
        if "escapee" in parameters:
            # A double fork into another session: no longer a descendant of this process.
            code = (
                "import os,time\n"
                "if os.fork(): os._exit(0)\n"
                "os.setsid()\n"
                f"open({parameters['escapee']!r}, 'w').write(f'{{os.getpid()}}\\n')\n"
                "time.sleep(60)\n"
            )
            subprocess.run([sys.executable, "-c", code], check=True)
        if "stubborn" in parameters:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(60)


def sample(number: int) -> SampleData:
    """Return a sample that is recognised by its value."""
    return SampleData(
        variant="software", cell="c", round=number, position=number, metric="rate", unit="ops/s",
        value=float(number), wall_seconds=1.0, user_seconds=0.5, system_seconds=0.25,
    )  # fmt: skip


registry.WORKLOADS = (*registry.WORKLOADS, MarkerWorkload())

if __name__ == "__main__":
    sys.exit(job.main())
