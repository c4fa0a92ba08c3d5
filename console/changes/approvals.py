"""Who must approve a plan, and who may: four eyes, for administrators too."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.models import User
from console.accounts.policies import VERBS_BY_ROLE, can
from console.changes.approval_rules import approvals_by_rule
from console.changes.enums import ChangeState
from console.changes.models import ApplyPause, Approval, Change, Plan

APPROVE = "change.approve"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Whether an actor may do something to a change; `why_not` is a sentence."""

    may: bool
    why_not: str = ""
    needs_confirmation: bool = False
    """The host's name has to be typed."""
    is_self: bool = False
    obstacle: str = ""
    """Code of what stands in the way though the actor may: a pause, an approval that expired."""


def approvals_required(plan: Plan) -> int:
    """Return how many people have to approve a plan: what the rules say; forced ones always one."""
    is_grave = bool(plan.data.get("needs_force") or plan.data.get("destroys"))
    return max(approvals_by_rule(plan.change.kind, plan.risk), int(is_grave))


def approvals_valid(plan: Plan) -> QuerySet[Approval]:
    """Return the approvals of a plan that have not expired."""
    return Approval.objects.filter(plan=plan, expires_at__gt=timezone.now())


def is_approved(plan: Plan) -> bool:
    """Return whether enough people have approved the plan."""
    return approvals_valid(plan).count() >= approvals_required(plan)


def approval_judge(actor: Actor, change: Change) -> Judgement:
    """Return whether `actor` may approve the change as it is now planned."""
    if change.state != ChangeState.AWAITING_APPROVAL or change.plan is None:
        return Judgement(may=False, why_not="This change does not wait for an approval.")
    if not can(actor, APPROVE, change):
        return Judgement(may=False, why_not=f"{actor.name} may not approve changes.")
    if actor.user_id is None:
        return Judgement(may=False, why_not="Only a person can approve.")
    if approvals_valid(change.plan).filter(by_id=actor.user_id).exists():
        return Judgement(may=False, why_not="You have approved this plan already.")
    if actor.user_id != change.requested_by_id:
        return Judgement(may=True)
    if others_who_may_approve(actor.user_id).exists():
        why = "You asked for this change: somebody else has to approve it."
        return Judgement(may=False, why_not=why)
    if change.plan.data.get("needs_force"):
        why = "You asked for this change, and it is forced: only a second person can approve it."
        return Judgement(may=False, why_not=why)
    return Judgement(may=True, needs_confirmation=True, is_self=True)


def others_who_may_approve(user_id: UUID) -> QuerySet[User]:
    """Return the active users but this one whose role may approve."""
    roles = [role for role, verbs in VERBS_BY_ROLE.items() if APPROVE in verbs]
    return User.objects.filter(is_active=True, role__in=roles).exclude(pk=user_id)


def apply_judge(actor: Actor, change: Change) -> Judgement:
    """Return whether `actor` may apply the change now."""
    if change.plan is None or change.state != ChangeState.PLANNED:
        return Judgement(may=False, why_not=f"This change is {change.state}, not planned.")
    if not can(actor, "change.apply", change):
        return Judgement(may=False, why_not=f"{actor.name} may not apply changes.")
    needs_name = bool(change.plan.data.get("destroys"))
    code, why = _obstacle(change.plan)
    return Judgement(may=not code, why_not=why, needs_confirmation=needs_name, obstacle=code)


def _obstacle(plan: Plan) -> tuple[str, str]:
    pause = ApplyPause.objects.filter(is_paused=True).first()
    if pause is not None:
        return "change.paused", f"{pause.by_name} has paused all changes: {pause.reason}"
    if not is_approved(plan):
        return "change.approval_expired", "The approval of this plan has expired: it needs another."
    return "", ""
