"""Changes on the wire: what is asked for, the plan the agent makes of it, how applying it went."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from agents.wire.inventory import Attribute

CHANGE_KINDS = (
    "unit.assign",
    "metaslot.enable",
    "metaslot.disable",
    "metaslot.configure",
    "mechanism.policy",
    "provider.install",
    "provider.uninstall",
    "provider.unload",
    "provider.enable",
    "provider.disable",
    "spconfig.save",
    "reconf.cancel",
    "driver.configure",
)
"""All kinds of change. Which of them a host takes, its driver and its own admin say."""


class ConsequenceKind(StrEnum):
    """What a plan does to others, in the words that the dashboard has pictures for."""

    REBOOT = "reboot"
    DOMAIN_RESTART = "domain_restart"
    SESSIONS_CUT = "sessions_cut"
    OUTAGE = "outage"
    UNSAVED = "unsaved"
    RESTART_NEEDED = "restart_needed"
    """Running processes keep the old state until they are restarted."""
    DELETE = "delete"
    UNVERIFIED = "unverified"
    """How the platform takes this up is not verified; the text says what is not known."""


class Risk(StrEnum):
    """How much can go wrong, least first."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class StepState(StrEnum):
    """How far a step got."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDOING = "undoing"
    UNDONE = "undone"
    UNDO_FAILED = "undo_failed"
    SKIPPED = "skipped"


class ApplyState(StrEnum):
    """How applying one phase ended, as the agent saw it on the host."""

    SUCCEEDED = "succeeded"
    """This phase's promises were read back; `is_last` phases end the change."""
    WAITING_REBOOT = "waiting_reboot"
    STALE = "stale"
    """The fresh plan differs from the approved one: nothing was run; the new plan is beside it."""
    FAILED = "failed"
    """Nothing of it stands: the first step failed, or it was refused before the first step."""
    ROLLED_BACK = "rolled_back"
    NEEDS_ATTENTION = "needs_attention"
    CANCELLED = "cancelled"
    """Cancelled between steps, what had been done is undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """One thing a plan does beyond its purpose. `subject` names the domain, token or provider."""

    kind: str
    """A `ConsequenceKind`."""
    subject: str
    text: str
    """A sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """A step that rewrites one file. Texts are whole contents; None: the file is not there."""

    path: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPlan:
    """One step: a command or a file edit, its undo, and what a read shows before and after.

    `before` and `after` hold parts (see `Plan.parts`). A step without `undo_argv` that is no file
    edit cannot be undone; `undo_reason` says why.
    """

    title: str
    """What it does, in words: `Take 1 crypto unit from primary (2 → 1)`."""
    argv: list[str] = field(default_factory=list)
    """The exact command; empty for a file edit."""
    edit: FileEdit | None = None
    undo_argv: list[str] = field(default_factory=list)
    undo_reason: str = ""
    before: dict[str, Attribute] = field(default_factory=dict)
    after: dict[str, Attribute] = field(default_factory=dict)
    timeout_seconds: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """Steps that run together. A phase with `waits_for` ends in `waiting_reboot`.

    `settles` is what a read shows once the wait is over. `digest` is over all else of the phase.
    """

    title: str
    steps: list[StepPlan]
    waits_for: list[str] = field(default_factory=list)
    """Domains (or `host`) that a person has to reboot before the next phase can run."""
    wait_text: str = ""
    """What to do and what it stalls: `Reboot primary: the guests' virtual I/O waits meanwhile.`"""
    wait_commands: list[str] = field(default_factory=list)
    """What one would type for it."""
    settles: dict[str, Attribute] = field(default_factory=dict)
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRequest:
    """Desired state for one host: a kind of change and its parameters."""

    kind: str
    """`unit.assign`, `metaslot.enable` …"""
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What applying a request would do, made from one fresh read. Immutable; `digest` binds it.

    The digest is over request, parts and phases: equal for equal inputs, whenever and wherever
    planned. Parts are what the planner looked at, by dotted name and subject: `unit.count/primary`,
    `metaslot.status`, `mechanism.policy/aes`.
    """

    request: ChangeRequest
    sentence: str
    """`Move 1 crypto unit from primary to ldg1.`"""
    parts: dict[str, Attribute]
    phases: list[Phase]
    ends: dict[str, Attribute] = field(default_factory=dict)
    """Parts as they are after the last phase: what drift is measured against."""
    consequences: list[Consequence] = field(default_factory=list)
    risk: str = Risk.LOW.value
    is_noop: bool = False
    warnings: list[str] = field(default_factory=list)
    destroys: list[str] = field(default_factory=list)
    """Names of what is destroyed for good; not empty: the host's name has to be typed."""
    needs_force: str = ""
    """Why only a forced request with a reason and a second person may do this; empty: it need not.
    """
    rollback: ChangeRequest | None = None
    """The request that restores what is now; None: `rollback_reason` says why not."""
    rollback_reason: str = ""
    is_simulated: bool = False
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why no plan could be made: the host's rules, in a sentence, and what to do."""

    code: str
    """Dotted: `unit.core_not_owned`, `reconf.pending`, `parameters.invalid` …"""
    message: str
    remedy: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """How one step went. `phase` and `step` count from 0."""

    phase: int
    step: int
    state: str
    """A `StepState`."""
    exit_code: int | None = None
    message: str = ""
    started_at: str = ""
    ended_at: str = ""
    tool_seconds: float = 0.0
    """The tool's own time; the rest of the step is ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartDifference:
    """One part that is not as it was (or should be)."""

    part: str
    expected: Attribute = None
    found: Attribute = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyResult:
    """The result of one `change.apply` order: one phase, or the look after the last one."""

    state: str
    """An `ApplyState`."""
    phase: int
    is_last: bool
    steps: list[StepResult] = field(default_factory=list)
    stands: list[str] = field(default_factory=list)
    """What stands on the host that should not, or of which nothing is known; sentences."""
    to_type: list[str] = field(default_factory=list)
    """Commands with which a person puts it right."""
    parts: dict[str, Attribute] = field(default_factory=dict)
    """The plan's parts as last read."""
    difference: list[PartDifference] = field(default_factory=list)
    plan: Plan | None = None
    """The new plan where the approved one is stale."""
