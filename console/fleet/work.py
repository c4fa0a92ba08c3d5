"""Work that an agent claims: claim, renew, start, finish, cancel, reap, release.

Every change of state is one conditional UPDATE. What concerns a host as a whole (one order at a
time on lane `work`; the lane closed while contact is lost) is decided under a lock on its row.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from agents.wire.messages import LeaseReply
from agents.wire.names import Lane
from agents.wire.work import WorkOrder
from console.accounts.actors import SYSTEM, Actor
from console.audit.services import audit_record
from console.core import events
from console.core.errors import StateConflict
from console.core.transitions import compare_and_set
from console.fleet import doorbell
from console.fleet.claimable import ClaimableWork as ClaimableWork
from console.fleet.claimable import claimable_models, work_find
from console.fleet.enums import WorkState
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate
from console.fleet.work_states import ACTIVE, OPEN, TERMINAL, WORK_TRANSITIONS

_LOST_MESSAGE = (
    "Contact with the agent was lost while it held this. It may still be running there; its own "
    "report sets the true state. No other work starts on this host until it reports or an "
    "administrator releases the lane."
)

W = TypeVar("W", bound=ClaimableWork)

log = structlog.get_logger(__name__)


def lease_length() -> timedelta:
    """Return how long an agent may stay silent about work that it holds."""
    return timedelta(seconds=settings.WORK_LEASE_SECONDS)


def work_due(host: Host) -> dict[str, int]:
    """Return how many queued orders wait per lane of `host` (one query); a closed lane has none."""
    now = timezone.now()
    per_model = [
        model.due_rows(
            model._default_manager.filter(host=host, state=WorkState.QUEUED, expires_at__gt=now)
        )
        .order_by()
        .values_list("lane")
        .annotate(number=Count("*"))
        for model in claimable_models()
    ]
    due: dict[str, int] = {}
    for lane, number in per_model[0].union(*per_model[1:], all=True):
        if lane != Lane.WORK or host.work_lane_closed_at is None:
            due[lane] = due.get(lane, 0) + number
    return due


@transaction.atomic
def work_claim(*, host: Host, lane: Lane, nonce: str) -> WorkOrder | None:
    """Hand the oldest due order of `lane` to the agent of `host`, or None when nothing is due.

    The same nonce gets the same order as long as the agent may still carry it out. On lane `work`
    nothing is handed out while another order is held or the lane is closed.
    """
    locked = host_lock(host)
    held = work_find(locked, nonce=nonce)
    if held is not None:
        return _claim_again(locked, held)
    if lane == Lane.WORK and not _lane_is_free(locked):
        return None
    now = timezone.now()
    while (work := _oldest_due(locked, lane, now)) is not None:
        if work.admit() and _claim_one(work, nonce, now):
            log.info("work.claimed", work=str(work.pk), kind=work.kind, host=locked.name)
            return work_order(work)
    return None


def work_order(work: ClaimableWork) -> WorkOrder:
    """Return the wire form of a claimed piece of work; equal for equal rows."""
    return WorkOrder(
        work_id=str(work.pk),
        kind=work.kind.value,
        lane=work.lane,
        nonce=work.nonce,
        parameters=work.order_parameters(),
        lease_seconds=settings.WORK_LEASE_SECONDS,
        deadline_seconds=work.deadline_seconds(),
    )


def host_lock(host: Host) -> Host:
    """Lock the host's row until the transaction ends (on SQLite the transaction is the lock)."""
    return Host.objects.select_for_update(no_key=True).get(pk=host.pk)


def _oldest_due(host: Host, lane: Lane, now: datetime) -> ClaimableWork | None:
    due = Q(host=host, lane=lane.value, state=WorkState.QUEUED, expires_at__gt=now)
    oldest = (
        model.due_rows(model._default_manager.filter(due)).order_by("queued_at", "id").first()
        for model in claimable_models()
    )
    found = [work for work in oldest if work is not None]
    return min(found, key=lambda work: (work.queued_at, work.pk), default=None)


def _claim_one(work: ClaimableWork, nonce: str, now: datetime) -> bool:
    """Compare-and-set `queued` → `claimed`. False: cancelled or expired meanwhile."""
    fields: dict[str, Any] = {
        "nonce": nonce,
        "claimed_at": now,
        "lease_expires_at": now + lease_length(),
    }
    if not compare_and_set(type(work), work.pk, {WorkState.QUEUED}, WorkState.CLAIMED, **fields):
        return False
    work.refresh_from_db()
    _changed(work, now)
    return True


def _claim_again(host: Host, work: ClaimableWork) -> WorkOrder | None:
    """Answer a claim whose first reply was lost: the same order, unless it is over or given up."""
    if work.state in TERMINAL or work.released_at is not None:
        return None
    _hold(host, work)
    return work_order(work)


