"""Applies one phase of a plan: each step announced, done, read back; undone if one fails."""

from agents.changes.acting import EditRefused
from agents.changes.base import ChangeRefused
from agents.changes.context import PhaseContext, differs, shown
from agents.changes.endings import Ending, Standing, ending
from agents.changes.plans import sealed
from agents.changes.step_journal import Mark
from agents.changes.undoing import progress, undo
from agents.executors.events import utc_now
from agents.executors.process import CommandNotStarted
from agents.wire.changes import ApplyState


def run_phase(context: PhaseContext) -> Ending:
    """Run the phase from its first step on. The journal already holds its plan."""
    for index in range(len(context.planned.steps)):
        if context.is_cancelled():
            return undo(context, "Cancelled between steps.", is_cancelled=True)
        if context.remaining_seconds() <= 0:
            return undo(context, "The change ran out of time between steps.")
        problem = _run_step(context, index)
        if problem:
            return undo(context, problem)
    return finish_phase(context)


def _run_step(context: PhaseContext, index: int) -> str:
    """Run one step; return what went wrong, empty where a read shows what it promised."""
    step = context.planned.steps[index]
    # 1. Whoever changed something since the last look: not over their heads.
    changed = differs(context.parts, step.before)
    if changed:
        found = "; ".join(f"{part} is {shown(context.parts.get(part))}" for part in changed)
        return f"Before “{step.title}” the host was not as planned ({found})."
    # 2. The undo is registered first, then the act.
    context.journal.note(Mark.UNDO, index, started_at=utc_now())
    context.reporter.progress(progress(context, "running"))
    try:
        context.act(index, is_undo=False)
    except (CommandNotStarted, EditRefused, OSError) as error:
        context.journal.note(Mark.FAILED, index, message=str(error))
        return f"“{step.title}” failed: {error}"
    return check_step(context, index)


def check_step(context: PhaseContext, index: int) -> str:
    """Read the host back after a step; note it as done, or return why it is not.

    The read decides, not the exit code: tools are known that exit 0 having done nothing. Where the
    kind says that a read shows only a part of it, the exit code has to be 0 as well.
    """
    step, record = context.planned.steps[index], context.journal.record.step(index)
    try:
        missing = context.read_until(step.after)
    except ChangeRefused as error:
        context.journal.note(Mark.FAILED, index, message=str(error))
        return f"After “{step.title}” the host could not be read: {error}"
    if not missing and context.suffices(step, step.after, record.exit_code):
        context.journal.note(Mark.DONE, index, ended_at=utc_now())
        context.reporter.progress(progress(context, "running"))
        return ""
    said = context.files(index, is_undo=False).tail()
    found = "; ".join(f"{part} is {shown(context.parts.get(part))}" for part in missing)
    if not missing and step.after:
        found = "what can be read is as wanted, which does not prove that all of it was done"
    message = " ".join(filter(None, [record.message, found and f"Read back: {found}.", said]))
    context.journal.note(Mark.FAILED, index, message=message, ended_at=utc_now())
    how = "" if record.exit_code is None else f" (exit code {record.exit_code})"
    return f"“{step.title}” failed{how}: {message or 'the host said nothing.'}"


def finish_phase(context: PhaseContext) -> Ending:
    """Say how a phase ended all of whose steps are done; the last one is verified by a new plan."""
    context.reporter.progress(progress(context, "verifying"))
    phase = context.planned
    if phase.waits_for:
        text = phase.wait_text or f"Waiting for the reboot of {', '.join(phase.waits_for)}."
        return ending(context, ApplyState.WAITING_REBOOT, text)
    if not context.is_last:
        return ending(context, ApplyState.SUCCEEDED, f"{phase.title}: done.")
    return _verified(context)


def _verified(context: PhaseContext) -> Ending:
    """Success means that planning the same request again finds nothing to do."""
    request = context.plan.request
    try:
        seen = context.kind.read(context.reader, request.parameters)
        again = sealed(context.kind.plan(request.parameters, seen))
    except ChangeRefused as error:
        text = f"All steps are done, but the host cannot be checked: {error}"
        return ending(context, ApplyState.NEEDS_ATTENTION, text, standing=_all_stands(context))
    context.parts = seen.parts
    if again.is_noop:
        return ending(context, ApplyState.SUCCEEDED, f"{context.plan.sentence} Done and read back.")
    text = f"All steps are done, yet the host still differs: {again.sentence}"
    return ending(
        context,
        ApplyState.NEEDS_ATTENTION,
        text,
        standing=_all_stands(context),
        wanted=context.plan.ends,
    )


def _all_stands(context: PhaseContext) -> Standing:
    return Standing(stands=[f"{step.title}: it was done." for step in context.planned.steps])
