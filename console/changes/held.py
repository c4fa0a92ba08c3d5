"""What keeps a change that was applied from its host: the pause, or its maintenance windows."""

from typing import Any

from django.utils import timezone

from console.changes.enums import ChangeState
from console.changes.models import Change
from console.changes.selectors import pause_get
from console.changes.windows import apply_allowed_at

_CONCERNED = frozenset({ChangeState.PLANNED, ChangeState.QUEUED})


def change_held(change: Change) -> dict[str, Any] | None:
    """Return what holds a queued change back, or would hold back a planned one (two queries)."""
    if change.state not in _CONCERNED:
        return None
    pause = pause_get()
    if pause.is_paused:
        text = f"{pause.by_name} has paused all changes: {pause.reason}"
        return {"by": "pause", "text": text, "opens_at": None}
    opening = apply_allowed_at(change.host, timezone.now())
    if opening.is_open:
        return None
    return {"by": "window", "text": opening.sentence, "opens_at": opening.at}
