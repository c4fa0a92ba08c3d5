"""Which state of claimable work (job runs, inventory scans) may follow which."""

from console.core.transitions import TransitionTable
from console.fleet.enums import WorkState

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
