"""What a person does to a simulated machine from outside: reboots, power, faults, variants."""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm.conffiles import read_kernel
from agents.drivers.simulator.faults import Fault, fault_add, fault_from_plain
from agents.drivers.simulator.ldm.delayed import reboot
from agents.drivers.simulator.ldm.spconfig import FACTORY
from agents.drivers.simulator.services.proxy import loads
from agents.drivers.simulator.services.units import PROXY
from agents.drivers.simulator.world import Domain, World, locked, now, world_read, world_write

_JSON = ".json"


class ControlError(ValueError):
    """It cannot be done; the text says why."""


@contextmanager
def changing(directory: Path) -> Iterator[World]:
    """Give the machine's state under its lock and keep what was changed.

    Raises ControlError where no machine was installed there.
    """
    if not directory.is_dir():
        raise ControlError(f"There is no simulated machine in {directory}.")
    with locked(directory):
        try:
            world = world_read(directory)
        except FileNotFoundError as error:
            raise ControlError(f"There is no simulated machine in {directory}.") from error
        yield world
        world_write(world)


def domain_reboot(world: World, name: str) -> str:
    """Reboot a running domain; return a sentence. Raises ControlError."""
    domain = world.domains.get(name)
    if domain is None:
        raise ControlError(f"There is no domain {name!r}; there are {', '.join(world.domains)}.")
    if not domain.is_active:
        raise ControlError(f"{name} is {domain.state}: only a running domain can be rebooted.")
    was_pending = domain.pending is not None
    reboot(world, domain)
    if domain.is_control:
        _start_solaris(world)
    done = " What waited for it has taken effect." if was_pending else ""
    return f"{name} was rebooted.{done}"


def power_cycle(world: World) -> str:
    """Switch the machine off and on: what was not saved is lost. Return a sentence."""
    world.current, world.next_config = world.next_config or world.current, ""
    moment = now()
    world.powered_at = moment
    if world.current == FACTORY:
        world.domains = {"primary": _factory_primary(world)}
    else:
        plain: list[dict[str, Any]] = world.configs[world.current]
        world.domains = {entry["name"]: Domain(**entry) for entry in plain}
    for domain in world.domains.values():
        if domain.pending is not None:
            reboot(world, domain)
        domain.booted_at = moment if domain.is_active else 0.0
    _start_solaris(world)
    return f"Powered on with the configuration {world.current}."


def second_admin(world: World, line: str) -> Call:
    """Run a command line as another admin types it. Raises ControlError."""
    from agents.drivers.simulator.entry import run_line

    try:
        return run_line(world, line)
    except ValueError as error:
        raise ControlError(str(error)) from error


def scenario_load(world: World, path: Path) -> int:
    """Set the faults (and variants) of a scenario file, TOML or JSON; return how many faults.

    Raises ControlError, InvalidFault and UnknownVariant.
    """
    import json

    from agents.drivers.simulator.variants import variant_check

    decode: Callable[[str], Any] = json.loads if path.suffix == _JSON else tomllib.loads
    try:
        scenario = decode(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ControlError(f"{path} cannot be read: {error}.") from error
    faults = [fault_from_plain(plain) for plain in scenario.get("fault", [])]
    variants = scenario.get("variant", {})
    for name, value in variants.items():
        variant_check(name, value)
    for fault in faults:
        fault_add(world, fault)
    world.variants |= variants
    return len(faults)


def fault_words(plain: dict[str, Any]) -> str:
    """Return a fault in a line."""
    fault = Fault(**plain)
    which = f"{fault.program} {fault.subcommand}".strip()
    if fault.contains:
        which += f" with {fault.contains!r}"
    often = "from then on" if not fault.times else f"{fault.times} time(s)"
    extra = f", then `{fault.command}`" if fault.command else ""
    return f"{fault.kind}: {which}, call {fault.nth}, {often}{extra}; {fault.seen} seen"


def _start_solaris(world: World) -> None:
    """What the control domain's boot does: policies from their file, providers, proxies."""
    world.unloaded.clear()
    world.kernel_policy = {name: list(entry.listed) for name, entry in read_kernel(world).items()}
    for name, service in world.services.items():
        service["since"] = now()
        if name.startswith(f"{PROXY}:kssl-") and service["state"] != "disabled":
            is_fine = loads(Call(world, "kssladm", []), service)
            service["state"] = "online" if is_fine else "maintenance"


def _factory_primary(world: World) -> Domain:
    """Return the one domain of factory-default: it has everything."""
    domain, edition = world.control, world.edition
    domain.strands = list(range(edition.strands))
    domain.maus = edition.unit_ids()
    domain.vcpu, domain.units = len(domain.strands), len(domain.maus)
    domain.memory = edition.chips * edition.cores * (8 << 30)
    domain.pending = None
    return domain