def _lane_is_free(host: Host) -> bool:
    if host.work_lane_closed_at is not None:
        return False
    held = Q(host=host, lane=Lane.WORK.value, state__in=ACTIVE)
    return not any(model._default_manager.filter(held).exists() for model in claimable_models())


def _hold(host: Host, work: ClaimableWork) -> bool:
    """Extend the lease; a lost one returns to what it was. False: the agent no longer holds it."""
    now = timezone.now()
    rows = type(work)._default_manager.filter(released_at=None, nonce=work.nonce)
    lease = now + lease_length()
    if rows.filter(pk=work.pk, state__in=ACTIVE).update(lease_expires_at=lease):
        return True
    back = WorkState.CLAIMED if work.started_at is None else WorkState.RUNNING
    fields: dict[str, Any] = {"lease_expires_at": lease, "message": ""}
    if not compare_and_set(rows, work.pk, {WorkState.LOST}, back, **fields):
        return False
    log.info("work.regained", work=str(work.pk), host=host.name)
    _lane_refresh(host, now)
    _changed(work, now)
    return True


def work_renew(*, host: Host, work_id: str, nonce: str) -> LeaseReply:
    """Renew the lease of an order that the agent holds, and say whether it should stop.

    Raise StateConflict `work.nonce_mismatch` when another claim holds it.
    """
    gone = LeaseReply(is_held=False, lease_seconds=settings.WORK_LEASE_SECONDS)
    with transaction.atomic():
        locked = host_lock(host)
        work = work_find(locked, pk=work_id)
        if work is None:
            return gone
        if work.nonce != nonce:
            raise StateConflict(
                "work.nonce_mismatch", "This order is held under another nonce: drop it."
            )
        if not _hold(locked, work):
            return gone
    return LeaseReply(
        is_held=True,
        cancel_requested=work.cancel_requested_at is not None,
        lease_seconds=settings.WORK_LEASE_SECONDS,
    )


def work_heard(*, host: Host, work: ClaimableWork, at: datetime, has_started: bool) -> None:
    """Note that the agent told something about work that it holds; `host` is locked by the caller.

    `has_started`: what it told happened after the start, as of `at` on the host. Extends the lease;
    ends `lost`. Work that is over or released stays as it is.
    """
    now = timezone.now()
    if not has_started or work.state == WorkState.RUNNING:
        _hold(host, work)
        return
    started_at = work.started_at or within_life(work, at, now)
    fields: dict[str, Any] = {
        "started_at": started_at,
        "lease_expires_at": now + lease_length(),
        "message": "",
    }
    rows = type(work)._default_manager.filter(released_at=None)
    sources = WORK_TRANSITIONS.sources(WorkState.RUNNING)
    if not compare_and_set(rows, work.pk, sources, WorkState.RUNNING, **fields):
        return
    work.state, work.started_at = WorkState.RUNNING, started_at
    _lane_refresh(host, now)
    _changed(work, now)


def work_finish(
    *, host: Host, work: ClaimableWork, to: WorkState, message: str, at: datetime, **fields: Any
) -> bool:
    """Set the final state that the agent reports; False where one already stands.

    `host` is locked by the caller. A late report of lost work (also a released one) is the truth
    and reopens the lane. Further orders that waited for this one are rung for.
    """
    now = timezone.now()
    finished_at = within_life(work, at, now)
    fields |= {"message": message, "finished_at": finished_at, "lease_expires_at": None}
    if not compare_and_set(type(work), work.pk, WORK_TRANSITIONS.sources(to), to, **fields):
        return False
    _lane_refresh(host, now)
    _changed(work, now)
    _ring_if_due(host, Lane(work.lane))
    log.info("work.finished", work=str(work.pk), state=to.value, host=host.name)
    return True


def _ring_if_due(host: Host, lane: Lane) -> None:
    if work_due(host).get(lane.value):
        doorbell.ring_on_commit([doorbell.Ring.of(host, lane, host.pk)])


def within_life(work: ClaimableWork, at: datetime, now: datetime) -> datetime:
    """Return the host's time `at`, held between the claim and now: the clocks may differ."""
    earliest = max(filter(None, (work.queued_at, work.claimed_at, work.started_at)))
    return min(max(at, earliest), now)


