"""`keyrack-agent`: enrol, run, inventory, plan, parse, status, doctor.

Prints for a person, or JSON. Exit codes: 0 done, 1 doctor found a fault or parse did not know the
output, 2 configuration or arguments, 3 not enrolled, 4 the console refused (`plan`: this host's
rules did), 5 the console was not reached, 6 an agent runs already, 130 interrupted.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents import __version__
from agents.config import (
    DEFAULT_CONFIG_PATH,
    SIMULATE_VARIABLE,
    Config,
    ConfigError,
    load_config,
)
from agents.drivers.simulator.editions import EDITIONS
from agents.enrolment import NotEnrolled, enrol, load_identity
from agents.log import configure_logging, redact, register_secret

TOKEN_VARIABLE = "KEYRACK_ENROLMENT_TOKEN"  # noqa: S105 - a path - a name, not a secret

EXIT_OK = 0
EXIT_FAULT = 1
EXIT_CONFIGURATION = 2
EXIT_NOT_ENROLLED = 3
EXIT_REFUSED = 4
EXIT_UNREACHABLE = 5
EXIT_RUNNING = 6
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    chosen = _parser().parse_args(arguments)
    command: Callable[[Config, argparse.Namespace], int] = chosen.command
    try:
        config = load_config(chosen.config)
        if chosen.simulate:
            config = replace(config, simulate=chosen.simulate)
        configure_logging(config.agent.log_level)
        if command is not doctor_command:
            for warning in config.warnings:
                _complain(f"warning: {warning}")
        return command(config, chosen)
    except ConfigError as error:
        return _complain(str(error), EXIT_CONFIGURATION)
    except NotEnrolled as error:
        return _complain(str(error), EXIT_NOT_ENROLLED)
    except PermissionError as error:
        place = error.filename or "a file"
        text = f"No permission for {place}. Run as its owner, or set state_dir."
        return _complain(text, EXIT_CONFIGURATION)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (`keyrack-agent inventory | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK


def enrol_command(config: Config, chosen: argparse.Namespace) -> int:
    """Make this host known to a console."""
    from agents.client import ConsoleError, ConsoleUnreachable

    token = _enrolment_token(chosen)
    if not token:
        raise ConfigError(
            None,
            "",
            "There is no enrolment token",
            f"Give --token, --token-file or {TOKEN_VARIABLE}; the console's page 'Enrol host' "
            "makes one",
        )
    try:
        identity, is_known = enrol(
            config, token=token, url=chosen.url, pin=chosen.pin, name=chosen.name
        )
    except ConsoleUnreachable as error:
        return _complain(f"Not enrolled: {error}", EXIT_UNREACHABLE)
    except ConsoleError as error:
        return _complain(f"Not enrolled: {error}", EXIT_REFUSED)
    if chosen.json:
        _print_json(
            {
                "host_id": identity.host_id,
                "host_name": identity.host_name,
                "is_reenrolment": is_known,
                "console_url": identity.console_url,
            }
        )
        return EXIT_OK
    again = "again, with its history, " if is_known else ""
    print(f"Enrolled {again}as {identity.host_name} with {identity.console_url}.")
    print("Start the agent: keyrack-agent run (or its systemd unit, see docs/agent.md).")
    return EXIT_OK


def run_command(config: Config, _chosen: argparse.Namespace) -> int:
    """Run the daemon in the foreground until SIGTERM or SIGINT."""
    from agents.daemon import AlreadyRunning, run_daemon

    if config.simulate:
        os.environ[SIMULATE_VARIABLE] = config.simulate  # for the daemon's children
    try:
        return run_daemon(config)
    except AlreadyRunning as error:
        return _complain(str(error), EXIT_RUNNING)


def inventory_command(config: Config, chosen: argparse.Namespace) -> int:
    """Look at this host once and print what is found; needs no enrolment and sends nothing."""
    from agents.drivers.registry import NoDriver
    from agents.executors.scan import take_inventory
    from agents.summary import summary_lines
    from agents.wire import codec

    try:
        facts = take_inventory(config).facts
    except NoDriver as error:
        return _complain(str(error), EXIT_CONFIGURATION)
    if chosen.json:
        _print_json(codec.to_plain(facts))
    else:
        print("\n".join(summary_lines(facts)))
    return EXIT_OK


def status_command(config: Config, chosen: argparse.Namespace) -> int:
    """Say who this agent is and how it does, from the state directory alone."""
    from agents.daemon import running_pid
    from agents.worker.contact import STATUS_FILE

    identity = load_identity(config.state_dir)
    pid = running_pid(config.state_dir)
    try:
        last: dict[str, Any] = json.loads((config.state_dir / STATUS_FILE).read_bytes())
    except (OSError, ValueError):
        last = {}
    status = {
        **last,
        "host_id": identity.host_id,
        "host_name": identity.host_name,
        "console_url": identity.console_url,
        "state_dir": str(config.state_dir),
        "is_running": pid is not None,
        "pid": pid,
    }
    if chosen.json:
        _print_json(status)
        return EXIT_OK
    for name, value in status.items():
        print(f"{name:18} {_word(value)}")
    return EXIT_OK


def doctor_command(config: Config, chosen: argparse.Namespace) -> int:
    """Check everything the agent needs; exit code 1 when something failed."""
    from agents.doctor import FAILED, run_checks

    checks = []
    for check in run_checks(config):
        checks.append(check)
        if not chosen.json:
            print(f"{check.state:8} {check.name:14} {redact(check.message)}", flush=True)
            if check.remedy:
                print(f"{'':24}→ {check.remedy}")
    if chosen.json:
        _print_json([check.plain() for check in checks])
    return EXIT_FAULT if any(check.state == FAILED for check in checks) else EXIT_OK


def _enrolment_token(chosen: argparse.Namespace) -> str:
    token = chosen.token or ""
    if chosen.token_file:
        path = Path("/dev/stdin" if chosen.token_file == "-" else chosen.token_file)  # noqa: S105
        token = path.read_text("utf-8")
    token = (token or os.environ.get(TOKEN_VARIABLE, "")).strip()
    register_secret(token)
    return token


def _simulate_command(config: Config, chosen: argparse.Namespace) -> int:
    """Look at this agent's simulated machine, and do things to it from outside."""
    from agents.drivers.simulator.cli import simulate_command

    return simulate_command(config, chosen)


