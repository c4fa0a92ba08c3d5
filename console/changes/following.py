"""Makes a change follow what becomes of its work: planned, run, lost, expired, ended.

Every function runs inside the transaction that changed the work, under the lock of the host.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from agents.wire.changes import ApplyState
from agents.wire.names import Lane
from console.accounts.actors import SYSTEM
from console.audit.services import audit_record
from console.changes.approvals import is_approved
from console.changes.drift import drift_note_applied
from console.changes.enums import HELD, READY, ChangeState
from console.changes.models import Change, ChangePlanning, ChangeRun, Plan
from console.changes.plans import PlanUnusable, parts_difference, plan_store
from console.changes.queueing import PLAN_LIFE, queue_time_end
from console.changes.states import change_move
from console.fleet import doorbell
from console.fleet.enums import WorkState
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate

_LOST = (
    "Contact with the agent was lost while it applied this. It may still be at it; its own report "
    "sets the true state."
)
_EARLIER_STANDS = " Earlier phases of it took effect and stand."


def planning_changed(planning_id: UUID, at: datetime) -> None:
    """The work of planning moved: store the plan, or say why there is none."""
    planning = ChangePlanning.objects.select_related("change__host").get(pk=planning_id)
    change = planning.change
    if planning.state == WorkState.EXPIRED:
        text = f"{change.host.name} did not make a plan in time. Ask again when it is back."
        _end(change, ChangeState.EXPIRED, at=at, message=text)
    elif planning.state == WorkState.CANCELLED:
        # Whoever cancelled it writes the audit.
        text = planning.message or "Cancelled before there was a plan."
        change_move(change, ChangeState.CANCELLED, at=at, message=text)
    elif planning.state in (WorkState.LOST, WorkState.ERRORED):
        text = planning.message or "Contact with the agent was lost while it planned."
        _end(change, ChangeState.FAILED, at=at, message=text)


def planning_finished(planning: ChangePlanning) -> None:
    """The agent has planned, or refused to: the change follows."""
    planning.refresh_from_db()
    result, message = planning.result, planning.message
    change = Change.objects.select_related("host").get(pk=planning.change_id)
    if change.state != ChangeState.PLANNING:
        return
    if "plan" not in result:
        refusal = result.get("refusal", {})
        _end(change, ChangeState.FAILED, message=message, result={"refusal": refusal})
        return
    try:
        plan = plan_store(change, result["plan"])
    except PlanUnusable as error:
        ChangePlanning.objects.filter(pk=planning.pk).update(result={})
        _end(change, ChangeState.FAILED, message=str(error))
        return
    # It is kept once.
    ChangePlanning.objects.filter(pk=planning.pk).update(result={})
    plan_take(change, plan)


def plan_take(change: Change, plan: Plan) -> None:
    """Make `plan` the change's plan, and move it to where the plan allows."""
    now = timezone.now()
    fields: dict[str, Any] = {
        "plan": plan,
        "planned_at": now,
        "message": "",
        "stale_difference": [],
        "expires_at": now + PLAN_LIFE,
    }
    if plan.is_noop:
        fields |= {"message": plan.sentence, "expires_at": None}
        _end(change, ChangeState.SUCCEEDED, **fields)
        return
    to = ChangeState.PLANNED if is_approved(plan) else ChangeState.AWAITING_APPROVAL
    if change_move(change, to, **fields):
        new = {"state": to.value, "digest": plan.digest, "risk": plan.risk, "does": plan.sentence}
        _audit(change, "change.planned", new)


def run_changed(run_id: UUID, at: datetime) -> None:
    """The work of applying moved: the change follows."""
    run = ChangeRun.objects.select_related("change__host").get(pk=run_id)
    change = run.change
    if run.plan_id != change.plan_id:
        return
    if run.state == WorkState.CLAIMED:
        change_move(change, ChangeState.CLAIMED, at=at)
    elif run.state == WorkState.RUNNING:
        started = change.started_at or run.started_at
        change_move(change, ChangeState.RUNNING, at=at, started_at=started, message="")
    elif run.state == WorkState.LOST:
        change_move(change, ChangeState.NEEDS_ATTENTION, at=at, message=_LOST)
    elif run.state == WorkState.EXPIRED:
        _expire(change, at)
    elif run.state == WorkState.CANCELLED and change.state == ChangeState.QUEUED:
        # Whoever cancelled it writes the audit.
        to = _in_the_middle(change, ChangeState.CANCELLED)
        stands = _EARLIER_STANDS if to == ChangeState.NEEDS_ATTENTION else ""
        change_move(change, to, at=at, message=f"Cancelled before it was run.{stands}")


