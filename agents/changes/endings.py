"""How a phase ends, in words and data: what is reported of it."""

import shlex
from dataclasses import dataclass, field
from typing import Any

from agents.changes.context import Parts, PhaseContext, differs, shown
from agents.changes.step_journal import Mark, PhaseRecord, StepRecord
from agents.wire import codec
from agents.wire.changes import (
    ApplyResult,
    ApplyState,
    PartDifference,
    Plan,
    StepPlan,
    StepResult,
    StepState,
)
from agents.wire.work import RunOutcome

_OUTCOMES = {
    ApplyState.SUCCEEDED: RunOutcome.SUCCEEDED,
    ApplyState.WAITING_REBOOT: RunOutcome.SUCCEEDED,
    ApplyState.CANCELLED: RunOutcome.CANCELLED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How it ended: the state, a sentence for a person, and the result on the wire."""

    state: ApplyState
    message: str
    result: ApplyResult

    @property
    def outcome(self) -> RunOutcome:
        """The outcome of the run that this state stands for."""
        return _OUTCOMES.get(self.state, RunOutcome.FAILED)

    def plain(self) -> dict[str, Any]:
        """Return the result as it goes over the wire."""
        plain: dict[str, Any] = codec.to_plain(self.result)
        return plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What could not be undone: sentences, and the commands that would."""

    stands: list[str] = field(default_factory=list)
    to_type: list[str] = field(default_factory=list)


def earlier_phases(phase: int) -> Standing:
    """Return what stands of a change whose earlier phases took effect before this one began."""
    if phase == 0:
        return Standing()
    which = "The first phase" if phase == 1 else f"The first {phase} phases"
    return Standing(
        stands=[f"{which} of this change took effect earlier and stands."],
        to_type=["# Roll the change back in the console, or plan it anew from what is there now."],
    )


def after_defect(record: PhaseRecord, phase: int, error: Exception) -> Ending:
    """Return the ending of an order in whose middle the agent itself failed."""
    message = (
        f"Keyrack's agent could not go on: {type(error).__name__}: {error}. Its log on the host "
        "has the details."
    )
    if record.plan is None:
        return before_any_step(ApplyState.FAILED, message, phase=phase)
    steps = [record.plan.phases[record.phase].steps[index] for index in record.open_steps()]
    result = ApplyResult(
        state=ApplyState.NEEDS_ATTENTION.value,
        phase=phase,
        is_last=phase == len(record.plan.phases) - 1,
        steps=step_results(record, record.plan),
        stands=[standing_sentence(step, {}, is_known=False) for step in steps],
        to_type=[undo_in_words(step) for step in steps],
    )
    return Ending(state=ApplyState.NEEDS_ATTENTION, message=message, result=result)


def before_any_step(
    state: ApplyState,
    message: str,
    *,
    phase: int,
    parts: Parts | None = None,
    plan: Plan | None = None,
    is_last: bool = False,
) -> Ending:
    """Return the ending of an order of which no step was run.

    FAILED and CANCELLED say that nothing stands: after earlier phases it is NEEDS_ATTENTION.
    """
    standing = Standing()
    if state in (ApplyState.FAILED, ApplyState.CANCELLED) and phase > 0:
        state, standing = ApplyState.NEEDS_ATTENTION, earlier_phases(phase)
    result = ApplyResult(
        state=state.value, phase=phase, is_last=is_last, stands=standing.stands,
        to_type=standing.to_type, parts=dict(parts or {}), plan=plan,
    )  # fmt: skip
    return Ending(state=state, message=message, result=result)


def ending(
    context: PhaseContext,
    state: ApplyState,
    message: str,
    *,
    standing: Standing | None = None,
    wanted: Parts | None = None,
) -> Ending:
    """Return the ending of a phase whose steps were begun. `wanted`: what it should show now."""
    standing = standing or Standing()
    missing = differs(context.parts, wanted or {})
    result = ApplyResult(
        state=state.value,
        phase=context.phase,
        is_last=context.is_last,
        steps=step_results(context.journal.record, context.plan),
        stands=standing.stands,
        to_type=standing.to_type,
        parts=dict(context.parts),
        difference=[
            PartDifference(part=part, expected=(wanted or {})[part], found=context.parts.get(part))
            for part in missing
        ],
    )
    return Ending(state=state, message=message, result=result)


def step_results(record: PhaseRecord, plan: Plan) -> list[StepResult]:
    """Return how far each step of the phase is."""
    return [
        _step_result(record, index, record.step(index))
        for index in range(len(plan.phases[record.phase].steps))
    ]


def _step_result(record: PhaseRecord, index: int, step: StepRecord) -> StepResult:
    return StepResult(
        phase=record.phase,
        step=index,
        state=step_state(step, is_undoing=record.undoing is not None).value,
        exit_code=step.exit_code,
        message=step.message,
        started_at=step.started_at,
        ended_at=step.ended_at,
        tool_seconds=step.tool_seconds,
    )


def step_state(step: StepRecord, *, is_undoing: bool) -> StepState:
    """Return the state that a step's marks stand for."""
    marks = step.marks
    if Mark.UNDONE in marks:
        return StepState.UNDONE if Mark.DONE in marks else StepState.FAILED
    if Mark.UNDO_ENDED in marks:
        return StepState.UNDO_FAILED
    if Mark.UNDO_ACT in marks:
        return StepState.UNDOING
    if Mark.FAILED in marks:
        return StepState.FAILED
    if Mark.DONE in marks:
        return StepState.DONE
    if Mark.UNDO in marks:
        return StepState.RUNNING
    return StepState.SKIPPED if is_undoing else StepState.PENDING


def undo_in_words(step: StepPlan) -> str:
    """Return what a person types to undo a step; a sentence where no command does it."""
    if step.edit is not None:
        how = "remove the file" if step.edit.before is None else "put its former text back"
        return f"# {step.edit.path}: {how}"
    if step.undo_argv:
        return shlex.join(step.undo_argv)
    return f"# {step.title}: {step.undo_reason or 'cannot be undone'}"


def standing_sentence(step: StepPlan, parts: Parts, *, is_known: bool) -> str:
    """Return what stands of a step that was not undone."""
    if not is_known:
        return f"{step.title}: the host could not be read, so it is not known what stands."
    found = "; ".join(f"{part} is {shown(parts.get(part))}" for part in sorted(step.after))
    return f"{step.title}: {found or 'it was run'}."
