"""Configurations on the service processor: what a power cycle starts with."""

from dataclasses import asdict

from agents.drivers.simulator.call import Call, take_flags
from agents.drivers.simulator.ldm.refusal import Refused
from agents.drivers.simulator.world import World

FACTORY = "factory-default"


def list_spconfig(call: Call, words: list[str]) -> None:
    """`ldm list-spconfig`: names, `[current]`, and what the next power-on loads."""
    if words:
        raise Refused("Invalid number of arguments; use --help option to see usage")
    world = call.world
    for name in [FACTORY, *(config for config in world.configs if config != FACTORY)]:
        marks = []
        if name == world.current:
            marks.append("[current]")
        if name == world.next_config:
            marks.append(f"[{call.variant('ldm.spconfig_mark')}]")
        call.say(" ".join([name, *marks]))


def add(call: Call, words: list[str]) -> None:
    """`ldm add-spconfig name`: keeps what is bound now; the next power-on loads it."""
    name = _name(words)
    world = call.world
    if name == FACTORY or name in world.configs:
        raise Refused(f"Configuration {name} already exists")
    if call.is_half:
        return
    world.configs[name] = saved(world)
    world.next_config = "" if name == world.current else name


def select(call: Call, words: list[str]) -> None:
    """`ldm set-spconfig name`: the next power-on loads it."""
    name = _name(words)
    world = call.world
    if name != FACTORY and name not in world.configs:
        raise Refused(f"Configuration {name} not found")
    world.next_config = "" if name == world.current else name


def remove(call: Call, words: list[str]) -> None:
    """`ldm remove-spconfig [-r] name`."""
    name = _name(words)
    world = call.world
    if name == FACTORY:
        raise Refused(f"Configuration {FACTORY} cannot be removed")
    if name not in world.configs:
        raise Refused(f"Configuration {name} not found")
    if name == world.current:
        raise Refused(f"Configuration {name} is in use and cannot be removed")
    del world.configs[name]
    if world.next_config == name:
        world.next_config = ""


def saved(world: World) -> list[dict[str, object]]:
    """Return the domains as a configuration keeps them, with what waits for a reboot."""
    return [asdict(domain) for domain in world.domains.values()]


def _name(words: list[str]) -> str:
    try:
        _, rest = take_flags(words, "r")
    except ValueError as error:
        raise Refused(f"Invalid option -{error}") from error
    if len(rest) != 1:
        raise Refused("Invalid number of arguments; use --help option to see usage")
    return rest[0]