def _plan_command(config: Config, chosen: argparse.Namespace) -> int:
    """Print what a change would do on this host; reads, and changes nothing."""
    from agents.changes.command import plan_command

    return plan_command(config, chosen)


def _parse_command(config: Config, chosen: argparse.Namespace) -> int:
    """Print as JSON what Keyrack understands of a command's captured output; runs nothing."""
    from agents.parsers.cli import parse_command

    return parse_command(config, chosen)


def _common(**defaults: Any) -> argparse.ArgumentParser:
    """Return the options that every command takes."""
    common = argparse.ArgumentParser(add_help=False, **defaults)
    common.add_argument(
        "--config", type=Path, help=f"configuration file (default {DEFAULT_CONFIG_PATH})"
    )
    common.add_argument("--json", action="store_true", help="print JSON")
    common.add_argument(
        "--simulate",
        choices=EDITIONS,
        metavar="EDITION",
        help=f"a simulated SPARC host instead of this one: {', '.join(EDITIONS)}",
    )
    return common


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keyrack-agent", description="Keyrack's agent on this host. docs/agent.md tells more."
    )
    parser.add_argument("--version", action="version", version=f"keyrack-agent {__version__}")
    common = _common()
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, command in (
        ("enrol", enrol_command),
        ("run", run_command),
        ("inventory", inventory_command),
        ("status", status_command),
        ("doctor", doctor_command),
        ("plan", _plan_command),
        ("parse", _parse_command),
        ("simulate", _simulate_command),
    ):
        text = (command.__doc__ or "").splitlines()[0]
        sub = commands.add_parser(name, parents=[common], help=text, description=text)
        sub.set_defaults(command=command)
        if command is enrol_command:
            _enrol_arguments(sub)
        if command is _plan_command:
            _plan_arguments(sub)
        if command is _parse_command:
            _parse_arguments(sub)
        if command is _simulate_command:
            _simulate_arguments(sub)
    return parser


def _enrol_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", default="", help="the console's address")
    parser.add_argument("--pin", default="", help="pin of the console's key: sha256//…")
    parser.add_argument("--name", default="", help="display name (default: the host name)")
    parser.add_argument("--token", help=f"enrolment token; better by {TOKEN_VARIABLE}: ps shows it")
    parser.add_argument("--token-file", help="file that holds the enrolment token; - for stdin")


def _plan_arguments(parser: argparse.ArgumentParser) -> None:
    from agents.changes.command import add_arguments

    add_arguments(parser)


def _parse_arguments(parser: argparse.ArgumentParser) -> None:
    from agents.parsers.cli import add_arguments

    add_arguments(parser)


def _simulate_arguments(parser: argparse.ArgumentParser) -> None:
    from agents.drivers.simulator.cli import add_arguments

    # Given once more after the action, they count; left out there, those before it do.
    add_arguments(parser, _common(argument_default=argparse.SUPPRESS))


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def _complain(text: str, code: int = EXIT_OK) -> int:
    print(f"keyrack-agent: {redact(text)}", file=sys.stderr)
    return code


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return str(value) if value not in ("", None) else "-"
