"""`mechanism.policy` on Linux: which of SoftHSM's mechanisms its tokens offer."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.config import Pkcs11Config
from agents.drivers.linux.kinds import parameters as check
from agents.drivers.linux.kinds.softhsm import (
    PROVIDER,
    SoftHsmState,
    allowed_mechanisms,
    library_path,
    read_softhsm,
    with_disabled,
)
from agents.drivers.linux.tree import Tree
from agents.drivers.solaris import parts
from agents.wire.changes import (
    ChangeRequest,
    Consequence,
    ConsequenceKind,
    FileEdit,
    Phase,
    Plan,
    Risk,
    StepPlan,
)
from agents.wire.inventory import Attribute

_KEYS = ("provider", "enable", "disable", "force", "force_reason")
_SHOWN = 4


class SoftHsmPolicy(ChangeKind[SoftHsmState]):
    """Edits `slots.mechanisms`; success means that a child which loads SoftHSM sees the list."""

    name: ClassVar[str] = "mechanism.policy"

    def __init__(self, tree: Tree, pkcs11: Pkcs11Config) -> None:
        self._tree = tree
        self._pkcs11 = pkcs11

    def applies(self, reader: Reader) -> str:
        return "" if library_path(self._tree, self._pkcs11) else "There is no SoftHSM library here."

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[SoftHsmState]:
        state = read_softhsm(reader, self._tree, self._pkcs11)
        return Seen(state, softhsm_parts(state))

    def plan(self, parameters: Mapping[str, Any], seen: Seen[SoftHsmState]) -> Plan:
        check.only_keys(parameters, _KEYS)
        if parameters.get("provider") != PROVIDER:
            raise check.invalid("provider", f"must be {PROVIDER}", "No other has a policy here.")
        state = seen.state
        now = state.known - state.offered
        goal = _goal(parameters, state, now)
        needs_force = _needs_force(parameters, state, goal)
        return _plan(parameters, seen, now, goal, needs_force)


def softhsm_parts(state: SoftHsmState) -> dict[str, Attribute]:
    """Return the parts: the policy as the library follows it, and as the file has it."""
    configured = state.known - allowed_mechanisms(state.text, state.known)
    return {
        parts.mechanism_policy(PROVIDER): sorted(state.known - state.offered),
        parts.mechanism_configured(PROVIDER): sorted(configured),
    }


def _goal(
    parameters: Mapping[str, Any], state: SoftHsmState, now: frozenset[str]
) -> frozenset[str]:
    enable = check.mechanism_names(parameters, "enable")
    disable = check.mechanism_names(parameters, "disable")
    both = set(enable) & set(disable)
    if both or ("*" in enable and not disable and enable != ["*"]):
        raise check.invalid("disable", "names what `enable` names too")
    unknown = [m for m in (*enable, *disable) if m != "*" and m not in state.known]
    if unknown:
        raise ChangeRefused(
            "mechanism.unknown",
            f"SoftHSM has no {_shown(unknown)}.",
            "It would ignore the name without a word.",
            PROVIDER,
        )
    goal = now
    if disable == ["*"]:
        return state.known - frozenset(enable)
    goal = frozenset() if enable == ["*"] else goal - frozenset(enable)
    return goal | frozenset(disable)


def _needs_force(parameters: Mapping[str, Any], state: SoftHsmState, goal: frozenset[str]) -> str:
    reason = check.force_reason(parameters)
    if goal != state.known or not state.known:
        return ""
    why = "SoftHSM would offer no mechanism at all: none of its keys could be used."
    if not reason:
        raise ChangeRefused(
            "mechanism.last_provider",
            why,
            "Force it with a reason (force, force_reason); a second person then has to agree.",
            PROVIDER,
        )
    return f"{why} Reason given: {reason}"


def _plan(
    parameters: Mapping[str, Any],
    seen: Seen[SoftHsmState],
    now: frozenset[str],
    goal: frozenset[str],
    needs_force: str,
) -> Plan:
    state = seen.state
    ends = _values(goal)
    step = StepPlan(
        title=_title(now, goal),
        edit=FileEdit(
            path=state.path,
            before=state.text,
            after=with_disabled(state.text, state.known, goal),
        ),
        before=dict(seen.parts),
        after=dict(ends),
    )
    is_noop = now == goal
    return Plan(
        request=ChangeRequest(kind=SoftHsmPolicy.name, parameters=dict(parameters)),
        sentence="Nothing to do: SoftHSM's mechanisms are as asked for."
        if is_noop
        else f"{step.title}.",
        parts=dict(seen.parts),
        phases=[] if is_noop else [Phase(title=step.title, steps=[step])],
        ends=ends,
        consequences=[] if is_noop else [_restart_needed(state.path)],
        risk=(Risk.HIGH if needs_force else Risk.MEDIUM if goal - now else Risk.LOW).value,
        is_noop=is_noop,
        needs_force=needs_force,
        rollback=None if is_noop else _rollback(now, goal),
        rollback_reason="There is nothing to undo." if is_noop else "",
    )


def _values(disabled: frozenset[str]) -> dict[str, Attribute]:
    names = sorted(disabled)
    return {
        parts.mechanism_policy(PROVIDER): list(names),
        parts.mechanism_configured(PROVIDER): list(names),
    }


def _rollback(now: frozenset[str], goal: frozenset[str]) -> ChangeRequest:
    return ChangeRequest(
        kind=SoftHsmPolicy.name,
        parameters={
            "provider": PROVIDER,
            "enable": sorted(goal - now),
            "disable": sorted(now - goal),
        },
    )


def _title(now: frozenset[str], goal: frozenset[str]) -> str:
    clauses = [("Enable", sorted(now - goal)), ("Disable", sorted(goal - now))]
    words = [f"{verb} {_shown(names)}" for verb, names in clauses if names]
    return f"{'; '.join(words)} on {PROVIDER}"


def _shown(names: list[str]) -> str:
    if len(names) <= _SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:_SHOWN])} and {len(names) - _SHOWN} more"


def _restart_needed(path: str) -> Consequence:
    return Consequence(
        kind=ConsequenceKind.RESTART_NEEDED.value,
        subject=PROVIDER,
        text=f"SoftHSM reads {path} when a program initialises it: running programs keep the old "
        "list until they are restarted.",
    )
