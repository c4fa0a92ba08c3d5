"""ldm: which subcommand is meant, who may run it now, and what it says where it does not work."""

from collections.abc import Callable

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.ldm import changes, devices, lifecycle, listing, spconfig, units
from agents.drivers.simulator.ldm.refusal import Refused

Command = Callable[[Call, list[str]], None]

LISTS: dict[str, Command] = {
    "list-domain": listing.list_domains,
    "list-bindings": listing.list_bindings,
    "list-constraints": listing.list_constraints,
    "list-devices": devices.list_devices,
    "list-spconfig": spconfig.list_spconfig,
    "version": listing.version,
}
CHANGES: dict[str, Command] = {
    "set-crypto": units.set_units,
    "add-crypto": units.add_units,
    "remove-crypto": units.remove_units,
    "set-vcpu": changes.set_vcpu,
    "add-vcpu": changes.add_vcpu,
    "remove-vcpu": changes.remove_vcpu,
    "set-memory": changes.set_memory,
    "bind-domain": lifecycle.bind,
    "unbind-domain": lifecycle.unbind,
    "start-domain": lifecycle.start,
    "stop-domain": lifecycle.stop,
    "start-reconf": lifecycle.start_reconf,
    "cancel-reconf": lifecycle.cancel_reconf,
    "remove-reconf": lifecycle.cancel_reconf,
    "cancel-operation": lifecycle.cancel_operation,
    "add-spconfig": spconfig.add,
    "set-spconfig": spconfig.select,
    "remove-spconfig": spconfig.remove,
}
_NOUNS = {
    "mau": "crypto",
    "cpu": "vcpu",
    "mem": "memory",
    "config": "spconfig",
    "dom": "domain",
}
_VERBS = {"ls": "list", "rm": "remove"}
_WHOLE = {
    "list": "list-domain",
    "ls": "list-domain",
    "bind": "bind-domain",
    "unbind": "unbind-domain",
    "start": "start-domain",
    "stop": "stop-domain",
    "-V": "version",
}
_SINCE = {
    "start-reconf": (2, 0),
    "cancel-reconf": (2, 0),
    "cancel-operation": (1, 2),
    "set-crypto": (1, 0),
}
USAGE = (
    "Usage:",
    "    ldm [--help] [-V]",
    "    ldm list-domain|ls-dom|list|ls [-e] [-l] [-o <format>] [-p] [-S] [<ldom>...]",
    "    ldm list-bindings|ls-bindings [-e] [-p] [<ldom>...]",
    "    ldm list-devices|ls-devices [-a] [-p] [cpu] [crypto|mau] [memory] [io]",
    "    ldm list-constraints|ls-constraints ([-x] | [-e] [-p]) [<ldom>...]",
    "    ldm set-crypto|set-mau [-f] <number> <ldom>",
    "    ldm set-vcpu <number> <ldom>",
    "    ldm add-spconfig|add-config <config_name>",
)


def canonical(word: str) -> str:
    """Return the full name of a subcommand: `ls-mau`, `set-mau` and `stop` have longer ones."""
    if word in _WHOLE:
        return _WHOLE[word]
    verb, dash, noun = word.partition("-")
    return f"{_VERBS.get(verb, verb)}{dash}{_NOUNS.get(noun, noun)}"


def run(call: Call) -> int:
    """Run one command line of ldm; return its exit code."""
    if not call.arguments or call.arguments[0] in ("--help", "-h"):
        call.complain(*USAGE)
        return 0 if call.arguments else 1
    word, *rest = call.arguments
    name = canonical(word)
    known = _known(call, word, name)
    if known is None:
        call.complain(f"Unknown command {word}; use --help option to see usage", *USAGE)
        return 1
    try:
        if name in CHANGES:
            _check_pending(call, name, rest)
        known(call, rest)
    except Refused as refusal:
        call.complain(*refusal.lines)
        return refusal.code or int(call.variant("ldm.refused_exit"))
    return 0


def _known(call: Call, word: str, name: str) -> Command | None:
    """Return the command where this version of ldm has it under that name."""
    version = call.world.edition.ldm
    is_too_new = version < _SINCE.get(name, (1, 0))
    is_new_word = word.endswith("-crypto") and version < (1, 2)
    is_spconfig = word.endswith("-spconfig") and version < (1, 2)
    if is_too_new or is_new_word or is_spconfig:
        return None
    return LISTS.get(name) or CHANGES.get(name)


def _check_pending(call: Call, name: str, rest: list[str]) -> None:
    """Refuse changes of other domains while a delayed reconfiguration stands."""
    pending = call.world.pending()
    is_free = name.endswith(("-reconf", "-operation", "-spconfig"))
    if pending is None or is_free or call.variant("ldm.blocks_others") == "no":
        return
    if rest and rest[-1] == pending.name:
        return
    raise Refused(
        f"Unable to change the configuration: LDom {pending.name} is in the process of a",
        "delayed reconfiguration. All configuration changes for other LDoms are disabled",
        "until it reboots.",
    )
