"""Carries out an order `change.plan` or `change.apply` inside its child: from order to ending."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.changes.apply import run_phase
from agents.changes.base import ChangeRefused
from agents.changes.context import PhaseContext, Reporter
from agents.changes.endings import Ending, after_defect, before_any_step
from agents.changes.planning import find_kind, make_plan, refusal_of
from agents.changes.recovery import recover_phase
from agents.changes.step_journal import StepJournal
from agents.config import Config
from agents.drivers.base import Driver
from agents.wire import codec
from agents.wire.changes import ApplyState, ChangeRequest, Plan
from agents.wire.names import WorkKind
from agents.wire.work import RunOutcome

RECONF_PENDING = "reconf.pending"
"""The refusal of planners while a delayed reconfiguration stands."""


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What is reported of the order."""

    outcome: RunOutcome
    message: str
    result: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrying:
    """What an order is carried out with."""

    config: Config
    driver: Driver
    is_simulated: bool
    run_dir: Path
    nonce: str
    reporter: Reporter
    is_cancelled: Callable[[], bool]
    remaining_seconds: Callable[[], float]


def carry_out(carrying: Carrying, kind: str, parameters: Mapping[str, Any]) -> Ended:
    """Carry out one order; what the host refuses is an ending, not an exception."""
    request = ChangeRequest(
        kind=str(parameters.get("kind", "")), parameters=dict(parameters.get("parameters") or {})
    )
    if kind == WorkKind.CHANGE_PLAN:
        return _plan(carrying, request)
    return _apply(carrying, request, parameters)


def _plan(carrying: Carrying, request: ChangeRequest) -> Ended:
    try:
        plan = make_plan(carrying.driver, request, is_simulated=carrying.is_simulated)
    except ChangeRefused as error:
        refusal = codec.to_plain(error.refusal)
        return Ended(outcome=RunOutcome.FAILED, message=str(error), result={"refusal": refusal})
    result = {"plan": codec.to_plain(plan)}
    return Ended(outcome=RunOutcome.SUCCEEDED, message=plan.sentence, result=result)


def _apply(carrying: Carrying, request: ChangeRequest, parameters: Mapping[str, Any]) -> Ended:
    journal = StepJournal(carrying.run_dir)
    if journal.record.result is not None:
        known = journal.record.result
        outcome = RunOutcome(known["outcome"])
        return Ended(outcome=outcome, message=known["message"], result=known["result"])
    try:
        ending = _ending(carrying, request, parameters, journal)
    except Exception as error:  # whatever it is: the console has to learn what may stand
        _log.exception("change.defect")
        ending = after_defect(journal.record, int(parameters.get("phase", 0)), error)
    journal.result(ending.outcome.value, ending.message, ending.plain())
    return Ended(outcome=ending.outcome, message=ending.message, result=ending.plain())


def _ending(
    carrying: Carrying,
    request: ChangeRequest,
    parameters: Mapping[str, Any],
    journal: StepJournal,
) -> Ending:
    record = journal.record
    if record.plan is not None:
        return recover_phase(_context(carrying, journal, record.plan, record.phase))
    phase = int(parameters.get("phase", 0))
    refusal = refusal_of(carrying.config.agent, request.kind)
    if refusal:
        return before_any_step(ApplyState.FAILED, refusal, phase=phase)
    if carrying.is_cancelled():
        text = "Cancelled before the first step."
        return before_any_step(ApplyState.CANCELLED, text, phase=phase)
    try:
        plan = make_plan(carrying.driver, request, is_simulated=carrying.is_simulated)
    except ChangeRefused as error:
        return _refused(error, phase)
    approved = [str(digest) for digest in parameters.get("phase_digests") or []]
    early = _not_as_approved(plan, phase, approved, str(parameters.get("plan_digest", "")))
    if early is not None:
        return early
    # The plan is journaled with its phases numbered as they were approved.
    numbered = _numbered(plan, phase)
    context = _context(carrying, journal, numbered, phase)
    try:
        context.read()
    except ChangeRefused as error:
        return _refused(error, phase)
    journal.planned(numbered, phase)
    return run_phase(context)


def _refused(error: ChangeRefused, phase: int) -> Ending:
    if phase > 0 and error.refusal.code == RECONF_PENDING:
        return before_any_step(ApplyState.WAITING_REBOOT, str(error), phase=phase - 1)
    return before_any_step(ApplyState.FAILED, str(error), phase=phase)


def _not_as_approved(plan: Plan, phase: int, approved: list[str], digest: str) -> Ending | None:
    """Return the ending of an order whose fresh plan is not the approved one; None: it is."""
    rest = [one.digest for one in plan.phases]
    if phase > 0 and plan.is_noop and phase <= len(approved):
        text = f"{plan.sentence} It has taken effect."
        return before_any_step(
            ApplyState.SUCCEEDED, text, phase=phase - 1, parts=plan.parts, is_last=True
        )
    if phase == 0 and plan.digest == digest and not plan.is_noop:
        return None
    if phase > 0 and rest == approved[phase:]:
        return None
    text = "The host is not as it was when this was planned; nothing was run. Look at the new plan."
    return before_any_step(ApplyState.STALE, text, phase=phase, parts=plan.parts, plan=plan)


def _numbered(plan: Plan, phase: int) -> Plan:
    """Return the plan of the rest with its phases at their places in the approved one."""
    return codec.from_plain(
        {
            **codec.to_plain(plan),
            "phases": [{"title": "done", "steps": []}] * phase
            + [codec.to_plain(one) for one in plan.phases],
        },
        Plan,
    )


def _context(carrying: Carrying, journal: StepJournal, plan: Plan, phase: int) -> PhaseContext:
    return PhaseContext(
        kind=find_kind(carrying.driver, plan.request.kind),
        tools=carrying.driver.tools(),
        journal=journal,
        reporter=carrying.reporter,
        run_dir=carrying.run_dir,
        nonce=carrying.nonce,
        plan=plan,
        phase=phase,
        is_cancelled=carrying.is_cancelled,
        remaining_seconds=carrying.remaining_seconds,
    )
