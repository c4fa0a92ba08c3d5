"""Undoes the steps of a phase, last first, each with a look at the host before and after."""

from agents.changes.acting import EditRefused
from agents.changes.base import ChangeRefused
from agents.changes.context import PhaseContext, differs, shown
from agents.changes.endings import (
    Ending,
    Standing,
    earlier_phases,
    ending,
    standing_sentence,
    step_results,
    undo_in_words,
)
from agents.changes.step_journal import Mark
from agents.executors.process import CommandNotStarted
from agents.wire.changes import ApplyState, StepPlan


def undo(context: PhaseContext, message: str, *, is_cancelled: bool = False) -> Ending:
    """Undo what is registered, and say how it ended: `message` is why.

    ROLLED_BACK, or FAILED where nothing had ever stood, or CANCELLED; NEEDS_ATTENTION where an undo
    failed: then the later steps are undone, and what is left is named with what to type.
    """
    record = context.journal.record
    if record.undoing is None:
        context.journal.undoing(message, is_cancelled=is_cancelled)
    message, is_cancelled = str(record.undoing), record.is_cancelled
    left = list(record.open_steps())
    while left:
        context.reporter.progress(progress(context, "undoing"))
        problem = _undo_step(context, left[0])
        if problem:
            return _stuck(context, left, f"{message} {problem}")
        left.pop(0)
    context.reporter.progress(progress(context, "undoing"))
    return _undone(context, message, is_cancelled=is_cancelled)


def progress(context: PhaseContext, state: str) -> dict[str, object]:
    """Return how far the phase is, as it is reported."""
    steps = [
        {name: getattr(step, name) for name in step.__slots__}
        for step in step_results(context.journal.record, context.plan)
    ]
    return {"state": state, "phase": context.phase, "steps": steps}


def _undo_step(context: PhaseContext, index: int) -> str:
    """Undo one step; return what went wrong, empty where the host shows what was before it."""
    step = context.planned.steps[index]
    try:
        if _was_ever_started(context, index) and not _shows_before(context, step):
            problem = _act(context, index, step)
            if problem:
                return problem
    except ChangeRefused as error:
        return f"While undoing, the host could not be read: {error}"
    context.journal.note(Mark.UNDONE, index)
    return ""


def _was_ever_started(context: PhaseContext, index: int) -> bool:
    return Mark.ACT in context.journal.record.step(index).marks


def _shows_before(context: PhaseContext, step: StepPlan) -> bool:
    """Return whether nothing of the step stands; without parts or a file nobody can tell."""
    if step.edit is not None:
        return context.tools.read_text(step.edit.path) == step.edit.before
    return bool(step.before) and not differs(context.read(), step.before)


def _act(context: PhaseContext, index: int, step: StepPlan) -> str:
    if step.edit is None and not step.undo_argv:
        return f"{step.title}: {step.undo_reason or 'this step has no undo'}."
    try:
        end = context.act(index, is_undo=True)
    except (CommandNotStarted, EditRefused, OSError) as error:
        return f"Undoing “{step.title}” failed: {error}"
    missing = context.read_until(step.before)
    if not missing and context.suffices(step, step.before, end.exit_code):
        return ""
    said = context.files(index, is_undo=True).tail()
    found = "; ".join(f"{part} is {shown(context.parts.get(part))}" for part in missing)
    return f"Undoing “{step.title}” did not help ({found or said or 'it failed'})."


def _stuck(context: PhaseContext, left: list[int], message: str) -> Ending:
    is_known = True
    try:
        context.read()
    except ChangeRefused:
        is_known = False
    steps = [context.planned.steps[index] for index in left]
    standing = Standing(
        stands=[standing_sentence(step, context.parts, is_known=is_known) for step in steps],
        to_type=[undo_in_words(step) for step in steps],
    )
    return ending(context, ApplyState.NEEDS_ATTENTION, message, standing=standing)


def _undone(context: PhaseContext, message: str, *, is_cancelled: bool) -> Ending:
    try:
        context.read()
    except ChangeRefused as error:
        standing = Standing(stands=["All steps were undone, but the host cannot be read now."])
        text = f"{message} {error}"
        return ending(context, ApplyState.NEEDS_ATTENTION, text, standing=standing)
    stood = any(
        marks & {Mark.DONE, Mark.UNDO_ACT}
        for marks in (step.marks for step in context.journal.record.steps.values())
    )
    if context.phase > 0:
        text = f"{message} This phase was undone."
        standing = earlier_phases(context.phase)
        return ending(context, ApplyState.NEEDS_ATTENTION, text, standing=standing)
    if is_cancelled:
        return ending(context, ApplyState.CANCELLED, f"{message} Nothing of it stands.")
    if stood:
        return ending(context, ApplyState.ROLLED_BACK, f"{message} All of it was undone.")
    return ending(context, ApplyState.FAILED, f"{message} Nothing of it stands.")
