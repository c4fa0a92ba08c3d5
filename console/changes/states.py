"""Moves changes from state to state; the only place that does."""

from datetime import datetime
from typing import Any

import structlog
from django.utils import timezone

from console.changes.enums import CHANGE_TRANSITIONS, TERMINAL, ChangeState
from console.changes.models import Change
from console.core.errors import StateConflict
from console.core.transitions import compare_and_set

log = structlog.get_logger(__name__)


def change_move(
    change: Change, to: ChangeState, *, at: datetime | None = None, **fields: Any
) -> bool:
    """Move a change to `to` in one conditional UPDATE; False where the table does not allow it now.

    `change` is brought up to date. Called inside the transaction of the cause.
    """
    now = at or timezone.now()
    if to in TERMINAL:
        fields.setdefault("finished_at", now)
        fields.setdefault("waiting", None)
    sources = CHANGE_TRANSITIONS.sources(to)
    if not compare_and_set(Change, change.pk, sources, to, **fields):
        change.refresh_from_db()
        return False
    change.refresh_from_db()
    change.announce(change.updated_at)
    log.info("change.moved", change=str(change.pk), state=to.value)
    return True


def change_move_or_conflict(change: Change, to: ChangeState, **fields: Any) -> None:
    """Move a change to `to`, or raise StateConflict `change.state`."""
    if change_move(change, to, **fields):
        return
    raise StateConflict(
        "change.state",
        f"This change is {change.state} and cannot become {to.value}.",
        extra={"state": change.state, "wanted": to.value},
    )
