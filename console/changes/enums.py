"""States of changes, and which may follow which."""

from django.db.models import TextChoices

from console.core.transitions import TransitionTable


class ChangeState(TextChoices):
    """`planned`: ready to be applied. `stale`: the host is not as it was when it was planned."""

    DRAFT = "draft"
    PLANNING = "planning"
    PLANNED = "planned"
    AWAITING_APPROVAL = "awaiting_approval"
    QUEUED = "queued"
    CLAIMED = "claimed"
    RUNNING = "running"
    VERIFYING = "verifying"
    WAITING_REBOOT = "waiting_reboot"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ROLLED_BACK = "rolled_back"
    NEEDS_ATTENTION = "needs_attention"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    STALE = "stale"


PLANNABLE = frozenset(
    {
        ChangeState.DRAFT,
        ChangeState.PLANNED,
        ChangeState.AWAITING_APPROVAL,
        ChangeState.STALE,
        ChangeState.NEEDS_ATTENTION,
    }
)
"""States from which a new plan can be asked for."""

READY = frozenset({ChangeState.PLANNED, ChangeState.AWAITING_APPROVAL})
"""It has a plan, and nothing of it was run."""

HELD = frozenset({ChangeState.CLAIMED, ChangeState.RUNNING, ChangeState.VERIFYING})
"""The agent works on it."""

_ENDS = frozenset(
    {
        ChangeState.SUCCEEDED,
        ChangeState.FAILED,
        ChangeState.ROLLED_BACK,
        ChangeState.NEEDS_ATTENTION,
        ChangeState.CANCELLED,
        ChangeState.STALE,
        ChangeState.WAITING_REBOOT,
    }
)
"""What the end of one phase can make of a change; WAITING_REBOOT is the end of a phase only."""

CHANGE_TRANSITIONS = TransitionTable(
    "change",
    ChangeState,
    {
        ChangeState.DRAFT: {ChangeState.PLANNING, ChangeState.CANCELLED},
        ChangeState.PLANNING: {
            ChangeState.PLANNED,
            ChangeState.AWAITING_APPROVAL,
            ChangeState.SUCCEEDED,
            ChangeState.FAILED,
            ChangeState.CANCELLED,
            ChangeState.EXPIRED,
        },
        ChangeState.PLANNED: {
            ChangeState.PLANNING,
            ChangeState.AWAITING_APPROVAL,
            ChangeState.QUEUED,
            ChangeState.STALE,
            ChangeState.CANCELLED,
            ChangeState.EXPIRED,
        },
        ChangeState.AWAITING_APPROVAL: {
            ChangeState.PLANNING,
            ChangeState.PLANNED,
            ChangeState.STALE,
            ChangeState.CANCELLED,
            ChangeState.EXPIRED,
        },
        ChangeState.QUEUED: {
            ChangeState.CLAIMED,
            # Its approval ceased to be enough while it waited.
            ChangeState.AWAITING_APPROVAL,
            ChangeState.STALE,
            ChangeState.CANCELLED,
            ChangeState.EXPIRED,
            ChangeState.WAITING_REBOOT,
            ChangeState.NEEDS_ATTENTION,
        },
        ChangeState.CLAIMED: {ChangeState.RUNNING, ChangeState.VERIFYING, ChangeState.QUEUED}
        | _ENDS,
        ChangeState.RUNNING: {ChangeState.VERIFYING, ChangeState.QUEUED} | _ENDS,
        ChangeState.VERIFYING: {ChangeState.RUNNING, ChangeState.QUEUED} | _ENDS,
        ChangeState.WAITING_REBOOT: {ChangeState.QUEUED, ChangeState.NEEDS_ATTENTION},
        # A late report sets the true state; a person may also plan anew.
        ChangeState.NEEDS_ATTENTION: {
            ChangeState.PLANNING,
            ChangeState.CLAIMED,
            ChangeState.RUNNING,
            ChangeState.VERIFYING,
            ChangeState.QUEUED,
        }
        | _ENDS,
        ChangeState.STALE: {ChangeState.PLANNING, ChangeState.CANCELLED},
        ChangeState.SUCCEEDED: set(),
        ChangeState.FAILED: set(),
        ChangeState.ROLLED_BACK: set(),
        ChangeState.CANCELLED: set(),
        ChangeState.EXPIRED: set(),
    },
)
"""The one table; console.changes.states is the only place that moves a change through it."""

TERMINAL = CHANGE_TRANSITIONS.terminal
"""States that nothing follows."""


class WindowKind(TextChoices):
    """How a maintenance window recurs."""

    WEEKLY = "weekly"
    ONCE = "once"
