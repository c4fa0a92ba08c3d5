"""Goes on with a phase whose child was killed, from what its journal holds."""

from agents.changes.apply import check_step, finish_phase
from agents.changes.context import PhaseContext
from agents.changes.endings import Ending
from agents.changes.step_journal import Mark
from agents.changes.undoing import undo

_STOPPED = "The agent was stopped in the middle of this change."


def recover_phase(context: PhaseContext) -> Ending:
    """Wait for the tool that may run on, read the host, and end the phase in a declared state.

    A phase all of whose steps turn out to be done is finished; any other is undone: nobody was
    there to see it.
    """
    record = context.journal.record
    if record.undoing is None:
        return _recover_steps(context)
    for index in record.open_steps():
        marks = record.step(index).marks
        if Mark.UNDO_ACT in marks and Mark.UNDO_ENDED not in marks:
            context.adopt(index, is_undo=True)
    return undo(context, record.undoing)


def _recover_steps(context: PhaseContext) -> Ending:
    record = context.journal.record
    for index in range(len(context.planned.steps)):
        marks = record.step(index).marks
        if Mark.DONE in marks:
            continue
        if Mark.ACT not in marks or Mark.FAILED in marks:
            return undo(context, record.step(index).message or _STOPPED)
        if Mark.ENDED not in marks:
            context.adopt(index, is_undo=False)
        problem = check_step(context, index)
        if problem:
            return undo(context, f"{_STOPPED} {problem}")
    return finish_phase(context)
