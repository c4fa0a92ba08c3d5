"""Policies as `cryptoadm list -p` words them: libraries, the kernel's providers, metaslot."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm.conffiles import RANDOM, Entry
from agents.drivers.simulator.cryptoadm.mechanisms import (
    RANDOM_PROVIDERS,
    hardware_providers,
    software_providers,
)


def library_policy(call: Call, entry: Entry) -> str:
    """Return the line of a library, or of metaslot."""
    text = f"{entry.name}: {_sentence(call, entry)}"
    if entry.name in RANDOM_PROVIDERS:
        text += f" random is {'disabled' if entry.has_no_random else 'enabled'}."
    return text


def _sentence(call: Call, entry: Entry) -> str:
    # The entries are read into a list that grows at its head, so they come out in reverse.
    names = ",".join(reversed(entry.listed))
    if entry.mode == "enabledlist":
        return f"all mechanisms are disabled{_except(call, names)}."
    return f"all mechanisms are enabled{_except(call, names)}."


def _except(call: Call, names: str) -> str:
    comma = "," if call.variant("cryptoadm.except") == "comma" else ""
    return f"{comma} except {names}" if names else ""


def kernel_policy(call: Call, name: str, entry: Entry | None) -> str:
    """Return the line of a kernel provider. All disabled is worded as all but all of them."""
    listed = list(entry.listed) if entry is not None else []
    mechanisms = [word for word in reversed(listed) if word != RANDOM]
    known = kernel_mechanisms(call, name)
    text = f"{name}:"
    is_random_only = name in RANDOM_PROVIDERS and not known
    if not is_random_only or (name.count("/") and entry is None):
        is_all = name.count("/") and known and set(mechanisms) == set(known)
        if is_all and call.variant("cryptoadm.hw_all_disabled") == "all":
            text += " all mechanisms are disabled."
        else:
            text += f" all mechanisms are enabled{_except(call, ','.join(mechanisms))}."
    if name in RANDOM_PROVIDERS:
        text += f" random is {'disabled' if RANDOM in listed else 'enabled'}."
    return text


def kernel_mechanisms(call: Call, name: str) -> tuple[str, ...]:
    """Return what a kernel provider offers, disabled or not; for one installed later, its entry."""
    edition = call.world.edition
    return {**software_providers(edition), **hardware_providers(edition)}.get(name, ())


def software_mechanisms(call: Call, name: str, entry: Entry) -> list[str]:
    """Return what a kernel software provider offers, by its entry's supportedlist."""
    listed = [word for word in entry.options.get("supportedlist", "").split(",") if word]
    return listed or list(kernel_mechanisms(call, name))
