"""Takes in the plans that agents make: bounded, checked against the contract, never altered."""

import json
import re
from typing import Any

from agents.wire.changes import ConsequenceKind, Risk
from agents.wire.changes import Plan as WirePlan
from agents.wire.codec import WireError, from_plain, to_plain
from console.changes.models import Change, Plan
from console.core.clean import clean

MAX_PLAN_BYTES = 2 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")
_RISKS = [risk.value for risk in Risk]
_NOTICED = frozenset(
    {
        ConsequenceKind.REBOOT,
        ConsequenceKind.DOMAIN_RESTART,
        ConsequenceKind.SESSIONS_CUT,
        ConsequenceKind.OUTAGE,
        ConsequenceKind.DELETE,
    }
)
"""What others notice at once: a plan with one of these is of medium risk at least."""


class PlanUnusable(ValueError):
    """What the agent sent is no plan of this change; the sentence says why."""


def plan_store(change: Change, plain: Any) -> Plan:
    """Store a plan of `change` and return it. Raise PlanUnusable."""
    try:
        wire = from_plain(plain, WirePlan)
    except WireError as error:
        raise PlanUnusable(f"The agent's plan does not fit the contract: {error}.") from error
    if wire.request.kind != change.kind:
        raise PlanUnusable(f"The agent planned {wire.request.kind!r:.80}, not {change.kind}.")
    if clean(wire.request.parameters) != clean(change.parameters):
        raise PlanUnusable("The agent planned for other parameters than were asked for.")
    _check_shape(wire)
    data = clean(to_plain(wire))
    if len(json.dumps(data)) > MAX_PLAN_BYTES:
        raise PlanUnusable(f"The agent's plan is larger than {MAX_PLAN_BYTES >> 20} MiB.")
    plan: Plan = Plan.objects.create(
        change=change,
        digest=wire.digest,
        sentence=data["sentence"],
        risk=risk_of(wire),
        is_noop=wire.is_noop,
        data=data,
    )
    return plan


def risk_of(wire: WirePlan) -> str:
    """Return the risk that rules go by: the agent's, but not below what the plan says it does.

    A risk that this console does not know counts as the highest.
    """
    if wire.risk not in _RISKS:
        return Risk.HIGH.value
    waits = any(phase.waits_for for phase in wire.phases)
    is_noticed = waits or wire.destroys or any(one.kind in _NOTICED for one in wire.consequences)
    floor = Risk.MEDIUM.value if is_noticed and not wire.is_noop else Risk.LOW.value
    return max(wire.risk, floor, key=_RISKS.index)


def _check_shape(wire: WirePlan) -> None:
    """What is approved is a digest: a plan without a proper one could be any plan."""
    if not _DIGEST.fullmatch(wire.digest) or not all(phase.digest for phase in wire.phases):
        raise PlanUnusable("The agent's plan carries no digest.")
    if wire.is_noop == any(phase.steps for phase in wire.phases):
        raise PlanUnusable("The agent's plan has steps and calls itself nothing to do, or neither.")


def parts_difference(old: Plan | None, new: Plan) -> list[dict[str, Any]]:
    """Return the parts in which two plans saw the host differently, in order."""
    before = old.data["parts"] if old else {}
    after = new.data["parts"]
    return [
        {"part": part, "expected": before.get(part), "found": after.get(part)}
        for part in sorted(set(before) | set(after))
        if before.get(part) != after.get(part)
    ]
