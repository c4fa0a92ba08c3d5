"""Writes to changes that people and automation ask for; batches are in batches.py."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from agents.wire.names import Lane
from console.accounts.actors import Actor
from console.accounts.policies import require
from console.audit.services import audit_record
from console.changes.approvals import Judgement, apply_judge, approval_judge, is_approved
from console.changes.enums import HELD, PLANNABLE, TERMINAL, ChangeState
from console.changes.following import change_continue, run_queue
from console.changes.models import ApplyPause, Approval, Change, ChangePlanning, ChangeRun, Plan
from console.changes.queueing import queue_time_restart
from console.changes.requests import host_check, request_check
from console.changes.states import change_move_or_conflict
from console.core.errors import InvalidInput, PermissionDenied, StateConflict
from console.fleet import doorbell
from console.fleet.enums import WorkState
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate
from console.fleet.work import host_lock, work_cancel
from console.fleet.work_states import ACTIVE

APPROVAL_LIFE = timedelta(days=2)


@transaction.atomic
def change_create(
    *,
    actor: Actor,
    host: Host,
    kind: str,
    parameters: Mapping[str, Any],
    reason: str,
    is_draft: bool = False,
    rollback_of: Change | None = None,
    request_key: str = "",
) -> Change:
    """Ask for a change of one host; its agent is asked for a plan at once, unless it is a draft.

    Raise InvalidInput `change.kind`, `change.parameters`, `change.reason` or `change.host_refused`.
    """
    require(actor, "change.request")
    request_check(kind, parameters, reason)
    refusal = host_check(host, kind)
    if refusal:
        raise InvalidInput("change.host_refused", refusal, extra={"fields": {"host": [refusal]}})
    change: Change = Change.objects.create(
        host=host,
        kind=kind,
        parameters=dict(parameters),
        reason=reason,
        requested_by_id=actor.user_id,
        requested_by_name=actor.name,
        rollback_of=rollback_of,
        request_key=request_key,
    )
    change.announce(change.created_at)
    if not is_draft:
        _planning_queue(change)
    new = {"kind": kind, "parameters": dict(parameters), "reason": reason, "state": change.state}
    audit_record(actor=actor, verb="change.request", obj=change, host=host, new=new)
    return change


@transaction.atomic
def change_plan(*, actor: Actor, change: Change) -> Change:
    """Ask the agent for a new plan; approvals of the old one are void.

    Raise StateConflict `change.state` where the change is past planning, `change.run_open` while
    nobody knows what became of its last run.
    """
    require(actor, "change.request", change)
    host_lock(change.host)
    change.refresh_from_db()
    if change.state not in PLANNABLE:
        text = f"This change is {change.state}: it cannot be planned again."
        raise StateConflict("change.state", text, extra={"state": change.state})
    if _is_out(change):
        text = (
            f"{change.host.name} has not reported yet what became of this. Wait for its agent, or "
            "have an administrator release the host's work lane."
        )
        raise StateConflict("change.run_open", text)
    old = {"state": change.state, "plan": change.plan.digest if change.plan else ""}
    _planning_queue(change)
    audit_record(actor=actor, verb="change.plan", obj=change, host=change.host, old=old)
    return change


def _is_out(change: Change) -> bool:
    """Return whether an agent holds work of this change, or was lost with it and not given up."""
    states = ACTIVE | {WorkState.LOST}
    return ChangeRun.objects.filter(change=change, state__in=states, released_at=None).exists()


def _planning_queue(change: Change) -> None:
    fields: dict[str, Any] = {"message": "", "phase": 0, "result": {}, "waiting": None}
    change_move_or_conflict(change, ChangeState.PLANNING, **fields, expires_at=None)
    now = timezone.now()
    planning = ChangePlanning.objects.create(
        change=change,
        host=change.host,
        lane=Lane.QUICK.value,
        queued_at=now,
        expires_at=now + timedelta(seconds=settings.WORK_QUEUE_SECONDS),
    )
    pulse_invalidate([change.host_id])
    doorbell.ring_on_commit([doorbell.Ring.of(change.host, Lane.QUICK, planning.pk)])


@transaction.atomic
def change_approve(
    *, actor: Actor, change: Change, plan_digest: str, comment: str = "", confirmation: str = ""
) -> Change:
    """Approve the plan with that digest, and no other. Enough approvals make the change `planned`.

    Raise StateConflict `change.plan_changed`, PermissionDenied `change.may_not_approve` (also to
    whoever asked for it, unless nobody else could) or InvalidInput `change.confirmation`.
    """
    require(actor, "change.approve", change)
    plan = _lock_planned(change, plan_digest)
    judgement = approval_judge(actor, change)
    _require(judgement, "change.may_not_approve")
    _check_confirmation(change, judgement, confirmation)
    # One of this person's that has expired makes room; the audit keeps both.
    Approval.objects.filter(plan=plan, by_id=actor.user_id, expires_at__lte=timezone.now()).delete()
    try:
        with transaction.atomic():
            Approval.objects.create(
                change=change,
                plan=plan,
                by_id=actor.user_id,
                by_name=actor.name,
                comment=comment,
                is_self=judgement.is_self,
                expires_at=timezone.now() + APPROVAL_LIFE,
            )
    except IntegrityError:
        text = "You have approved this plan already."
        raise StateConflict("change.approved_already", text) from None
    old = {"state": change.state}
    if is_approved(plan):
        change_move_or_conflict(change, ChangeState.PLANNED, message="")
    else:
        change.announce(timezone.now())
    verb = "change.self_approve" if judgement.is_self else "change.approve"
    new = {"state": change.state, "plan": plan_digest, "comment": comment}
    audit_record(actor=actor, verb=verb, obj=change, host=change.host, old=old, new=new)
    return change


@transaction.atomic
def change_reject(*, actor: Actor, change: Change, comment: str) -> Change:
    """Say no to a change that waits for approval: it is cancelled, with the reason."""
    require(actor, "change.approve", change)
    host_lock(change.host)
    change.refresh_from_db()
    if change.state != ChangeState.AWAITING_APPROVAL:
        text = f"This change is {change.state}: there is nothing to reject."
        raise StateConflict("change.state", text, extra={"state": change.state})
    text = f"Rejected by {actor.name}: {comment}"
    change_move_or_conflict(change, ChangeState.CANCELLED, message=text)
    new = {"comment": comment}
    audit_record(actor=actor, verb="change.reject", obj=change, host=change.host, new=new)
    return change


@transaction.atomic
def change_apply(
    *, actor: Actor, change: Change, plan_digest: str, confirmation: str = ""
) -> Change:
    """Queue the plan with that digest for its host.

    Raise StateConflict `change.plan_changed`, `change.paused`, `change.host_refused` or
    `change.approval_expired`, `_void` (who gave it may not any more), `_missing` (rules want more),
    PermissionDenied `change.may_not_apply` or InvalidInput `change.confirmation`.
    """
    require(actor, "change.apply", change)
    _lock_planned(change, plan_digest)
    judgement = apply_judge(actor, change)
    if change.state != ChangeState.PLANNED:
        raise StateConflict("change.state", judgement.why_not, extra={"state": change.state})
    _require(judgement, "change.may_not_apply")
    if judgement.obstacle:
        raise StateConflict(judgement.obstacle, judgement.why_not)
    _check_confirmation(change, judgement, confirmation)
    now = timezone.now()
    change_move_or_conflict(change, ChangeState.QUEUED, queued_at=now, phase=0, expires_at=None)
    run_queue(change)
    old, new = {"state": ChangeState.PLANNED}, {"state": change.state, "plan": plan_digest}
    audit_record(actor=actor, verb="change.apply", obj=change, host=change.host, old=old, new=new)
    return change


@transaction.atomic
def change_cancel(*, actor: Actor, change: Change) -> Change:
    """Cancel a change that was not begun; ask the agent to stop one that runs.

    A running step is not broken off: the agent stops before the next one and undoes what was done.
    Raise StateConflict `change.state` where neither is possible.
    """
    require(actor, "change.cancel", change)
    host_lock(change.host)
    change.refresh_from_db()
    runs = ChangeRun.objects.filter(change=change)
    if change.state == ChangeState.WAITING_REBOOT:
        text = (
            "The delayed reconfiguration stands on the host: cancel it there with a reconf.cancel, "
            "or reboot and roll this change back."
        )
        raise StateConflict("change.state", text, extra={"state": change.state})
    old = {"state": change.state}
    if change.state in HELD | {ChangeState.QUEUED} or _is_out(change):
        work_cancel(rows=runs)
        change.refresh_from_db()
    else:
        _cancel_now(change, f"Cancelled by {actor.name}.")
    new = {"state": change.state}
    audit_record(actor=actor, verb="change.cancel", obj=change, host=change.host, old=old, new=new)
    return change


def _cancel_now(change: Change, text: str) -> None:
    # Work first, then the change: whoever moves both does it in this order.
    work_cancel(rows=ChangePlanning.objects.filter(change=change))
    change.refresh_from_db()
    if change.state == ChangeState.CANCELLED:
        change.message = text
        change.save(update_fields=["message"])
    else:
        change_move_or_conflict(change, ChangeState.CANCELLED, message=text)


@transaction.atomic
def change_check(*, actor: Actor, change: Change) -> Change:
    """Have the agent look now whether the reboot that this change waits for has happened."""
    require(actor, "change.apply", change)
    host_lock(change.host)
    change.refresh_from_db()
    if change.state != ChangeState.WAITING_REBOOT:
        text = f"This change is {change.state}: it waits for no reboot."
        raise StateConflict("change.state", text, extra={"state": change.state})
    change_continue(change)
    audit_record(actor=actor, verb="change.check", obj=change, host=change.host)
    return change


@transaction.atomic
def change_rollback(*, actor: Actor, change: Change, reason: str) -> Change:
    """Ask for the change that restores what was before; it is planned and approved like any other.

    Raise StateConflict `change.no_rollback`, `change.rollback_exists` while another is under way.
    """
    require(actor, "change.rollback", change)
    host_lock(change.host)
    change.refresh_from_db()
    _require_no_other(change)
    data = change.plan.data if change.plan else {}
    request = data.get("rollback")
    if change.state not in (ChangeState.SUCCEEDED, ChangeState.NEEDS_ATTENTION) or not request:
        why = data.get("rollback_reason") or f"It is {change.state}: nothing of it can be restored."
        raise StateConflict("change.no_rollback", why)
    return change_create(
        actor=actor,
        host=change.host,
        kind=request["kind"],
        parameters=request["parameters"],
        reason=reason,
        rollback_of=change,
    )


def _require_no_other(change: Change) -> None:
    over = TERMINAL | {ChangeState.NEEDS_ATTENTION, ChangeState.STALE}
    other = change.rollbacks.exclude(state__in=over).first()
    if other is not None:
        text = f"{other.requested_by_name} is undoing this already; that change is {other.state}."
        raise StateConflict("change.rollback_exists", text, extra={"change": str(other.pk)})


@transaction.atomic
def pause_set(*, actor: Actor, is_paused: bool, reason: str = "") -> ApplyPause:
    """Hold all applies back, or let them go on. What runs is finished."""
    require(actor, "change.pause")
    pause, _ = ApplyPause.objects.select_for_update().get_or_create(pk=1)
    old = {"is_paused": pause.is_paused, "reason": pause.reason}
    pause.is_paused, pause.reason = is_paused, reason
    pause.by_name, pause.at = actor.name, timezone.now()
    pause.save()
    new = {"is_paused": is_paused, "reason": reason}
    audit_record(actor=actor, verb="change.pause", obj=pause, old=old, new=new)
    if not is_paused:
        _ring_held_back()
    return pause


def _ring_held_back() -> None:
    queue_time_restart(ChangeRun.objects.all(), timezone.now())
    hosts = list(
        Host.objects.filter(pk__in=ChangeRun.objects.filter(state=WorkState.QUEUED).values("host"))
    )
    pulse_invalidate([host.pk for host in hosts])
    doorbell.ring_on_commit([doorbell.Ring.of(host, Lane.WORK, host.pk) for host in hosts])


def _lock_planned(change: Change, plan_digest: str) -> Plan:
    """Lock the host, bring the change up to date, and return its plan if it still is this one."""
    host_lock(change.host)
    change.refresh_from_db()
    if change.plan is None or change.plan.digest != plan_digest:
        text = "This is not the change's plan any more. Look at the new one first."
        raise StateConflict("change.plan_changed", text)
    return change.plan


def _require(judgement: Judgement, code: str) -> None:
    if not judgement.may and not judgement.obstacle:
        raise PermissionDenied(code, judgement.why_not)


def _check_confirmation(change: Change, judgement: Judgement, confirmation: str) -> None:
    if judgement.needs_confirmation and confirmation != change.host.name:
        text = f"Type the host's name, {change.host.name}, to confirm."
        raise InvalidInput("change.confirmation", text, extra={"fields": {"confirmation": [text]}})
