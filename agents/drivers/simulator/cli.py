"""`keyrack-agent simulate …`: looks at a simulated machine and does things to it from outside."""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from agents.config import Config, ConfigError
from agents.drivers.simulator import control
from agents.drivers.simulator.control import ControlError
from agents.drivers.simulator.editions import EDITIONS
from agents.drivers.simulator.faults import KINDS, InvalidFault, fault_add, fault_from_plain
from agents.drivers.simulator.install import install, reset, simulator_directory
from agents.drivers.simulator.loads import LOADS, UnknownLoad, load_now, load_set
from agents.drivers.simulator.variants import VARIANTS, UnknownVariant, variant, variant_check
from agents.drivers.simulator.world import World, world_to_plain

Action = Callable[[Path, argparse.Namespace], int]
_FAULT_FIELDS = (
    "nth",
    "times",
    "contains",
    "message",
    "exit_code",
    "stream",
    "seconds",
    "command",
)


def simulate_command(config: Config, chosen: argparse.Namespace) -> int:
    """Look at this agent's simulated machine, and do things to it from outside."""
    action: Action = chosen.action
    if config.simulate and action is not _editions:
        install(config.state_dir, config.simulate)
    try:
        return action(simulator_directory(config.state_dir), chosen)
    except (ControlError, InvalidFault, UnknownLoad, UnknownVariant) as error:
        raise ConfigError(None, "", str(error).rstrip("."), "See docs/simulator.md.") from error


