"""Steps that enable and disable mechanisms with cryptoadm, each of which can be undone exactly."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agents.drivers.solaris.kinds.commands import CRYPTOADM
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.validation import invalid, joined
from agents.wire.changes import StepPlan
from agents.wire.inventory import Attribute

ALL = "*"
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyTarget:
    """Whose policy is set: `provider=aes` or `metaslot`, and how its parts are written."""

    operand: str
    label: str
    has_all_switch: bool
    """Whether `mechanism=all` gives "all disabled"; kernel providers list all of them instead."""
    mechanisms: frozenset[str]
    part_values: Callable[[Policy], dict[str, Attribute]]


@dataclass(frozen=True, slots=True)
class _Call:
    verb: str
    names: list[str]


def policy_steps(
    target: PolicyTarget, now: Policy, enable: list[str], disable: list[str]
) -> tuple[Policy, list[StepPlan]]:
    """Return the policy that is asked for and the calls that lead to it, at most two.

    Enabling comes first, so that nothing is missing in between; a `*` comes before what it would
    undo. One list per call, which is all that cryptoadm takes.
    """
    if set(enable) & set(disable):
        raise invalid("disable", "names what `enable` names too")
    order = [("enable", enable), ("disable", disable)]
    if disable == [ALL]:
        order.reverse()
    steps: list[StepPlan] = []
    policy = now
    for verb, names in order:
        after, words = _result(target, policy, verb, names)
        if after != policy:
            steps.append(_step(target, policy, after, _Call(verb, words)))
            policy = after
    return (now, []) if _is_same(target, now, policy) else (policy, steps)


def _is_same(target: PolicyTarget, now: Policy, goal: Policy) -> bool:
    """Two forms of a policy are the same where they disable the same of the known mechanisms."""
    known = target.mechanisms
    return now == goal or (
        bool(known) and all(now.is_disabled(m) == goal.is_disabled(m) for m in known)
    )


def _result(
    target: PolicyTarget, policy: Policy, verb: str, names: list[str]
) -> tuple[Policy, list[str]]:
    """Return what one call leads to, and the names that it needs.

    `mechanism=all` empties the list of exceptions, which no single call could put back; so where
    there are exceptions all mechanisms are named instead, if they are known.
    """
    is_disable = verb == "disable"
    if names == [ALL]:
        if policy.is_all_disabled == is_disable and not policy.exceptions:
            return policy, []
        if target.has_all_switch and not (policy.exceptions and target.mechanisms):
            return Policy(is_disable), [ALL]
        names = sorted(target.mechanisms | policy.exceptions)
    changing = [name for name in names if policy.is_disabled(name) != is_disable]
    chosen = frozenset(changing)
    return (policy.disabling(chosen) if is_disable else policy.enabling(chosen)), changing


def _step(target: PolicyTarget, before: Policy, after: Policy, call: _Call) -> StepPlan:
    opposite = {"enable": "disable", "disable": "enable"}[call.verb]
    is_lossy = call.names == [ALL] and bool(before.exceptions)
    return StepPlan(
        title=f"{call.verb.capitalize()} {shown(call.names)} on {target.label}",
        argv=[CRYPTOADM, call.verb, target.operand, joined(call.names)],
        undo_argv=[] if is_lossy else [CRYPTOADM, opposite, target.operand, joined(call.names)],
        undo_reason="It clears a list of exceptions, which no single call puts back."
        if is_lossy
        else "",
        before=target.part_values(before),
        after=target.part_values(after),
    )


def shown(names: Iterable[str]) -> str:
    """Return names for a sentence: the first few and how many more there are."""
    listed = list(names)
    if listed == [ALL]:
        return "all mechanisms"
    if len(listed) <= _SHOWN:
        return ", ".join(listed)
    return f"{', '.join(listed[:_SHOWN])} and {len(listed) - _SHOWN} more"


def restoring(now: Policy, goal: Policy) -> dict[str, list[str]]:
    """Return `enable` and `disable` of the request that leads from `goal` back to `now`."""
    if now.is_all_disabled == goal.is_all_disabled:
        enabled = goal.exceptions - now.exceptions
        disabled = now.exceptions - goal.exceptions
        if now.is_all_disabled:
            enabled, disabled = disabled, enabled
        return {"enable": sorted(enabled), "disable": sorted(disabled)}
    if now.is_all_disabled:
        return {"enable": sorted(now.exceptions), "disable": [ALL]}
    return {"enable": [ALL], "disable": sorted(now.exceptions)}
