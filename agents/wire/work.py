"""Work orders, and what an agent reports of them."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class RunOutcome(StrEnum):
    """How a run ended, as the agent knows it. `failed`: the host said no; `errored`: our bug."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ERRORED = "errored"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOrder:
    """One piece of work, handed out in the reply to a claim. The same nonce gets the same order."""

    work_id: str
    kind: str
    """A `WorkKind`."""
    lane: str
    nonce: str
    parameters: dict[str, Any] = field(default_factory=dict)
    """Checked again by the agent. `job.run`: `{"workload": …, "parameters": {…}}`. `change.plan`:
    `{"kind": …, "parameters": {…}}`; `change.apply`: the same, `plan_digest`, `phase` and
    `phase_digests` (of all phases of the approved plan).
    """
    lease_seconds: int = 60
    """Renew well before this has passed; after it the console says *contact lost*."""
    deadline_seconds: int = 3600
    """Hard limit for the work itself; the agent ends it then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuSplit:
    """The host's CPU time over a window, as fractions of all processors (0 … 1)."""

    user: float = 0.0
    system: float = 0.0
    idle: float = 0.0
    iowait: float = 0.0
    steal: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleData:
    """One measured figure of one variant in one cell of a job, e.g. aes-128-cbc at 8192 bytes,
    round 3.
    """

    variant: str
    """`accelerated`, `software`, or the workload's own names."""
    cell: str
    """What was measured, e.g. `aes-128-cbc/8192/encrypt`; samples of one cell are comparable."""
    round: int
    """The pair it belongs to, from 0. Samples of one cell and round form a pair."""
    position: int
    """Order within the run, from 0: shows the interleaving."""
    metric: str
    """`throughput` or `rate`."""
    unit: str
    """`B/s` or `ops/s`."""
    value: float
    operations: int | None = None
    bytes: int | None = None
    wall_seconds: float
    user_seconds: float
    system_seconds: float
    host_cpu: CpuSplit = field(default_factory=CpuSplit)
    started_at: str = ""
    notes: list[str] = field(default_factory=list)
    """Doubts about this sample (steal, another load, parsed figure against our own clock)."""


class ReportKind(StrEnum):
    """Kinds of report about a run, in the order they may come."""

    STARTED = "started"
    OUTPUT = "output"
    PROGRESS = "progress"
    SAMPLE = "sample"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report. `seq` counts from 1 within the agent's life and never goes back, over restarts
    too.

    Exactly the fields of its kind are filled: OUTPUT `text`, `stream` and `chunk` (from 0 in a run,
    so a replay is recognised); PROGRESS `progress`; SAMPLE `sample`; FINISHED `outcome`, `message`,
    `result`.
    """

    seq: int
    kind: str
    work_id: str
    nonce: str
    at: str
    """When it happened on the host, ISO 8601 UTC."""
    chunk: int | None = None
    step: int | None = None
    """OUTPUT of a change: the step that wrote it, from 0 in its phase."""
    stream: str = "stdout"
    text: str = ""
    progress: dict[str, Any] = field(default_factory=dict)
    """`{"done": 3, "total": 20, "remaining_seconds": 17.5, "doing": "aes-128-cbc, software"}`"""
    sample: SampleData | None = None
    outcome: str = ""
    message: str = ""
    """What happened, to what, what to do next; for a person."""
    result: dict[str, Any] = field(default_factory=dict)
    """What belongs to the run as a whole: program versions, masks, the program's own word on them;
    `change.plan`: `{"plan": Plan}` or `{"refusal": Refusal}`; `change.apply`: an `ApplyResult`.
    """
