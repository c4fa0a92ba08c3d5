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


_S = ChangeState

PLANNABLE = frozenset({_S.DRAFT, _S.PLANNED, _S.AWAITING_APPROVAL, _S.STALE, _S.NEEDS_ATTENTION})
"""States from which a new plan can be asked for."""

READY = frozenset({_S.PLANNED, _S.AWAITING_APPROVAL})
"""It has a plan, and nothing of it was run."""

HELD = frozenset({_S.CLAIMED, _S.RUNNING, _S.VERIFYING})
"""The agent works on it."""

_ENDS = frozenset(
    {
        _S.SUCCEEDED, _S.FAILED, _S.ROLLED_BACK, _S.NEEDS_ATTENTION, _S.CANCELLED, _S.STALE,
        _S.WAITING_REBOOT,
    }
)  # fmt: skip
"""What the end of one phase can make of a change; WAITING_REBOOT is the end of a phase only."""

CHANGE_TRANSITIONS = TransitionTable(
    "change",
    ChangeState,
    {
        _S.DRAFT: {_S.PLANNING, _S.CANCELLED},
        _S.PLANNING: {
            _S.PLANNED, _S.AWAITING_APPROVAL, _S.SUCCEEDED, _S.FAILED, _S.CANCELLED, _S.EXPIRED,
        },
        _S.PLANNED: {
            _S.PLANNING, _S.AWAITING_APPROVAL, _S.QUEUED, _S.STALE, _S.CANCELLED, _S.EXPIRED,
        },
        _S.AWAITING_APPROVAL: {_S.PLANNING, _S.PLANNED, _S.STALE, _S.CANCELLED, _S.EXPIRED},
        _S.QUEUED: {_S.CLAIMED, _S.STALE, _S.CANCELLED, _S.EXPIRED, _S.WAITING_REBOOT},
        _S.CLAIMED: {_S.RUNNING, _S.VERIFYING, _S.QUEUED} | _ENDS,
        _S.RUNNING: {_S.VERIFYING, _S.QUEUED} | _ENDS,
        _S.VERIFYING: {_S.RUNNING, _S.QUEUED} | _ENDS,
        _S.WAITING_REBOOT: {_S.QUEUED, _S.NEEDS_ATTENTION},
        # A late report sets the true state; a person may also plan anew.
        _S.NEEDS_ATTENTION: {_S.PLANNING, _S.CLAIMED, _S.RUNNING, _S.VERIFYING, _S.QUEUED} | _ENDS,
        _S.STALE: {_S.PLANNING, _S.CANCELLED},
        _S.SUCCEEDED: set(),
        _S.FAILED: set(),
        _S.ROLLED_BACK: set(),
        _S.CANCELLED: set(),
        _S.EXPIRED: set(),
    },
)  # fmt: skip
"""The one table; console.changes.states is the only place that moves a change through it."""

TERMINAL = CHANGE_TRANSITIONS.terminal
"""States that nothing follows."""
