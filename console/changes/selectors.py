"""Reads of changes and batches."""

from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from console.accounts.actors import Actor
from console.accounts.policies import require
from console.changes.enums import ChangeState
from console.changes.models import (
    ApplyPause,
    Approval,
    Change,
    ChangeBatch,
    ChangeOutput,
    ChangeRun,
)
from console.fleet.selectors import HOST_HEAVY

_HEAVY = ("progress", "result", "stale_difference")

NEEDS: dict[str, Q] = {
    "approval": Q(state=ChangeState.AWAITING_APPROVAL),
    "reboot": Q(state=ChangeState.WAITING_REBOOT),
    "attention": Q(state__in=[ChangeState.NEEDS_ATTENTION, ChangeState.STALE]),
    "apply": Q(state=ChangeState.PLANNED),
}
"""What a change can need of a person."""


def change_list(*, actor: Actor) -> QuerySet[Change]:
    """Return all changes, without what only the detail shows."""
    require(actor, "change.read")
    heavy = [f"host__{name}" for name in HOST_HEAVY]
    rows = Change.objects.select_related("host", "requested_by", "batch", "plan")
    return rows.defer(*_HEAVY, *heavy, "plan__data")


def change_detail(*, actor: Actor) -> QuerySet[Change]:
    """Return all changes with all that belongs to each."""
    require(actor, "change.read")
    approvals = Approval.objects.select_related("by").order_by("created_at")
    runs = ChangeRun.objects.defer("result").order_by("queued_at")
    rollbacks = Change.objects.only("id", "state", "rollback_of").order_by("-created_at")
    return Change.objects.select_related("host", "requested_by", "batch", "plan").prefetch_related(
        Prefetch("approvals", queryset=approvals),
        Prefetch("runs", queryset=runs),
        Prefetch("rollbacks", queryset=rollbacks),
    )


def batch_list(*, actor: Actor) -> QuerySet[ChangeBatch]:
    """Return all batches with the number of their changes in each state."""
    require(actor, "change.read")
    counts: dict[str, Any] = {
        f"count_{state.value}": Count("changes", filter=Q(changes__state=state))
        for state in ChangeState
    }
    return ChangeBatch.objects.select_related("requested_by").annotate(**counts)


def output_after(*, change: Change, after: int, limit: int) -> list[ChangeOutput]:
    """Return up to `limit` pieces of output beyond the one numbered `after` (its row number)."""
    rows = ChangeOutput.objects.filter(run__change=change, id__gt=after)
    return list(rows.select_related("run").order_by("id")[:limit])


def pause_get() -> ApplyPause:
    """Return the switch; not paused where it was never touched."""
    return ApplyPause.objects.filter(pk=1).first() or ApplyPause()