def _expire(change: Change, at: datetime) -> None:
    """Nobody took the order: nothing of it was run, but earlier phases may stand."""
    text = f"{change.host.name} did not take this in time; nothing of it was run."
    if change.phase == 0:
        _end(change, ChangeState.EXPIRED, at=at, message=text)
    elif change.waiting:
        # The wait goes on.
        change_move(change, ChangeState.WAITING_REBOOT, at=at, message=text)
    else:
        _end(change, ChangeState.NEEDS_ATTENTION, at=at, message=text + _EARLIER_STANDS)


def run_finished(run: ChangeRun) -> None:
    """The agent has ended a phase, or the look after the last one."""
    run.refresh_from_db()
    change = Change.objects.select_related("host", "plan").get(pk=run.change_id)
    result, message = run.result, run.message
    to = _ending_of(run, str(result.get("state", "")))
    fields: dict[str, Any] = {"result": result, "message": message}
    if run.plan_id != change.plan_id or change.state not in HELD | {ChangeState.NEEDS_ATTENTION}:
        # It was given up and planned anew meanwhile: the truth goes to the audit, no further.
        _audit(change, "change.late_report", {"state": to.value, "message": message[:500]})
    elif to is ApplyState.STALE:
        _stale(change, result, message)
    elif to is ApplyState.WAITING_REBOOT:
        _wait(change, run, fields)
    elif to is ApplyState.SUCCEEDED and _is_more_to_do(run):
        fields |= {"phase": run.phase + 1, "waiting": None, "waiting_since": None}
        if change_move(change, ChangeState.QUEUED, **fields):
            run_queue(change)
    else:
        _end(change, _in_the_middle(change, ChangeState(to.value)), **fields)


def _is_more_to_do(run: ChangeRun) -> bool:
    """Return whether a phase follows, or the look after the last one; never another look."""
    return not run.result.get("is_last", True) and run.phase < len(run.plan.phase_digests)


def _ending_of(run: ChangeRun, state: str) -> ApplyState:
    """Return how the phase ended; without the agent's word, what its outcome stands for."""
    if state in set(ApplyState):
        return ApplyState(state)
    if run.state == WorkState.CANCELLED:
        return ApplyState.CANCELLED
    # A defect of ours in the middle of it: nobody knows what stands.
    has_begun = run.state == WorkState.ERRORED and run.started_at is not None
    return ApplyState.NEEDS_ATTENTION if has_begun else ApplyState.FAILED


def _in_the_middle(change: Change, to: ChangeState) -> ChangeState:
    """Return NEEDS_ATTENTION where the phase is undone but earlier ones stand."""
    is_undone = to in (ChangeState.FAILED, ChangeState.ROLLED_BACK, ChangeState.CANCELLED)
    return ChangeState.NEEDS_ATTENTION if change.phase > 0 and is_undone else to


def _stale(change: Change, result: dict[str, Any], message: str) -> None:
    try:
        new = plan_store(change, result.get("plan"))
    except PlanUnusable:
        new = None
    difference = parts_difference(change.plan, new) if new else []
    to = ChangeState.STALE if change.phase == 0 else ChangeState.NEEDS_ATTENTION
    result = {name: value for name, value in result.items() if name != "plan"}
    _end(change, to, message=message, result=result, stale_difference=difference)


