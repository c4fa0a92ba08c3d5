"""The options of `metaslot.configure` as calls of cryptoadm, one option per call.

Facts from illumos adm_metaslot.c: giving a token clears the slot and the other way round;
`default-keystore` stores the softtoken's names; disabling the last mechanism turns metaslot off.
"""

from collections.abc import Mapping
from typing import Any

from agents.changes.base import ChangeRefused
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds.commands import CRYPTOADM
from agents.drivers.solaris.kinds.crypto_state import MetaslotState
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.kinds.policy_steps import PolicyTarget, policy_steps, restoring
from agents.wire.changes import ChangeRequest, StepPlan
from agents.wire.inventory import Attribute

SOFTTOKEN_LABEL = "Sun Software PKCS#11 softtoken"
SOFTTOKEN_SLOT = "Sun Crypto Softtoken"
_KEYS = (
    "token",
    "slot",
    "auto_key_migrate",
    "default_keystore",
    "enable_mechanisms",
    "disable_mechanisms",
)
_NONE_LEFT = Policy(True)


def option_steps(
    parameters: Mapping[str, Any], state: MetaslotState
) -> tuple[list[StepPlan], dict[str, Attribute]]:
    """Return the calls that the options need, and the parts as they are after them.

    Raises ChangeRefused for parameters that cryptoadm would misread or store without checking.
    """
    validation.only_keys(parameters, _KEYS)
    if not parameters:
        raise validation.invalid("token", "nothing is asked for", f"Known: {', '.join(_KEYS)}.")
    # 1. The key store, then migration: each call also turns metaslot on.
    steps, ends = _key_store(parameters, state)
    migrate_steps, migrate_ends = _migration(parameters, state)
    steps += migrate_steps
    ends |= migrate_ends
    # 2. Mechanisms last: without any, metaslot goes off, and the calls above would turn it on.
    enable = validation.mechanism_names(
        parameters.get("enable_mechanisms", []), "enable_mechanisms"
    )
    disable = validation.mechanism_names(
        parameters.get("disable_mechanisms", []), "disable_mechanisms"
    )
    goal, calls = policy_steps(_TARGET, state.policy, enable, disable)
    steps += calls
    if enable or disable:
        ends |= _values(goal)
    is_off = bool(calls) and goal == _NONE_LEFT
    if steps:
        ends[parts.METASLOT_STATUS] = parts.DISABLED if is_off else parts.ENABLED
    return steps, ends


def restoring_options(state: MetaslotState, ends: Mapping[str, Attribute]) -> ChangeRequest | None:
    """Return the request that puts the options back, None where cryptoadm has no way to.

    A key store that was not set cannot be unset, nor can the mechanisms that metaslot lacked while
    it was off be put back without turning it on.
    """
    back: dict[str, Any] = {}
    if parts.METASLOT_TOKEN in ends:
        if not state.token and not state.slot:
            return None
        back |= {k: v for k, v in (("token", state.token), ("slot", state.slot)) if v}
    if parts.METASLOT_AUTO_KEY_MIGRATE in ends:
        back["auto_key_migrate"] = state.is_migrating
    if parts.METASLOT_MECHANISMS in ends:
        goal = _parse_values(ends[parts.METASLOT_MECHANISMS])
        changes = restoring(state.policy, goal)
        back |= {f"{verb}_mechanisms": names for verb, names in changes.items() if names}
    if not state.is_enabled or not back:
        return ChangeRequest(kind="metaslot.disable") if not back else None
    return ChangeRequest(kind="metaslot.configure", parameters=back)


def _key_store(
    parameters: Mapping[str, Any], state: MetaslotState
) -> tuple[list[StepPlan], dict[str, Attribute]]:
    is_default = validation.flag(parameters, "default_keystore")
    if is_default and ("token" in parameters or "slot" in parameters):
        raise validation.invalid("default_keystore", "does not go together with token or slot")
    if not is_default and "token" not in parameters and "slot" not in parameters:
        return [], {}
    if is_default:
        token, slot, words = SOFTTOKEN_LABEL, SOFTTOKEN_SLOT, ["default-keystore"]
    else:
        token, slot = _named(parameters, state)
        words = _words(token, slot)
    ends: dict[str, Attribute] = {parts.METASLOT_TOKEN: token, parts.METASLOT_SLOT: slot}
    if (token, slot) == (state.token, state.slot):
        return [], ends
    undo = _words(state.token, state.slot)
    step = StepPlan(
        title=f"Let metaslot keep its objects in {token or slot}",
        argv=[CRYPTOADM, "enable", "metaslot", *words],
        undo_argv=[CRYPTOADM, "enable", "metaslot", *undo] if undo else [],
        undo_reason="" if undo else "No key store was set, and cryptoadm cannot unset it.",
        before={parts.METASLOT_TOKEN: state.token, parts.METASLOT_SLOT: state.slot},
        after=dict(ends),
    )
    return [step], ends


def _words(token: str, slot: str) -> list[str]:
    pairs = (("token", token), ("slot", slot))
    return [f"{name}={value}" for name, value in pairs if value]


def _named(parameters: Mapping[str, Any], state: MetaslotState) -> tuple[str, str]:
    token = validation.token_label(parameters["token"]) if "token" in parameters else ""
    slot = validation.slot_description(parameters["slot"]) if "slot" in parameters else ""
    for label, description in state.tokens:
        if token in ("", label) and slot in ("", description):
            return token, slot
    known = ", ".join(f"{label} in {description}" for label, description in state.tokens)
    raise ChangeRefused(
        "metaslot.token_unknown",
        f"There is no token {token or 'in slot ' + slot}{' in ' + slot if token and slot else ''}.",
        f"Tokens: {known or 'none'}. (cryptoadm would store any name without a word.)",
        token or slot,
    )


def _migration(
    parameters: Mapping[str, Any], state: MetaslotState
) -> tuple[list[StepPlan], dict[str, Attribute]]:
    if "auto_key_migrate" not in parameters:
        return [], {}
    wanted = validation.flag(parameters, "auto_key_migrate")
    words = {True: parts.ENABLED, False: parts.DISABLED}
    part = parts.METASLOT_AUTO_KEY_MIGRATE
    ends: dict[str, Attribute] = {part: words[wanted]}
    if wanted == state.is_migrating:
        return [], ends
    verbs = {True: "enable", False: "disable"}
    step = StepPlan(
        title=f"{verbs[wanted].capitalize()} automatic migration of sensitive token objects",
        argv=[CRYPTOADM, verbs[wanted], "metaslot", "auto-key-migrate"],
        undo_argv=[CRYPTOADM, verbs[not wanted], "metaslot", "auto-key-migrate"],
        before={part: words[not wanted]},
        after={part: words[wanted]},
    )
    return [step], ends


def _values(policy: Policy) -> dict[str, Attribute]:
    value = parts.metaslot_mechanisms_value(policy.is_all_disabled, policy.exceptions)
    return {parts.METASLOT_MECHANISMS: value}


def _parse_values(value: Attribute) -> Policy:
    names = value if isinstance(value, list) else []
    if names[:1] == [parts.NONE]:
        return Policy(True, frozenset(names[1:]))
    return Policy(False, frozenset(name[1:] for name in names if name.startswith("-")))


_TARGET = PolicyTarget(
    operand="metaslot",
    label="metaslot",
    has_all_switch=True,
    mechanisms=frozenset(),
    part_values=_values,
)