def add_arguments(parser: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    """Add the subcommands of `simulate`."""
    actions = parser.add_subparsers(required=True, metavar="action")

    def add(name: str, action: Action, text: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, parents=[common], help=text, description=text)
        sub.set_defaults(action=action)
        return sub

    add("show", _show, "domains, units, configurations, faults")
    add("editions", _editions, "the machines that can be simulated")
    add("reboot", _reboot, "reboot a running domain").add_argument("domain")
    add("power-cycle", _power_cycle, "power off and on: what was not saved is lost")
    add("reset", _reset, "back to what the machine was delivered as")
    line = add("second-admin", _second_admin, "run a command line as another admin types it")
    line.add_argument("line", help="for example 'ldm set-crypto 0 ldg1'")
    load = add("load", _load, "how much crypto its programs do: what kstat's counters show")
    load.add_argument("name", nargs="?", help=", ".join(LOADS))
    names = add("variant", _variant, "show or turn a format that no source verifies")
    names.add_argument("name", nargs="?")
    names.add_argument("value", nargs="?", help="a value, or `default`")
    _add_fault_arguments(add("fault", _fault_list, "make calls of a program go wrong"), common)


def _add_fault_arguments(parser: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="list|clear|load|add")
    actions.add_parser("list", parents=[common]).set_defaults(action=_fault_list)
    actions.add_parser("clear", parents=[common]).set_defaults(action=_fault_clear)
    load = actions.add_parser("load", parents=[common], help="faults of a TOML or JSON file")
    load.add_argument("file", type=Path)
    load.set_defaults(action=_fault_load)
    add = actions.add_parser("add", parents=[common], help=", ".join(KINDS))
    add.add_argument("kind", choices=KINDS)
    add.add_argument("program")
    add.add_argument("subcommand", nargs="?", default="")
    for name in _FAULT_FIELDS:
        kind = int if name in ("nth", "times", "exit_code") else str
        flag = f"--{name.replace('_', '-')}"
        add.add_argument(flag, type=float if name == "seconds" else kind, dest=f"fault_{name}")
    add.set_defaults(action=_fault_add)


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _show(directory: Path, chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        if chosen.json:
            _say(json.dumps(world_to_plain(world), indent=2))
        else:
            _say(*_shown(world))
    return 0


def _shown(world: World) -> list[str]:
    lines = [f"{world.edition.title} (simulated, edition {world.edition.name})", ""]
    lines.append(f"{'domain':<12} {'state':<10} {'vcpu':>4} {'units':<14} waits for reboot")
    for domain in world.domains.values():
        units = ", ".join(map(str, sorted(domain.maus))) or "-"
        waits = "-" if domain.pending is None else str(domain.pending or "reconfiguration")
        lines.append(f"{domain.name:<12} {domain.state:<10} {domain.vcpu:>4} {units:<14} {waits}")
    free = [unit for unit in world.edition.unit_ids() if not world.owner_of_unit(unit)]
    lines += ["", f"free units: {', '.join(map(str, free)) or 'none'}"]
    lines.append(
        f"configuration: {world.current}; next power-on: {world.next_config or 'the same'}"
    )
    lines += [f"fault {i}: {control.fault_words(f)}" for i, f in enumerate(world.faults)]
    lines += [f"variant {name} = {value}" for name, value in world.variants.items()]
    return lines


def _editions(_directory: Path, chosen: argparse.Namespace) -> int:
    if chosen.json:
        _say(json.dumps([asdict(edition) for edition in EDITIONS.values()], indent=2))
    else:
        _say(*(f"{edition.name:<14} {edition.title}" for edition in EDITIONS.values()))
    return 0


def _reboot(directory: Path, chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        _say(control.domain_reboot(world, chosen.domain))
    return 0


def _power_cycle(directory: Path, _chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        _say(control.power_cycle(world))
    return 0


def _reset(directory: Path, _chosen: argparse.Namespace) -> int:
    try:
        world = reset(directory.parent)
    except FileNotFoundError as error:
        raise ControlError(f"There is no simulated machine in {directory}.") from error
    _say(f"{world.edition.name} is as it was delivered.")
    return 0


def _second_admin(directory: Path, chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        call = control.second_admin(world, chosen.line)
    code = 0
    for stream, text in call.written:
        if stream == "exit":
            code = int(text)
        else:
            (sys.stdout if stream == "stdout" else sys.stderr).write(text)
    return code


def _variant(directory: Path, chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        if not chosen.name:
            for name, known in VARIANTS.items():
                now = variant(world, name)
                words = " ".join(f"[{c}]" if c == now else c for c in known.choices)
                _say(f"{name:<26} {words:<30} {known.says}")
            return 0
        if chosen.value == "default":
            variant_check(chosen.name, VARIANTS[chosen.name].choices[0])
            world.variants.pop(chosen.name, None)
        elif chosen.value:
            variant_check(chosen.name, chosen.value)
            world.variants[chosen.name] = chosen.value
        elif chosen.name not in VARIANTS:
            raise UnknownVariant(f"There is no variant {chosen.name!r}.")
        _say(f"{chosen.name} = {variant(world, chosen.name)}")
    return 0


def _load(directory: Path, chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        if chosen.name:
            load_set(world, chosen.name)
        current = load_now(world)
    _say(*(f"{'*' if n == current else ' '} {n:<10} {load.says}" for n, load in LOADS.items()))
    return 0


def _fault_list(directory: Path, _chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        lines = [control.fault_words(plain) for plain in world.faults]
    _say(*(lines or ["No faults are set."]))
    return 0


def _fault_clear(directory: Path, _chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        _say(f"{len(world.faults)} fault(s) cleared.")
        world.faults.clear()
    return 0


def _fault_load(directory: Path, chosen: argparse.Namespace) -> int:
    with control.changing(directory) as world:
        _say(f"{control.scenario_load(world, chosen.file)} fault(s) set.")
    return 0


def _fault_add(directory: Path, chosen: argparse.Namespace) -> int:
    given = {name: getattr(chosen, f"fault_{name}") for name in _FAULT_FIELDS}
    plain = {name: value for name, value in given.items() if value is not None}
    names = {"kind": chosen.kind, "program": chosen.program, "subcommand": chosen.subcommand}
    with control.changing(directory) as world:
        fault = fault_from_plain({**names, **plain})
        fault_add(world, fault)
        _say(f"Set: {control.fault_words(asdict(fault))}")
    return 0
