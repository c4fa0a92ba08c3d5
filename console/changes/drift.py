"""Drift: what changes left on a host, against what its inventory shows now. Never corrected."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.policies import require
from console.advice.models import Finding
from console.advice.services import finding_id
from console.changes.enums import HELD, ChangeState
from console.changes.kinds.registry import kind_title
from console.changes.models import Change
from console.changes.models_policy import DesiredPart
from console.core import events
from console.fleet.models import Host
from console.fleet.selectors import HOST_HEAVY

CODE = "host.drifted"
_SUBJECT = "part"
_UNDER_WAY = [*HELD, ChangeState.WAITING_REBOOT]


def drift_list(*, actor: Actor) -> QuerySet[DesiredPart]:
    """Return the parts that are not as a change last left them, with host and change."""
    require(actor, "change.read")
    heavy = [f"host__{name}" for name in HOST_HEAVY]
    rows = DesiredPart.objects.filter(drifted_since__isnull=False)
    return rows.select_related("host", "change").defer(*heavy)


def has_desired_parts(host: OuterRef) -> Exists:
    """Return whether changes left parts on `host`, to be asked along with the host."""
    return Exists(DesiredPart.objects.filter(host=host))


def drift_note_applied(change: Change) -> int:
    """Take what a change that succeeded left as what its host should be; return how many parts.

    Part of the caller's transaction. A drift of these parts is over: the new state is wanted.
    """
    ends: Mapping[str, Any] = change.plan.data.get("ends", {}) if change.plan else {}
    if not ends:
        return 0
    now = timezone.now()
    rows = [
        DesiredPart(
            host_id=change.host_id, part=part, expected=value, change=change, applied_at=now
        )
        for part, value in ends.items()
    ]
    DesiredPart.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["host", "part"],
        update_fields=["expected", "found", "change", "applied_at", "drifted_since", "updated_at"],
    )
    ids = [finding_id(change.host_id, _identity(part)) for part in ends]
    open_ones = Finding.objects.filter(pk__in=ids, resolved_at=None)
    over = list(open_ones.values_list("pk", flat=True))
    if over:
        open_ones.update(resolved_at=now, last_seen_at=now, updated_at=now)
    for pk in over:
        events.publish("finding", pk, now)
    events.publish("drift", change.host_id, now)
    return len(rows)


def drift_observe(*, host: Host, parts: Mapping[str, Any], now: datetime) -> list[dict[str, Any]]:
    """Compare what `host` should be with `parts`, and return what differs as findings.

    Part of the ingest's transaction. A part is compared where the inventory tells of its like:
    what no scan reads cannot be seen to drift. A part that a change is at work on is left alone.
    """
    rows = list(DesiredPart.objects.filter(host=host).select_related("change").order_by("part"))
    nouns = {part.partition("/")[0] for part in parts}
    seen = [row for row in rows if row.part.partition("/")[0] in nouns]
    if any(_differs(row, parts) for row in seen):
        busy = _busy_parts(host)
        seen = [row for row in seen if row.part not in busy]
    altered = [row for row in seen if _follow(row, parts, now)]
    if altered:
        fields = ["found", "drifted_since", "updated_at"]
        DesiredPart.objects.bulk_update(altered, fields)
        events.publish("drift", host.pk, now)
    return [_finding(row) for row in rows if row.drifted_since is not None]


def _differs(row: DesiredPart, parts: Mapping[str, Any]) -> bool:
    return bool(parts.get(row.part) != row.expected)


def _follow(row: DesiredPart, parts: Mapping[str, Any], now: datetime) -> bool:
    """Bring `row` up to date; return whether that altered it."""
    old = (row.found, row.drifted_since)
    if _differs(row, parts):
        row.found, row.drifted_since = parts.get(row.part), row.drifted_since or now
    else:
        row.found, row.drifted_since = None, None
    row.updated_at = now
    return old != (row.found, row.drifted_since)


def _busy_parts(host: Host) -> set[str]:
    changes = Change.objects.filter(host=host, state__in=_UNDER_WAY, plan__isnull=False)
    plans = changes.values_list("plan__data", flat=True)
    return {part for data in plans for part in data.get("ends", {})}


def _identity(part: str) -> dict[str, Any]:
    return {"code": CODE, "subject_kind": _SUBJECT, "subject_key": part}


def _finding(row: DesiredPart) -> dict[str, Any]:
    title, at = kind_title(row.change.kind), f"{row.applied_at:%Y-%m-%d %H:%M} UTC"
    left = f"the last change ({title}, {at}) left it at {_words(row.expected)}"
    return {
        **_identity(row.part),
        "severity": "warning",
        "message": f"{row.part} is {_words(row.found)}; {left}.",
        "remedy": "Apply it again, or ask for a change to what is there now.",
        "evidence": {"change": str(row.change_id)},
    }


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "empty"
    return "not there" if value is None else str(value) or "empty"


def drifted_hosts(*, actor: Actor) -> set[UUID]:
    """Return the hosts with a part that drifted."""
    return set(drift_list(actor=actor).order_by().values_list("host_id", flat=True))
