"""`metaslot.enable`, `metaslot.disable`, `metaslot.configure`: the one slot over all others."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, Reader, Seen
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds import crypto_read
from agents.drivers.solaris.kinds.commands import CRYPTOADM, cryptoadm_missing
from agents.drivers.solaris.kinds.crypto_state import MetaslotState, metaslot_parts
from agents.drivers.solaris.kinds.metaslot_options import option_steps, restoring_options
from agents.wire.changes import (
    ChangeRequest,
    Consequence,
    ConsequenceKind,
    Phase,
    Plan,
    Risk,
    StepPlan,
)
from agents.wire.inventory import Attribute


class _Metaslot(ChangeKind[MetaslotState]):
    """What the three have in common: how metaslot is read."""

    def applies(self, reader: Reader) -> str:
        return cryptoadm_missing(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[MetaslotState]:
        wants_tokens = "token" in parameters or "slot" in parameters
        state = crypto_read.read_metaslot(reader, wants_tokens=wants_tokens)
        return Seen(state, metaslot_parts(state))


class MetaslotEnable(_Metaslot):
    """Turns metaslot on, with the options that it has."""

    name: ClassVar[str] = "metaslot.enable"

    def plan(self, parameters: Mapping[str, Any], seen: Seen[MetaslotState]) -> Plan:
        validation.only_keys(parameters, ())
        steps = [] if seen.state.is_enabled else [switch_step("enable")]
        return _plan(
            ChangeRequest(kind=self.name, parameters=dict(parameters)),
            seen,
            steps,
            {parts.METASLOT_STATUS: parts.ENABLED},
            ChangeRequest(kind=MetaslotDisable.name),
        )


class MetaslotDisable(_Metaslot):
    """Turns metaslot off; the other slots stay as they are."""

    name: ClassVar[str] = "metaslot.disable"

    def plan(self, parameters: Mapping[str, Any], seen: Seen[MetaslotState]) -> Plan:
        validation.only_keys(parameters, ())
        steps = [switch_step("disable")] if seen.state.is_enabled else []
        return _plan(
            ChangeRequest(kind=self.name, parameters=dict(parameters)),
            seen,
            steps,
            {parts.METASLOT_STATUS: parts.DISABLED},
            ChangeRequest(kind=MetaslotEnable.name),
        )


class MetaslotConfigure(_Metaslot):
    """Sets metaslot's key store, key migration and mechanisms. Any change also turns it on."""

    name: ClassVar[str] = "metaslot.configure"

    def plan(self, parameters: Mapping[str, Any], seen: Seen[MetaslotState]) -> Plan:
        steps, ends = option_steps(parameters, seen.state)
        is_off = bool(steps) and not seen.state.is_enabled
        if is_off and ends.get(parts.METASLOT_STATUS) != parts.DISABLED:
            steps = [switch_step("enable"), *steps]
        return _plan(
            ChangeRequest(kind=self.name, parameters=dict(parameters)),
            seen,
            steps,
            ends,
            restoring_options(seen.state, ends),
        )


def switch_step(verb: str) -> StepPlan:
    """Return the step that turns metaslot on or off (`enable`, `disable`)."""
    words = {"enable": parts.ENABLED, "disable": parts.DISABLED}
    opposite = "disable" if verb == "enable" else "enable"
    return StepPlan(
        title=f"Turn metaslot {'on' if verb == 'enable' else 'off'}",
        argv=[CRYPTOADM, verb, "metaslot"],
        undo_argv=[CRYPTOADM, opposite, "metaslot"],
        before={parts.METASLOT_STATUS: words[opposite]},
        after={parts.METASLOT_STATUS: words[verb]},
    )


def _plan(
    request: ChangeRequest,
    seen: Seen[MetaslotState],
    steps: list[StepPlan],
    ends: dict[str, Attribute],
    rollback: ChangeRequest | None,
) -> Plan:
    titles = "; ".join(step.title for step in steps)
    looked_at = {part: seen.parts[part] for part in {*ends, parts.METASLOT_STATUS}}
    no_rollback = "Key store or mechanisms that were not set cannot be unset by cryptoadm."
    return Plan(
        request=request,
        sentence=f"{titles}." if steps else "Nothing to do: metaslot is as asked for.",
        parts=dict(sorted(looked_at.items())),
        phases=[Phase(title=titles, steps=steps)] if steps else [],
        ends=ends,
        consequences=[_restart_needed()] if steps else [],
        risk=Risk.MEDIUM.value if steps else Risk.LOW.value,
        is_noop=not steps,
        warnings=_warnings(seen.state, ends),
        rollback=rollback if steps else None,
        rollback_reason=""
        if steps and rollback
        else no_rollback
        if steps
        else "There is nothing to undo.",
    )


def _restart_needed() -> Consequence:
    return Consequence(
        kind=ConsequenceKind.RESTART_NEEDED.value,
        subject="metaslot",
        text="Running programs keep the slots that they loaded. METASLOT_… variables in a "
        "program's environment override this setting for it.",
    )


def _warnings(state: MetaslotState, ends: Mapping[str, Attribute]) -> list[str]:
    notes = []
    if state.is_enabled and state.is_actual is False:
        notes.append(
            "Metaslot is configured as enabled, but libpkcs11 does not offer it: that is so where "
            "fewer than two slots with tokens can be used (not verified)."
        )
    if ends.get(parts.METASLOT_SLOT) == "" and state.slot:
        notes.append("cryptoadm clears the slot where only the token is given.")
    if ends.get(parts.METASLOT_TOKEN) == "" and state.token:
        notes.append("cryptoadm clears the token where only the slot is given.")
    return notes
