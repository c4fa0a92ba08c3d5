"""States of hosts, enrolment tokens and work; which state of a host may follow which."""

from django.db.models import TextChoices

from console.core.transitions import TransitionTable


class HostState(TextChoices):
    """`pending`: enrolled, never heard of since. `offline` is derived from last contact."""

    PENDING = "pending"
    ACTIVE = "active"
    OFFLINE = "offline"
    RETIRED = "retired"
    REVOKED = "revoked"


class WorkState(TextChoices):
    """States of claimable work; their table is in work_states.py.

    `failed`: the host said no. `errored`: a defect of ours. `lost`: contact lost, outcome unknown.
    """

    QUEUED = "queued"
    CLAIMED = "claimed"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ERRORED = "errored"
    CANCELLED = "cancelled"
    LOST = "lost"
    EXPIRED = "expired"


class EnrolmentTokenState(TextChoices):
    """Whether an enrolment token still enrols; derived from its times and uses, never stored."""

    ACTIVE = "active"
    USED_UP = "used_up"
    EXPIRED = "expired"
    REVOKED = "revoked"


HOST_TRANSITIONS = TransitionTable(
    "host",
    HostState,
    {
        HostState.PENDING: {HostState.ACTIVE, HostState.RETIRED, HostState.REVOKED},
        HostState.ACTIVE: {HostState.OFFLINE, HostState.RETIRED, HostState.REVOKED},
        HostState.OFFLINE: {HostState.ACTIVE, HostState.RETIRED, HostState.REVOKED},
        # Only a new enrolment leads back; a revoked host may still be retired.
        HostState.RETIRED: {HostState.PENDING},
        HostState.REVOKED: {HostState.PENDING, HostState.RETIRED},
    },
)
"""The one table; services.py is the only place that moves a host through it."""

SERVED = frozenset({HostState.PENDING, HostState.ACTIVE, HostState.OFFLINE})
"""States in which the agent's credential is honoured."""

DISMISSED = frozenset({HostState.RETIRED, HostState.REVOKED})
"""States in which it is not."""
