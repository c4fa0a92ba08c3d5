"""What time alone does to changes: old plans, approvals that lapsed, hosts that are gone."""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.audit.services import audit_record
from console.changes.approvals import approval_counts, approval_gap, approvals_wanted, is_approved
from console.changes.enums import READY, ChangeState
from console.changes.held import change_held
from console.changes.models import Change, ChangePlanning
from console.changes.models_policy import ApprovalRule
from console.changes.queueing import PLAN_LIFE, change_unqueue
from console.changes.states import change_move
from console.fleet.enums import SERVED
from console.fleet.work import host_lock, work_cancel

_AT_ONCE = 500
_TOO_OLD = "Nobody applied its plan in time. The host may be another by now: ask for it anew."
_ENOUGH = "Nobody has to approve it any more: the rules were altered."
_NOT_BEGUN = Q(state__in=[*READY, ChangeState.DRAFT, ChangeState.PLANNING, ChangeState.STALE])
_IN_QUEUE = Q(state=ChangeState.QUEUED, phase=0)
_BEGUN = Q(state=ChangeState.WAITING_REBOOT) | Q(state=ChangeState.QUEUED, phase__gt=0)


def changes_expire() -> int:
    """Expire what has a plan that is too old; return how many changes that were."""
    now = timezone.now()
    due = Change.objects.filter(state__in=READY, expires_at__lte=now).order_by("expires_at")
    # Only what is held back can be in the queue for so long.
    stuck = Change.objects.filter(_IN_QUEUE, queued_at__lte=now - PLAN_LIFE).order_by("queued_at")
    done = _each(_ids(due), READY, _expire_plan)
    return done + _each(_ids(stuck), {ChangeState.QUEUED}, _expire_queued)


def _ids(rows: QuerySet[Change]) -> list[UUID]:
    return list(rows.values_list("pk", flat=True)[:_AT_ONCE])


def _expire_plan(change: Change) -> bool:
    return _move(change, ChangeState.EXPIRED, _TOO_OLD)


def _expire_queued(change: Change) -> bool:
    held = change_held(change)
    why = f": {held['text']}" if held else "."
    text = f"It was held back for {PLAN_LIFE.days} days, so it is not run any more{why} Ask anew."
    return change_unqueue(change, ChangeState.EXPIRED, text)


def approvals_review() -> int:
    """Hold planned and queued changes to rules and approvals as they are; return how many moved.

    What is not approved enough any more waits for approval again, what nobody has to approve any
    more is ready. Read in two queries however many there are.
    """
    rules = list(ApprovalRule.objects.all())
    rows = Change.objects.filter(Q(state__in=READY) | _IN_QUEUE, plan__isnull=False).annotate(
        valid=Count("plan__approvals", filter=approval_counts("plan__approvals__")),
        forced=F("plan__data__needs_force"),
        destroyed=F("plan__data__destroys"),
    )
    names = ("pk", "state", "kind", "plan__risk", "valid", "forced", "destroyed")
    moving = []
    for pk, state, kind, risk, valid, forced, destroyed in rows.values_list(*names).order_by("pk"):
        is_grave = bool(forced or destroyed)
        wanted = approvals_wanted(kind, risk, is_grave=is_grave, rules=rules).number
        if (valid >= wanted) == (state == ChangeState.AWAITING_APPROVAL):
            moving.append(pk)
    return _each(moving[:_AT_ONCE], {*READY, ChangeState.QUEUED}, _review)


def _review(change: Change) -> bool:
    if change.plan is None:
        return False
    if change.state == ChangeState.AWAITING_APPROVAL:
        return is_approved(change.plan) and _move(change, ChangeState.PLANNED, _ENOUGH)
    code, text = approval_gap(change.plan)
    if not code or change.phase > 0:
        return False
    if change.state == ChangeState.PLANNED:
        return _move(change, ChangeState.AWAITING_APPROVAL, text)
    held = change_held(change)
    why = f"It was not run in time: {held['text']} " if held else "It was not run in time. "
    return change_unqueue(change, ChangeState.AWAITING_APPROVAL, why + text)


def changes_of_gone_hosts_end() -> int:
    """End the changes of hosts that are retired or revoked; return how many."""
    gone = Change.objects.exclude(host__state__in=SERVED)
    rows = gone.filter(_NOT_BEGUN | _IN_QUEUE | _BEGUN).order_by("pk")
    states = {
        *READY, ChangeState.DRAFT, ChangeState.PLANNING, ChangeState.STALE, ChangeState.QUEUED,
        ChangeState.WAITING_REBOOT,
    }  # fmt: skip
    return _each(_ids(rows), states, _end_of_gone)


def _end_of_gone(change: Change) -> bool:
    text = f"{change.host.name} is {change.host.state}"
    if change.phase > 0:
        text = f"{text}; what was applied of this stands there."
        return change_unqueue(change, ChangeState.NEEDS_ATTENTION, text)
    # The work follows first, and may take the change along.
    work_cancel(rows=ChangePlanning.objects.filter(change=change))
    change.refresh_from_db()
    if change.state == ChangeState.CANCELLED:
        Change.objects.filter(pk=change.pk).update(message=f"{text}: nothing of this was run.")
        return True
    return change_unqueue(change, ChangeState.CANCELLED, f"{text}: nothing of this was run.")


def _each(ids: Sequence[UUID], states: Iterable[str], act: Callable[[Change], bool]) -> int:
    """Do it to up to _AT_ONCE changes, each in a transaction of its own."""
    wanted = frozenset(states)
    return sum(_one(pk, wanted, act) for pk in ids)


@transaction.atomic
def _one(pk: UUID, states: frozenset[str], act: Callable[[Change], bool]) -> bool:
    """Do it to one change unless somebody was faster; the lock of its host comes first."""
    change = Change.objects.select_related("host").get(pk=pk)
    host_lock(change.host)
    change.refresh_from_db()
    return change.state in states and act(change)


def _move(change: Change, to: ChangeState, text: str) -> bool:
    old = {"state": change.state}
    if not change_move(change, to, message=text):
        return False
    verb = "change.end" if to == ChangeState.EXPIRED else "change.lapse"
    new = {"state": to.value, "message": text}
    audit_record(actor=SYSTEM, verb=verb, obj=change, host=change.host, old=old, new=new)
    return True
