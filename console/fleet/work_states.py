"""States of claimable work (job runs, inventory scans), and which may follow which."""

from django.db.models import TextChoices

from console.core.transitions import TransitionTable


class WorkState(TextChoices):
    """`failed`: the host said no. `errored`: a defect of ours. `lost`: contact lost, outcome unknown."""

    QUEUED = "queued"
    CLAIMED = "claimed"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ERRORED = "errored"
    CANCELLED = "cancelled"
    LOST = "lost"
    EXPIRED = "expired"


FINAL_BY_AGENT = frozenset(
    {WorkState.SUCCEEDED, WorkState.FAILED, WorkState.ERRORED, WorkState.CANCELLED}
)
"""Final states that an agent's FINISHED report sets."""

ACTIVE = frozenset({WorkState.CLAIMED, WorkState.RUNNING})
"""An agent holds it under a lease."""

OPEN = ACTIVE | {WorkState.QUEUED, WorkState.LOST}
"""Not yet ended for good."""

WORK_TRANSITIONS = TransitionTable(
    "work",
    WorkState,
    {
        WorkState.QUEUED: {WorkState.CLAIMED, WorkState.CANCELLED, WorkState.EXPIRED},
        WorkState.CLAIMED: {WorkState.RUNNING, WorkState.LOST} | FINAL_BY_AGENT,
        WorkState.RUNNING: {WorkState.LOST} | FINAL_BY_AGENT,
        # Contact regained: back to what the agent really does, or what it has done meanwhile.
        WorkState.LOST: {WorkState.CLAIMED, WorkState.RUNNING} | FINAL_BY_AGENT,
        WorkState.SUCCEEDED: set(),
        WorkState.FAILED: set(),
        WorkState.ERRORED: set(),
        WorkState.CANCELLED: set(),
        WorkState.EXPIRED: set(),
    },
)
"""The one table; console.fleet.work is the only place that moves work through it."""

TERMINAL = WORK_TRANSITIONS.terminal
"""States that nothing follows."""
