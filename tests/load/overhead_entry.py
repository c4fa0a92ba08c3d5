"""A change's process as the agent starts it, which also writes down what its steps spend time on.

`python -m tests.load.overhead_entry <run directory>` writes spent.json beside the run's own files.
"""

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from agents.changes import apply, context
from agents.changes.step_journal import StepJournal
from agents.executors import change

SPENT_FILE = "spent.json"

steps: list[dict[str, float]] = []
"""Seconds of each step by what they went on; `whole` is all of it."""


def timed(owner: Any, name: str, what: str) -> None:
    """Add the time of each call of `owner.name` to the step that is being run."""
    original = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if what == "whole":
            steps.append(defaultdict(float))
        spent = steps[-1] if steps else defaultdict(float)
        started = time.perf_counter()
        try:
            return original(*args, **kwargs)
        finally:
            spent[what] += time.perf_counter() - started

    setattr(owner, name, wrapped)


def main() -> int:
    """Carry the order out; return the exit code of the change's process."""
    timed(apply, "_run_step", "whole")
    timed(context.PhaseContext, "read", "reading")
    timed(StepJournal, "_append", "journal")
    timed(context, "prepare_tool", "starting")
    timed(context, "wait_for_tool", "tool")
    # The verification after the last step is not a step's.
    finish = apply.finish_phase
    counted: list[dict[str, float]] = []

    def finish_phase(phase: context.PhaseContext) -> Any:
        counted.extend(dict(step) for step in steps)
        return finish(phase)

    vars(apply)["finish_phase"] = finish_phase
    code = change.main()
    (Path(sys.argv[1]) / SPENT_FILE).write_text(json.dumps(counted), "utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
