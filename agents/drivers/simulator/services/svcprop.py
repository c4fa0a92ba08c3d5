"""svcprop: properties of an instance; the start method of a proxy holds all of its parameters."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.services.units import instances, matching


def run(call: Call) -> int:
    """`svcprop [-p group/property] fmri`; return the exit code."""
    words = list(call.arguments)
    wanted = ""
    if "-p" in words:
        place = words.index("-p")
        wanted = words[place + 1] if place + 1 < len(words) else ""
        del words[place : place + 2]
    words = [word for word in words if not word.startswith("-")]
    if len(words) != 1:
        call.complain("Usage: svcprop [-fqtv] [-C | -c | -s snapshot] [-p [name/]name]... {FMRI}")
        return 2
    found = matching(call, words[0])
    if not found:
        call.complain(f"svcprop: Pattern '{words[0]}' doesn't match any entities")
        return 1
    service = instances(call)[found[0]]
    properties = {"restarter/state": ("astring", service["state"]), **_methods(service)}
    if wanted:
        if wanted not in properties:
            call.complain(f"svcprop: Couldn't find property `{wanted}' for instance `{found[0]}'.")
            return 1
        call.say(_escaped(properties[wanted][1]))
        return 0
    call.say(*(f"{name} {kind} {_escaped(v)}" for name, (kind, v) in properties.items()))
    return 0


def _methods(service: dict[str, str]) -> dict[str, tuple[str, str]]:
    if "command" not in service:
        return {}
    return {
        "start/exec": ("astring", service["command"]),
        "start/timeout_seconds": ("count", "60"),
        "start/user": ("astring", service.get("user", "root")),
        "refresh/exec": ("astring", service["command"]),
        "stop/exec": ("astring", service["stop"]),
    }


def _escaped(value: str) -> str:
    """Return a value as svcprop prints it: blanks and quotes behind a backslash."""
    return "".join(f"\\{sign}" if sign in ' "\\$`' else sign for sign in value)
