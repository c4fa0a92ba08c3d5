"""How many people have to approve a plan, by the kind of change and its risk."""

import re
from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from agents.wire.changes import CHANGE_KINDS, Risk
from console.accounts.actors import Actor
from console.accounts.policies import require
from console.audit.services import audit_record
from console.changes.models_policy import ApprovalRule
from console.core import events
from console.core.errors import InvalidInput, StateConflict

VERB = "approval_rule.manage"
MAX_APPROVALS = 5
_PATTERN = re.compile(r"\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+)")
_RISKS = [risk.value for risk in Risk]


def rule_list(*, actor: Actor) -> QuerySet[ApprovalRule]:
    """Return all rules."""
    require(actor, "change.read")
    return ApprovalRule.objects.all()


def rule_for(
    kind: str, risk: str, rules: Iterable[ApprovalRule] | None = None
) -> ApprovalRule | None:
    """Return the strictest rule that fits, of `rules` or of all there are; None: none fits."""
    noun = kind.partition(".")[0]
    rank = _RISKS.index(risk) if risk in _RISKS else len(_RISKS) - 1
    patterns, risks = ("*", f"{noun}.*", kind), _RISKS[: rank + 1]
    if rules is None:
        rules = ApprovalRule.objects.filter(kind_pattern__in=patterns, minimum_risk__in=risks)
    fitting = (r for r in rules if r.kind_pattern in patterns and r.minimum_risk in risks)
    return max(fitting, key=lambda rule: rule.approvals, default=None)


def approvals_by_rule(kind: str, risk: str) -> int:
    """Return how many approvals the strictest fitting rule wants; none where none fits."""
    rule = rule_for(kind, risk)
    return rule.approvals if rule else 0


@transaction.atomic
def rule_create(
    *, actor: Actor, kind_pattern: str, minimum_risk: str, approvals: int, note: str = ""
) -> ApprovalRule:
    """Make a rule. Raise InvalidInput `approval_rule.kind_pattern`, StateConflict `….exists`.

    Plans that were approved before have to satisfy it too when they are applied.
    """
    require(actor, VERB)
    rule = ApprovalRule(kind_pattern=kind_pattern, minimum_risk=minimum_risk)
    return _write(actor, "approval_rule.create", rule, None, approvals=approvals, note=note)


@transaction.atomic
def rule_update(*, actor: Actor, rule: ApprovalRule, **fields: Any) -> ApprovalRule:
    """Alter a rule; what is not given stays. Raise as rule_create does."""
    require(actor, VERB)
    return _write(actor, "approval_rule.update", rule, _shown(rule), **fields)


@transaction.atomic
def rule_delete(*, actor: Actor, rule: ApprovalRule) -> None:
    """Delete a rule."""
    require(actor, VERB)
    old, pk = _shown(rule), rule.pk
    rule.delete()
    rule.pk = pk
    events.publish("approval_rule", pk, timezone.now())
    audit_record(actor=actor, verb="approval_rule.delete", obj=rule, old=old)


def _write(
    actor: Actor, verb: str, rule: ApprovalRule, old: dict[str, Any] | None, **fields: Any
) -> ApprovalRule:
    for name, value in fields.items():
        setattr(rule, name, value)
    _check_pattern(rule.kind_pattern)
    try:
        with transaction.atomic():
            rule.save()
    except IntegrityError:
        text = f"There is a rule for {rule.kind_pattern} from {rule.minimum_risk} risk on already."
        raise StateConflict("approval_rule.exists", text) from None
    events.publish("approval_rule", rule.pk, rule.updated_at)
    audit_record(actor=actor, verb=verb, obj=rule, old=old, new=_shown(rule))
    return rule


def _check_pattern(pattern: str) -> None:
    nouns = {kind.partition(".")[0] for kind in CHANGE_KINDS}
    is_noun = pattern.endswith(".*") and pattern[:-2] in nouns
    if not _PATTERN.fullmatch(pattern) or not (pattern in ("*", *CHANGE_KINDS) or is_noun):
        text = "A pattern is *, a kind of change, or all kinds of a noun, as unit.*"
        raise InvalidInput(
            "approval_rule.kind_pattern", text, extra={"fields": {"kind_pattern": [text]}}
        )


def _shown(rule: ApprovalRule) -> dict[str, Any]:
    names = ("kind_pattern", "minimum_risk", "approvals", "note")
    return {name: getattr(rule, name) for name in names}
