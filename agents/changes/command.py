"""`keyrack-agent plan`: a dry run by hand, which reads the host and prints what would be done."""

import argparse
import difflib
import json
import shlex
import sys
from collections.abc import Iterator

from agents.changes.base import ChangeRefused
from agents.changes.context import shown
from agents.changes.planning import make_plan, refusal_of
from agents.config import Config, ConfigError
from agents.drivers.registry import NoDriver, choose_driver
from agents.wire import codec
from agents.wire.changes import CHANGE_KINDS, ChangeRequest, FileEdit, Phase, Plan, StepPlan

EXIT_OK = 0
EXIT_CONFIGURATION = 2
EXIT_REFUSED = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("kind", help=f"kind of change: {', '.join(CHANGE_KINDS)}")
    parser.add_argument(
        "--parameters",
        default="{}",
        metavar="JSON",
        help='what is wanted, as the console\'s API takes it: \'{"counts": {"ldg1": 1}}\'',
    )


def plan_command(config: Config, chosen: argparse.Namespace) -> int:
    """Print the plan, or why there can be none (exit code 4)."""
    request = ChangeRequest(kind=chosen.kind, parameters=_parameters(chosen.parameters))
    try:
        driver = choose_driver(config)
        plan = make_plan(driver, request, is_simulated=driver.is_simulated)
    except NoDriver as error:
        sys.stderr.write(f"keyrack-agent: {error}\n")
        return EXIT_CONFIGURATION
    except ChangeRefused as error:
        if chosen.json:
            _say(_json({"refusal": codec.to_plain(error.refusal)}))
        else:
            sys.stderr.write(f"keyrack-agent: refused ({error.refusal.code}): {error}\n")
        return EXIT_REFUSED
    if chosen.json:
        _say(_json({"plan": codec.to_plain(plan)}))
    else:
        _say("\n".join(plan_lines(plan, refusal_of(config.agent, request.kind))))
    return EXIT_OK


def plan_lines(plan: Plan, not_allowed: str = "") -> Iterator[str]:
    """Yield a plan for a person, and `not_allowed`: why the console could not have it done."""
    yield plan.sentence + (" (simulated host)" if plan.is_simulated else "")
    if not plan.is_noop:
        yield f"Risk: {plan.risk}"
    for consequence in plan.consequences:
        yield f"! {consequence.kind} ({consequence.subject}): {consequence.text}"
    for warning in plan.warnings:
        yield f"! {warning}"
    if plan.destroys:
        yield f"! Destroys for good: {', '.join(plan.destroys)}"
    if plan.needs_force:
        yield f"! Needs force: {plan.needs_force}"
    for number, phase in enumerate(plan.phases, start=1):
        yield from _phase_lines(number, phase)
    if plan.rollback is not None:
        yield "Undone later by: " + shlex.join(
            ["keyrack-agent", "plan", plan.rollback.kind, "--parameters",
             json.dumps(plan.rollback.parameters, ensure_ascii=False)]
        )  # fmt: skip
    elif plan.rollback_reason:
        yield f"Cannot be undone later: {plan.rollback_reason}"
    if not_allowed:
        yield not_allowed


def _phase_lines(number: int, phase: Phase) -> Iterator[str]:
    yield ""
    yield f"Phase {number}: {phase.title}"
    for index, step in enumerate(phase.steps, start=1):
        yield from _step_lines(index, step)
    if phase.waits_for:
        yield f"  then waits for {', '.join(phase.waits_for)}: {phase.wait_text}".rstrip(": ")
        yield from (f"     {command}" for command in phase.wait_commands)


def _step_lines(number: int, step: StepPlan) -> Iterator[str]:
    yield f"  {number}. {step.title}"
    if step.edit is not None:
        yield from (f"     {line}" for line in _edit_lines(step.edit))
    else:
        yield f"     $ {shlex.join(step.argv)}"
    for part in sorted({*step.before, *step.after}):
        yield f"     {part}: {shown(step.before.get(part))} → {shown(step.after.get(part))}"
    if step.undo_argv:
        yield f"     undo: {shlex.join(step.undo_argv)}"
    elif step.edit is None:
        yield f"     no undo: {step.undo_reason}"


def _edit_lines(edit: FileEdit) -> Iterator[str]:
    if edit.after is None:
        yield f"removes {edit.path}"
        return
    yield f"writes {edit.path}"
    before, after = (edit.before or "").splitlines(), edit.after.splitlines()
    for line in difflib.unified_diff(before, after, n=0, lineterm=""):
        if not line.startswith(("---", "+++", "@@")):
            yield line


def _parameters(text: str) -> dict[str, object]:
    try:
        parameters = json.loads(text)
    except ValueError as error:
        raise ConfigError(
            None, "", f"--parameters is no JSON: {error}", "Write an object, in single quotes."
        ) from error
    if not isinstance(parameters, dict):
        raise ConfigError(None, "", "--parameters is no JSON object", "Write '{\"name\": …}'.")
    return parameters


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
