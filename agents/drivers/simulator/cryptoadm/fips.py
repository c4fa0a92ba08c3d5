"""fips-140: not there (illumos), per driver (older code), or a setting of the framework (11.x)."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm.mechanisms import hardware_providers

_COUNTER = "fips-140"
_DRIVERS = ("ncp", "n2cp", "n2rng")


def fips_list(call: Call) -> int:
    """`cryptoadm list fips-140`; without the feature nothing is printed, and the exit code is 0."""
    form = call.variant("cryptoadm.fips")
    word = "enabled" if call.world.counters.get(_COUNTER) else "disabled"
    if form == "framework":
        call.say("User-level providers:", "=====================")
        call.say(f"/usr/lib/security/$ISA/pkcs11_softtoken: FIPS-140 mode is {word}.", "")
        call.say("Kernel providers:", "=================", f"FIPS-140 mode is {word}.")
    elif form == "drivers" and hardware_providers(call.world.edition):
        call.say(*(f"{driver}: FIPS-140 mode is {word}." for driver in _DRIVERS))
    return 0


def fips_switch(call: Call, verb: str) -> int | None:
    """`cryptoadm enable|disable fips-140`; None: there is no such operand."""
    if call.variant("cryptoadm.fips") == "absent":
        return None
    is_on = bool(call.world.counters.get(_COUNTER))
    call.world.counters[_COUNTER] = float(verb == "enable")
    word = f"{verb}d"
    for driver in _DRIVERS:
        has_already = is_on == (verb == "enable")
        said = f"has already been {word}" if has_already else f"was {word} successfully"
        call.say(f"{driver}: FIPS-140 mode {said}.")
    return 0
