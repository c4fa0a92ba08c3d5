"""A run context that keeps what a workload reports, for tests."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.executors.process import CommandResult, stream_command
from agents.wire.work import SampleData
from agents.workloads.base import DeadlinePassed, RunCancelled


class RecordingContext:
    """Behaves as the job's process does, with `cancel_when` as the console's wish to stop."""

    def __init__(
        self,
        state_dir: Path,
        parameters: Mapping[str, Any],
        *,
        seconds: float = 600.0,
        cancel_when: Callable[[], bool] = lambda: False,
    ) -> None:
        self.parameters = parameters
        self.state_dir = state_dir
        self.samples: list[SampleData] = []
        self.output: list[tuple[str, str]] = []
        self.progress: list[dict[str, Any]] = []
        self.commands: list[CommandResult] = []
        self._deadline = time.monotonic() + seconds
        self._cancel_when = cancel_when

    @property
    def cancelled(self) -> bool:
        return self._cancel_when()

    def remaining_seconds(self) -> float:
        return self._deadline - time.monotonic()

    def run_command(
        self,
        argv: Sequence[str],
        *,
        timeout_seconds: float,
        env: Mapping[str, str] | None = None,
    ) -> CommandResult:
        self._check()
        result = stream_command(
            argv, timeout_seconds=timeout_seconds, env=env, should_stop=self._should_stop
        )
        self._check()
        self.commands.append(result)
        return result

    def _should_stop(self) -> bool:
        return self.cancelled or self.remaining_seconds() <= 0

    def _check(self) -> None:
        if self.cancelled:
            raise RunCancelled
        if self.remaining_seconds() <= 0:
            raise DeadlinePassed

    def emit_sample(self, sample: SampleData) -> None:
        self.samples.append(sample)

    def emit_output(self, text: str, stream: str = "stdout") -> None:
        self.output.append((stream, text))

    def emit_progress(
        self, *, done: int, total: int, remaining_seconds: float | None, doing: str
    ) -> None:
        self.progress.append(
            {
                "done": done,
                "total": total,
                "remaining_seconds": remaining_seconds,
                "doing": doing,
            }
        )