def _wait(change: Change, run: ChangeRun, fields: dict[str, Any]) -> None:
    """The phase waits for a reboot; a look after it (the order of the next phase) still does."""
    phases = run.plan.data["phases"]
    is_again = run.phase > 0 and run.result.get("phase") == run.phase - 1
    phase = min(run.phase - 1 if is_again else run.phase, len(phases) - 1)
    planned = phases[phase]
    waiting = {
        "domains": planned.get("waits_for", []),
        "text": planned.get("wait_text", ""),
        "commands": planned.get("wait_commands", []),
        "settles": planned.get("settles", {}),
    }
    since = change.waiting_since if is_again and change.waiting_since else timezone.now()
    is_new = change_move(
        change,
        ChangeState.WAITING_REBOOT,
        phase=phase + 1,
        waiting=waiting,
        waiting_since=since,
        **fields,
    )
    if is_new and not is_again:
        _audit(change, "change.wait", {"domains": waiting["domains"], "phase": phase})


def _end(change: Change, to: ChangeState, **fields: Any) -> None:
    """Move a change to an end, with its audit; a success makes others stale."""
    old = change.state
    if not change_move(change, to, **fields):
        return
    new = {"state": to.value, "message": change.message[:500]}
    _audit(change, "change.end", new, old={"state": old})
    if to == ChangeState.SUCCEEDED:
        changes_make_stale(change)
        drift_note_applied(change)


def _audit(
    change: Change, verb: str, new: dict[str, Any], old: dict[str, Any] | None = None
) -> None:
    audit_record(actor=SYSTEM, verb=verb, obj=change, host=change.host, old=old, new=new)


def changes_make_stale(change: Change) -> int:
    """Make ready and queued changes of the host stale that touch parts which `change` altered."""
    touched = set(change.plan.data.get("ends", {})) if change.plan else set()
    others = Change.objects.filter(
        host=change.host, state__in=[*READY, ChangeState.QUEUED], phase=0
    ).exclude(pk=change.pk)
    stale = 0
    for other in others.select_related("plan", "host"):
        common = touched & set(other.plan.data["parts"]) if other.plan else set()
        if common:
            stale += _make_stale(other, change, sorted(common))
    return stale


def _make_stale(other: Change, change: Change, common: list[str]) -> bool:
    text = (
        f"{change.plan.sentence if change.plan else change.kind} was applied meanwhile and altered "
        f"{', '.join(common[:5])}. Plan again."
    )
    ChangeRun.objects.filter(change=other, state=WorkState.QUEUED).update(
        state=WorkState.CANCELLED, finished_at=timezone.now(), updated_at=timezone.now()
    )
    return change_move(other, ChangeState.STALE, message=text)


def run_queue(change: Change) -> ChangeRun:
    """Queue the work of the change's next phase; its doorbell rings on commit."""
    if change.plan is None:
        raise ValueError(f"change {change.pk} has no plan")
    now = timezone.now()
    run: ChangeRun = ChangeRun.objects.create(
        change=change,
        plan=change.plan,
        phase=change.phase,
        host=change.host,
        lane=Lane.WORK.value,
        # A later phase goes before changes that were queued after this one.
        queued_at=change.queued_at or now,
        expires_at=queue_time_end(now),
    )
    # Numbers of reports begin anew with an agent's journal, so each run counts its own.
    Change.objects.filter(pk=change.pk).update(progress={}, progress_seq=0)
    pulse_invalidate([change.host_id])
    doorbell.ring_on_commit([doorbell.Ring.of(change.host, Lane.WORK, run.pk)])
    return run


def is_awaiting_reboot(host: OuterRef) -> Exists:
    """Return whether a change of `host` waits for a reboot, to be asked along with the host."""
    return Exists(Change.objects.filter(host=host, state=ChangeState.WAITING_REBOOT))


def changes_follow_inventory(host: Host, parts: Mapping[str, Any]) -> None:
    """Queue what follows the waits that an inventory shows to be over."""
    waiting = Change.objects.filter(host=host, state=ChangeState.WAITING_REBOOT)
    for change in waiting.select_related("host", "plan").order_by("created_at"):
        settles = (change.waiting or {}).get("settles", {})
        if settles and all(parts.get(part) == value for part, value in settles.items()):
            change_continue(change)


def change_continue(change: Change) -> None:
    """Queue what follows the wait: the next phase, or the look after the last one."""
    if change_move(change, ChangeState.QUEUED):
        run_queue(change)
