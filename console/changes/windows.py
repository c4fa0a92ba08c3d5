"""Maintenance windows: when changes of a group's hosts may be applied. Outside, they stay queued.

A host in no group with a window is always open; in several, any open window is enough.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from agents.wire.names import Lane
from console.accounts.actors import Actor
from console.accounts.policies import require
from console.audit.services import audit_record
from console.changes.enums import WindowKind
from console.changes.models import ChangeRun
from console.changes.models_policy import MaintenanceWindow
from console.changes.queueing import queue_time_hold, queue_time_restart
from console.core import events
from console.core.errors import InvalidInput
from console.fleet import doorbell
from console.fleet.enums import WorkState
from console.fleet.models import Host, HostGroup
from console.fleet.pulse import pulse_invalidate

VERB = "maintenance_window.manage"
MAX_SECONDS = 7 * 86_400
_WEEK = 7
_AUDITED = (
    "name", "kind", "weekdays", "start_time", "duration_seconds", "time_zone", "starts_at",
    "ends_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opening:
    """When a host may next be changed: `at` is now while it is open, None where it never is."""

    is_open: bool
    at: datetime | None
    sentence: str


def window_list(*, actor: Actor) -> QuerySet[MaintenanceWindow]:
    """Return all windows with their group."""
    require(actor, "change.read")
    return MaintenanceWindow.objects.select_related("group")


def apply_allowed_at(host: Host, now: datetime) -> Opening:
    """Return when changes of `host` may be applied from `now` on (one query)."""
    windows = list(MaintenanceWindow.objects.filter(group__hosts=host).select_related("group"))
    if not windows:
        return Opening(True, now, "")
    coming = [
        (interval[0], window) for window in windows if (interval := next_interval(window, now))
    ]
    if not coming:
        return Opening(False, None, "No maintenance window of its groups opens again.")
    opens_at, window = min(coming, key=lambda pair: pair[0])
    if opens_at <= now:
        return Opening(True, now, f"{window.name} of {window.group.name} is open.")
    at = opens_at.astimezone(ZoneInfo(window.time_zone))
    text = f"It waits for {window.name} of {window.group.name}: {at:%a %Y-%m-%d %H:%M %Z}."
    return Opening(False, opens_at, text)


def rows_outside(now: datetime) -> Q:
    """Return the condition that the host of a row (by `host`) is outside its windows now."""
    windows = MaintenanceWindow.objects.filter(group__hosts=OuterRef("host"))
    is_open = windows.filter(opens_at__lte=now, closes_at__gt=now)
    return Q(Exists(windows)) & ~Q(Exists(is_open))


def next_interval(window: MaintenanceWindow, now: datetime) -> tuple[datetime, datetime] | None:
    """Return the interval that is open at `now` or opens next, in UTC; None where there is none.

    A weekly window begins at its local time, whatever the clocks do in between; it lasts its
    seconds. A local time that a change of clocks skips is the one an hour later.
    """
    if window.kind == WindowKind.ONCE:
        if window.starts_at is None or window.ends_at is None or window.ends_at <= now:
            return None
        return window.starts_at, window.ends_at
    return next((pair for pair in _weekly(window, now) if pair[1] > now), None)


def _weekly(window: MaintenanceWindow, now: datetime) -> Iterable[tuple[datetime, datetime]]:
    """Yield its intervals from a week before `now` to a good week after, in order."""
    zone, start = ZoneInfo(window.time_zone), window.start_time
    today = now.astimezone(zone).date()
    length = timedelta(seconds=window.duration_seconds)
    for offset in range(-_WEEK - 1, _WEEK + 2):
        day = today + timedelta(days=offset)
        if start is not None and day.weekday() in window.weekdays:
            opens_at = datetime.combine(day, start, zone).astimezone(UTC)
            yield opens_at, opens_at + length


@transaction.atomic
def window_create(*, actor: Actor, group: HostGroup, **fields: Any) -> MaintenanceWindow:
    """Make a window of `group`. Raise InvalidInput `maintenance_window.invalid`."""
    require(actor, VERB)
    window = MaintenanceWindow(group=group)
    return _write(actor, "maintenance_window.create", window, None, fields)


@transaction.atomic
def window_update(*, actor: Actor, window: MaintenanceWindow, **fields: Any) -> MaintenanceWindow:
    """Alter a window; what is not given stays. Raise InvalidInput as window_create does."""
    require(actor, VERB)
    return _write(actor, "maintenance_window.update", window, _shown(window), fields)


@transaction.atomic
def window_delete(*, actor: Actor, window: MaintenanceWindow) -> None:
    """Delete a window; what it held back goes on where no other one holds it."""
    require(actor, VERB)
    old, pk, group = _shown(window), window.pk, window.group
    window.delete()
    window.pk = pk
    events.publish("maintenance_window", pk, timezone.now())
    audit_record(actor=actor, verb="maintenance_window.delete", obj=window, old=old)
    _ring(Host.objects.filter(groups=group))


def _write(
    actor: Actor,
    verb: str,
    window: MaintenanceWindow,
    old: dict[str, Any] | None,
    fields: dict[str, Any],
) -> MaintenanceWindow:
    for name, value in fields.items():
        setattr(window, name, value)
    _check(window)
    now = timezone.now()
    window.opens_at, window.closes_at = next_interval(window, now) or (None, None)
    window.rung_at = None
    window.save()
    events.publish("maintenance_window", window.pk, window.updated_at)
    audit_record(actor=actor, verb=verb, obj=window, old=old, new=_shown(window))
    _ring(Host.objects.filter(groups=window.group))
    return window


def _check(window: MaintenanceWindow) -> None:
    faults: dict[str, str] = {}
    if window.kind == WindowKind.WEEKLY:
        if not window.weekdays or window.start_time is None:
            faults["weekdays"] = "A weekly window needs its days and its start."
        if not 60 <= window.duration_seconds <= MAX_SECONDS:
            faults["duration_seconds"] = "A window is open for a minute at least, a week at most."
    elif window.starts_at is None or window.ends_at is None or window.starts_at >= window.ends_at:
        faults["ends_at"] = "A window of one time needs a start, and an end after it."
    if faults:
        extra = {"fields": {name: [text] for name, text in faults.items()}}
        raise InvalidInput("maintenance_window.invalid", " ".join(faults.values()), extra=extra)


def _shown(window: MaintenanceWindow) -> dict[str, Any]:
    shown = {name: getattr(window, name) for name in _AUDITED}
    for name in ("start_time", "starts_at", "ends_at"):
        shown[name] = shown[name].isoformat() if shown[name] else None
    return shown | {"group": window.group.name}


def windows_tick(now: datetime | None = None) -> int:
    """Move windows on to their next interval, and tell hosts that one opened; return how many."""
    at = now or timezone.now()
    queue_time_hold(at)
    for window in MaintenanceWindow.objects.filter(closes_at__lte=at):
        opens_at, closes_at = next_interval(window, at) or (None, None)
        rows = MaintenanceWindow.objects.filter(pk=window.pk, closes_at=window.closes_at)
        rows.update(opens_at=opens_at, closes_at=closes_at)
    opened = MaintenanceWindow.objects.filter(opens_at__lte=at, closes_at__gt=at)
    opened = opened.filter(Q(rung_at=None) | Q(rung_at__lt=F("opens_at")))
    ids = list(opened.values_list("pk", flat=True))
    if not ids:
        return 0
    with transaction.atomic():
        MaintenanceWindow.objects.filter(pk__in=ids).update(rung_at=at)
        return _ring(Host.objects.filter(groups__windows__in=ids).distinct())


def _ring(hosts: QuerySet[Host]) -> int:
    """Ring those of `hosts` that have a change queued, whose time in the queue begins anew."""
    queued = ChangeRun.objects.filter(host=OuterRef("pk"), state=WorkState.QUEUED)
    found = list(hosts.filter(Exists(queued)))
    queue_time_restart(ChangeRun.objects.filter(host__in=found), timezone.now())
    pulse_invalidate([host.pk for host in found])
    doorbell.ring_on_commit([doorbell.Ring.of(host, Lane.WORK, host.pk) for host in found])
    return len(found)
