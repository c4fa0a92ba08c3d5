"""`cryptoadm list`: providers, their mechanisms, slots, policies, in the words of each release."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm import conffiles
from agents.drivers.simulator.cryptoadm.conffiles import METASLOT, RANDOM, Entry
from agents.drivers.simulator.cryptoadm.mechanisms import hardware_providers
from agents.drivers.simulator.cryptoadm.policy import (
    kernel_mechanisms,
    kernel_policy,
    library_policy,
    software_mechanisms,
)
from agents.drivers.simulator.cryptoadm.slots import mechanism_lines, slot_block, slots_of

_HEADINGS = ("User-level providers:", "Kernel software providers:", "Kernel hardware providers:")


def list_all(call: Call, flags: set[str]) -> int:
    """Print all providers, with what the flags ask for; return the exit code."""
    libraries = [e for e in conffiles.read_libraries(call.world).values() if e.name != METASLOT]
    has_rule = bool(flags & {"m", "p"})
    code = 0
    _heading(call, 0, has_rule)
    for entry in libraries:
        code = max(code, _library(call, entry, flags))
    call.say("")
    _heading(call, 1, has_rule)
    for name in software_names(call):
        _software(call, name, flags)
    call.say("")
    _heading(call, 2, has_rule)
    for name in hardware_names(call, has_rule):
        _hardware(call, name, flags)
    return code


def list_one(call: Call, name: str, flags: set[str]) -> int:
    """Print one provider; return the exit code."""
    if name.startswith("/"):
        return _one_library(call, name, flags)
    if "/" in name:
        if name not in hardware_names(call, has_rule=True):
            call.complain(f"cryptoadm: provider {name} does not exist.")
            return 1
        _hardware(call, name, flags | {"one"})
        return 0
    if name not in software_names(call):
        call.complain(f"cryptoadm: {name} does not exist.")
        return 1
    _software(call, name, flags | {"one"})
    return 0


def software_names(call: Call) -> list[str]:
    """Return the kernel software providers: kcf.conf's entries that are no hardware."""
    return [name for name in conffiles.read_kernel(call.world) if "/" not in name]


def hardware_names(call: Call, has_rule: bool = False) -> list[str]:
    """Return the kernel hardware providers; policies also of hardware that only has an entry."""
    found = list(hardware_providers(call.world.edition))
    if has_rule:
        entries = conffiles.read_kernel(call.world)
        found += [name for name in entries if "/" in name and name not in found]
    return found


def _is_old(call: Call) -> bool:
    return call.variant("cryptoadm.style") == "solaris10"


def _heading(call: Call, number: int, has_rule: bool) -> None:
    text = _HEADINGS[number]
    if number == 0 and call.variant("cryptoadm.first_blank") == "yes":
        call.say("")
    call.say(text[0].lower() + text[1:] if _is_old(call) else text)
    if has_rule:
        call.say("=" * len(text))


def _library(call: Call, entry: Entry, flags: set[str]) -> int:
    """Print one library in a list of all."""
    if "p" in flags:
        call.say(library_policy(call, entry))
        return 0
    if not flags:
        call.say(f"    {entry.name}" if _is_old(call) else f"Provider: {entry.name}")
        return 0
    if flags == {"m"} and _is_old(call):
        return _library_on_one_line(call, entry)
    if "m" in flags:
        call.say("")
    call.say(f"Provider: {entry.name}")
    code = _library_block(call, entry, flags)
    if "m" not in flags:
        call.say("")
    return code


def _library_on_one_line(call: Call, entry: Entry) -> int:
    slots = slots_of(call, entry.name)
    if slots is None:
        call.say(f"{entry.name}: failed to retrieve the mechanism list.")
        return 1
    if not slots:
        call.say(f"{entry.name}: no slots presented.")
        return 0
    names = dict.fromkeys(row.name for slot in slots for row in slot.rows)
    call.say(f"{entry.name}: {','.join(names)}")
    return 0


def _library_block(call: Call, entry: Entry, flags: set[str]) -> int:
    slots = slots_of(call, entry.name)
    if slots is None:
        call.say(f"{entry.name}: failed to retrieve the mechanism list.")
        return 1
    if not slots:
        call.say(f"{entry.name}: no slots presented.")
        return 0
    if "v" in flags:
        call.say(f"Number of slots: {len(slots)}")
    for number, slot in enumerate(slots, start=1):
        if "v" in flags:
            call.say(*slot_block(slot, number))
        if "m" in flags:
            call.say(*mechanism_lines(call, slot.rows, is_verbose="v" in flags))
    return 0


def _one_library(call: Call, name: str, flags: set[str]) -> int:
    entry = conffiles.read_libraries(call.world).get(name)
    if entry is None:
        call.complain(f"cryptoadm: {name} does not exist.")
        return 1
    if "p" in flags:
        call.say(library_policy(call, entry))
        return 0
    if flags == {"m"} and _is_old(call):
        return _library_on_one_line(call, entry)
    call.say(f"Provider: {name}")
    return _library_block(call, entry, flags)


def _software(call: Call, name: str, flags: set[str]) -> None:
    entry = conffiles.read_kernel(call.world)[name]
    if "p" in flags:
        call.say(kernel_policy(call, name, entry))
        return
    is_unloaded = name in call.world.unloaded
    if "m" not in flags:
        lead = "    " if _is_old(call) else "\t"
        call.say(f"{lead}{name}{' (inactive)' if is_unloaded else ''}")
        return
    if "v" in flags and "one" in flags:
        call.say(f"Provider: {name}")
    disabled = call.world.kernel_policy.get(name, [])
    offered = [m for m in software_mechanisms(call, name, entry) if m not in disabled]
    if is_unloaded:
        call.say(f"{name}: (inactive)")
    elif not offered:
        call.say(f"{name}: No mechanisms presented.")
    else:
        call.say(f"{name}: {','.join(offered)}")


def _hardware(call: Call, name: str, flags: set[str]) -> None:
    if "p" in flags:
        call.say(kernel_policy(call, name, conffiles.read_kernel(call.world).get(name)))
        return
    if "m" not in flags:
        call.say(f"{'    ' if _is_old(call) else chr(9)}{name}")
        return
    if "v" in flags and "one" in flags:
        call.say(f"Provider: {name}")
    disabled = call.world.kernel_policy.get(name, [])
    offered = [m for m in kernel_mechanisms(call, name) if m not in disabled and m != RANDOM]
    call.say(f"{name}: {','.join(offered)}" if offered else f"{name}: No mechanisms presented.")
