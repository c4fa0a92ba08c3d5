"""Who must approve a plan, and who may: four eyes, for administrators too."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.models import User
from console.accounts.policies import VERBS_BY_ROLE, can
from console.changes.approval_rules import rule_for
from console.changes.enums import ChangeState
from console.changes.models import ApplyPause, Approval, Change, Plan
from console.changes.models_policy import ApprovalRule
from console.changes.requests import host_check

APPROVE = "change.approve"
_ROLES = [role for role, verbs in VERBS_BY_ROLE.items() if APPROVE in verbs]


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


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many people have to approve a plan, and by what; `by` goes before `wants`."""

    number: int
    by: str


def approvals_wanted(
    kind: str, risk: str, *, is_grave: bool, rules: Iterable[ApprovalRule] | None = None
) -> Wanted:
    """Return what `rules` (or those there are) want; forced and destroying plans always one."""
    rule = rule_for(kind, risk, rules)
    if rule is not None and rule.approvals >= int(is_grave):
        by = f"The rule for {rule.kind_pattern} from {rule.minimum_risk} risk on"
        return Wanted(rule.approvals, by)
    return Wanted(int(is_grave), "What is forced or destroys something")


def plan_wanted(plan: Plan) -> Wanted:
    """Return how many people have to approve a plan, and by what rule."""
    is_grave = bool(plan.data.get("needs_force") or plan.data.get("destroys"))
    return approvals_wanted(plan.change.kind, plan.risk, is_grave=is_grave)


def approvals_required(plan: Plan) -> int:
    """Return how many people have to approve a plan."""
    return plan_wanted(plan).number


def approval_counts(prefix: str = "") -> Q:
    """Return the condition that an approval (by `prefix`) counts: not expired, and by somebody
    who still may approve.
    """
    return Q(
        **{
            f"{prefix}expires_at__gt": timezone.now(),
            f"{prefix}by__is_active": True,
            f"{prefix}by__role__in": _ROLES,
        }
    )


def approvals_valid(plan: Plan) -> QuerySet[Approval]:
    """Return the approvals of a plan that count."""
    return Approval.objects.filter(approval_counts(), plan=plan)


def is_approved(plan: Plan) -> bool:
    """Return whether enough people have approved the plan."""
    return approvals_valid(plan).count() >= approvals_required(plan)


def approval_gap(plan: Plan) -> tuple[str, str]:
    """Return code and sentence of what the plan's approval lacks; empty where it lacks nothing."""
    wanted = plan_wanted(plan)
    given = list(Approval.objects.filter(plan=plan).select_related("by"))
    now = timezone.now()
    live = [one for one in given if one.expires_at > now]
    gone = [one.by_name for one in live if not approval_holds(one)]
    valid = len(live) - len(gone)
    if valid >= wanted.number:
        return "", ""
    if valid + len(gone) >= wanted.number:
        text = f"{', '.join(gone)} approved this plan and may not approve any more"
        return "change.approval_void", f"{text}: somebody else has to."
    if len(given) >= wanted.number:
        at = max(one.expires_at for one in given if one.expires_at <= now)
        text = f"The approval of this plan expired on {at:%Y-%m-%d %H:%M} UTC"
        return "change.approval_expired", f"{text}: it has to be given again."
    number = f"{wanted.number} approval{'s'[: wanted.number != 1]}"
    text = f"{wanted.by} wants {number}; this plan has {valid or 'none'}."
    return "change.approval_missing", text


def approval_holds(approval: Approval) -> bool:
    """Return whether an approval (with `by` loaded) counts; approval_counts as a question."""
    by = approval.by
    is_able = by is not None and by.is_active and by.role in _ROLES
    return is_able and approval.expires_at > timezone.now()


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
    return User.objects.filter(is_active=True, role__in=_ROLES).exclude(pk=user_id)


def apply_judge(actor: Actor, change: Change) -> Judgement:
    """Return whether `actor` may apply the change now."""
    if change.plan is None or change.state != ChangeState.PLANNED:
        return Judgement(may=False, why_not=f"This change is {change.state}, not planned.")
    if not can(actor, "change.apply", change):
        return Judgement(may=False, why_not=f"{actor.name} may not apply changes.")
    needs_name = bool(change.plan.data.get("destroys"))
    code, why = _obstacle(change, change.plan)
    return Judgement(may=not code, why_not=why, needs_confirmation=needs_name, obstacle=code)


def _obstacle(change: Change, plan: Plan) -> tuple[str, str]:
    pause = ApplyPause.objects.filter(is_paused=True).first()
    if pause is not None:
        return "change.paused", f"{pause.by_name} has paused all changes: {pause.reason}"
    refusal = host_check(change.host, change.kind)
    if refusal:
        return "change.host_refused", refusal
    return approval_gap(plan)
