"""What a kind of change is, and what it gets to work with. No kind lives here."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from agents.executors.process import CommandResult
from agents.wire.changes import Plan, Refusal, StepPlan
from agents.wire.inventory import Attribute

S = TypeVar("S")


class ChangeRefused(Exception):
    """The host's rules forbid this; nothing was run. Carries the refusal for a person."""

    def __init__(self, code: str, message: str, remedy: str = "", subject: str = "") -> None:
        super().__init__(f"{message} {remedy}".strip())
        self.refusal = Refusal(code=code, message=message, remedy=remedy, subject=subject)


class Reader(Protocol):
    """Runs commands and reads files that change nothing. Planning gets this and nothing else."""

    def run(self, argv: Sequence[str], *, timeout_seconds: float = 30.0) -> CommandResult:
        """Run a read-only command by its full path. Raises CommandNotStarted."""

    def read_text(self, path: str) -> str | None:
        """Return a file's text; None where it is not there. Raises OSError for other reasons."""


@dataclass(frozen=True, slots=True)
class Seen(Generic[S]):
    """One fresh read: `state` for the planner, `parts` for preconditions and read-back."""

    state: S
    parts: Mapping[str, Attribute]


class ChangeKind(ABC, Generic[S]):
    """One kind of change on one platform. One module, and one line in its driver's `kinds`."""

    name: ClassVar[str]
    """Dotted, noun first: `unit.assign`."""

    @abstractmethod
    def applies(self, reader: Reader) -> str:
        """Return why this host cannot do it at all (no `ldm` here), or an empty string."""

    @abstractmethod
    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[S]:
        """Look at what the kind needs, and no more: it is called before and after each step.

        `parameters` only narrow the look (which provider). Raises ChangeRefused where the host
        cannot be read (ldmd is down, output that no parser knows), naming what it said.
        """

    def is_proved_by_reading(self, step: StepPlan) -> bool:
        """Return whether `after`, read back, proves all that the step does.

        Otherwise its tool has to exit with 0 as well; one that was killed, or ended while nobody
        waited for it, is undone.
        """
        return True

    @abstractmethod
    def plan(self, parameters: Mapping[str, Any], seen: Seen[S]) -> Plan:
        """Return the plan that leads from `seen` to what is asked for. Pure.

        Equal arguments give equal plans. It checks `parameters` (the agent trusts nobody) and
        raises ChangeRefused with `parameters.invalid` or a rule of the host. `digest` fields are
        left empty: agents.changes.plans.sealed fills them. Planning again after the last step of a
        phase gives the phases that remain, with the same digests; after the last one, a no-op.
        """