def work_cancel(*, rows: QuerySet[W]) -> tuple[int, int]:
    """Cancel the queued of `rows` at once; ask agents to stop those that they hold.

    Asking twice is asking once. Returns how many were cancelled and how many are (now or already)
    asked to stop; (0, 0): all were over. The caller writes the audit.
    """
    now = timezone.now()
    wanted = list(rows.filter(state__in=OPEN).select_related("host"))
    queued = rows.filter(state=WorkState.QUEUED)
    cancelled = queued.update(
        state=WorkState.CANCELLED, finished_at=now, cancel_requested_at=now, updated_at=now
    )
    # One that was claimed before the statement above is found by this one.
    held = rows.filter(state__in=ACTIVE | {WorkState.LOST})
    held.filter(cancel_requested_at=None).update(cancel_requested_at=now, updated_at=now)
    asked = set(held.values_list("pk", flat=True))
    for work in wanted:
        _changed(work, now)
    doorbell.ring_on_commit(
        [doorbell.Ring.of(work.host, Lane.QUICK, work.pk) for work in wanted if work.pk in asked]
    )
    return cancelled, len(asked)


def work_reap(*, with_leases: bool = True) -> dict[str, int]:
    """Expire what waited too long in the queue and, `with_leases`, mark silent work as lost.

    Any worker may do it at any time; each row is decided by its own compare-and-set. Returns how
    many rows became `expired` and `lost`.
    """
    now = timezone.now()
    expired = sum(_expire(work, now) for work in _queued_too_long(now))
    lost = 0
    if with_leases:
        lost = sum(_lose(work, now) for work in _silent(now))
    return {"expired": expired, "lost": lost}


def _queued_too_long(now: datetime) -> Iterator[ClaimableWork]:
    for model in claimable_models():
        late = model._default_manager.filter(expires_at__lte=now, state=WorkState.QUEUED)
        # What may not be handed out does not expire for that.
        yield from model.due_rows(late).select_related("host").order_by("expires_at")[:500]


def _silent(now: datetime) -> Iterator[ClaimableWork]:
    for model in claimable_models():
        late = model._default_manager.filter(lease_expires_at__lte=now, state__in=ACTIVE)
        yield from late.select_related("host").order_by("lease_expires_at")[:500]


@transaction.atomic
def _expire(work: ClaimableWork, now: datetime) -> bool:
    message = f"{work.host.name} did not take this order in time."
    fields: dict[str, Any] = {"message": message, "finished_at": now}
    if not compare_and_set(type(work), work.pk, {WorkState.QUEUED}, WorkState.EXPIRED, **fields):
        return False
    _changed(work, now)
    return True


@transaction.atomic
def _lose(work: ClaimableWork, now: datetime) -> bool:
    host = host_lock(work.host)
    # A renewal that came in between wins: the lease is part of the condition.
    rows = type(work)._default_manager.filter(lease_expires_at__lte=now)
    fields: dict[str, Any] = {"message": _LOST_MESSAGE, "lease_expires_at": None}
    if not compare_and_set(rows, work.pk, ACTIVE, WorkState.LOST, **fields):
        return False
    _lane_refresh(host, now)
    _changed(work, now)
    audit_record(
        actor=SYSTEM, verb="work.lose", obj=work, host=host, new={"state": WorkState.LOST.value}
    )
    log.warning("work.lost", work=str(work.pk), host=host.name)
    return True


def _changed(work: ClaimableWork, now: datetime) -> None:
    """Tell browsers, and make the host's next heartbeat count anew what is due."""
    work.announce(now)
    pulse_invalidate([work.host_id])


def _lane_refresh(host: Host, now: datetime) -> None:
    """Close lane `work` while something on it is lost and not released; open it otherwise."""
    lost = Q(host=host, lane=Lane.WORK.value, state=WorkState.LOST, released_at=None)
    is_closed = any(model._default_manager.filter(lost).exists() for model in claimable_models())
    if is_closed == (host.work_lane_closed_at is not None):
        return
    host.work_lane_closed_at = now if is_closed else None
    Host.objects.filter(pk=host.pk).update(work_lane_closed_at=host.work_lane_closed_at)
    events.publish("host", host.pk, now)
    pulse_invalidate([host.pk])


@transaction.atomic
def work_lane_release(*, host: Host, actor: Actor) -> Sequence[ClaimableWork]:
    """Open lane `work` although contact with what ran there was lost; return what was given up.

    The agent is told to stop that work when it comes back; its FINISHED still sets the true state.
    Raise StateConflict `work_lane.open` when the lane is open.
    """
    locked = host_lock(host)
    if locked.work_lane_closed_at is None:
        raise StateConflict("work_lane.open", f"The work lane of {locked.name} is open.")
    now = timezone.now()
    lost = Q(host=locked, lane=Lane.WORK.value, state=WorkState.LOST, released_at=None)
    given_up = [w for model in claimable_models() for w in model._default_manager.filter(lost)]
    for work in given_up:
        type(work)._default_manager.filter(pk=work.pk).update(released_at=now, updated_at=now)
        _changed(work, now)
    _lane_refresh(locked, now)
    ids = [str(work.pk) for work in given_up]
    audit_record(
        actor=actor, verb="work_lane.release", obj=locked, host=locked, new={"released": ids}
    )
    _ring_if_due(locked, Lane.WORK)
    return given_up
