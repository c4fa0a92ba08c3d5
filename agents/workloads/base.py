"""What a workload is, what it gets to run with, and how it says no. No workload lives here."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from agents.executors.process import CommandResult
from agents.wire.inventory import HostFacts, WorkloadFacts
from agents.wire.work import RunOutcome, SampleData


class WorkloadRefused(Exception):
    """This host cannot do what was asked, or its answer cannot be used: outcome `failed`.

    `sentence` says what was refused, why, and what to do next; a person reads it as it stands.
    `result` is what was learnt before the refusal (program version, settings), kept with the run.
    """

    def __init__(self, sentence: str, *, result: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.result = dict(result or {})


class InvalidParameters(WorkloadRefused):
    """The parameters do not fit. `problems` are lines like `sizes_bytes[1]: …`."""

    def __init__(self, workload: str, problems: Sequence[str]) -> None:
        super().__init__(f"{workload} does not accept these parameters: " + "; ".join(problems))
        self.problems = list(problems)


class RunCancelled(Exception):
    """Raised by the context once someone asked to stop: outcome `cancelled`. Let it pass."""


class DeadlinePassed(Exception):
    """Raised by the context once the run's hard limit has passed: outcome `failed`. Let it pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadHost:
    """The host as a workload's `check` sees it."""

    facts: HostFacts
    state_dir: Path
    """Where answers that are expensive to find may be cached, keyed by what they depend on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """How a run ended. `message` is for a person; `result` belongs to the run as a whole."""

    outcome: RunOutcome
    message: str
    result: dict[str, Any] = field(default_factory=dict)


class RunContext(Protocol):
    """What the job's process gives to a running workload."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The order's parameters as they came; `Workload.run` checks them again."""

    @property
    def state_dir(self) -> Path:
        """The same directory that `WorkloadHost.state_dir` names."""

    @property
    def cancelled(self) -> bool:
        """Whether someone asked to stop. `run_command` ends its child then, and raises."""

    def remaining_seconds(self) -> float:
        """Return the seconds left until the run's hard limit; 0 or less: it has passed."""

    def run_command(
        self,
        argv: Sequence[str],
        *,
        timeout_seconds: float,
        env: Mapping[str, str] | None = None,
    ) -> CommandResult:
        """Run one program as `agents.executors.process.run_command` does, within the run's limits.

        `env` is added to the fixed environment. Raises RunCancelled or DeadlinePassed, both
        before it starts anything and within 2 s while the program runs (its process group is
        ended first). A `timeout_seconds` that passes is not an error: see `timed_out`.
        """

    def emit_sample(self, sample: SampleData) -> None:
        """Report one measured figure."""

    def emit_output(self, text: str, stream: str = "stdout") -> None:
        """Report raw output of a program, as it came. `stream`: `stdout` or `stderr`."""

    def emit_progress(
        self, *, done: int, total: int, remaining_seconds: float | None, doing: str
    ) -> None:
        """Report how far it is. `remaining_seconds` None: not known; `doing` is for a person."""


class Workload(ABC):
    """One kind of acceleration job. Instances hold no state between calls."""

    name: ClassVar[str]
    """Dotted, noun first, the same word as in the console's catalogue: `openssl.speed`."""

    @abstractmethod
    def check(self, host: WorkloadHost) -> WorkloadFacts:
        """Return whether this host can run it, and with which choices. A host's lack never raises.

        Part of every inventory scan and of the snapshot's digest: under a second, no timing, and
        the same answer as long as nothing on the host changed.
        """

    @abstractmethod
    def validate(self, parameters: Mapping[str, Any]) -> None:
        """Raise InvalidParameters, naming each path, unless the parameters are well formed.

        Looks at form and bounds only; whether this host can do it is found by `run`.
        """

    @abstractmethod
    def run(self, context: RunContext) -> RunResult:
        """Measure. Checks the parameters first and emits every sample as soon as it exists.

        Raises WorkloadRefused where the host says no, RunCancelled and DeadlinePassed from the
        context; anything else that escapes is a defect of ours (outcome `errored`).
        """
