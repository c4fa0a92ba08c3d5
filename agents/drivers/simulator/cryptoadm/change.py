"""enable, disable, install, uninstall and unload of providers, with the exit codes that lie."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm import conffiles
from agents.drivers.simulator.cryptoadm.conffiles import RANDOM, Entry
from agents.drivers.simulator.cryptoadm.listing import software_names
from agents.drivers.simulator.cryptoadm.mechanisms import RANDOM_PROVIDERS, number_of
from agents.drivers.simulator.cryptoadm.policy import kernel_mechanisms, software_mechanisms


def policy_change(call: Call, verb: str, name: str, words: list[str]) -> int:
    """`cryptoadm enable|disable provider=… mechanism=…|random|all`; return the exit code."""
    if name.startswith("/"):
        return _library(call, verb, name, words)
    return _kernel(call, verb, name, words)


def _library(call: Call, verb: str, name: str, words: list[str]) -> int:
    entries = conffiles.read_libraries(call.world)
    entry = entries.get(name)
    if entry is None:
        call.complain(f"cryptoadm: {name} does not exist.")
        return 1
    for word in words:
        if word in ("random", "all"):
            entry.has_no_random = verb == "disable" and name in RANDOM_PROVIDERS
        if word in ("mechanism=all", "all"):
            entry.enable_all() if verb == "enable" else entry.disable_all()
        elif word.startswith("mechanism="):
            names = _names(word)
            wrong = [n for n in names if number_of(n) is None]
            for mechanism in wrong:
                call.complain(f"cryptoadm: (Warning) {mechanism} is not a valid PKCS#11 mechanism.")
            if wrong:
                return 1
            entry.enable(names) if verb == "enable" else entry.disable(names)
    conffiles.write_libraries(call.world, entries)
    return 0


def _kernel(call: Call, verb: str, name: str, words: list[str]) -> int:
    entries = conffiles.read_kernel(call.world)
    entry = entries.get(name) or Entry(name)
    if "/" not in name and name not in entries:
        call.complain(f"cryptoadm: {name} does not exist.")
        return 1
    known = _offered(call, name, entry)
    if verb == "enable" and not entry.listed:
        call.complain(f"cryptoadm: all mechanisms are enabled already for {name}.")
        return 0
    if verb == "disable" and "/" in name and not known and name not in RANDOM_PROVIDERS:
        call.complain(f"cryptoadm: failed to retrieve the mechanism list for {name}.")
        return 1
    for word in words:
        _apply(call, verb, entry, word, known)
    if entry.listed or "/" not in name:
        entries[name] = entry
    else:
        entries.pop(name, None)
    conffiles.write_kernel(call.world, entries)
    if call.is_half:
        return 1
    call.world.kernel_policy[name] = list(entry.listed)
    return 0


def _apply(call: Call, verb: str, entry: Entry, word: str, known: list[str]) -> None:
    """Change a kernel provider's list: what fits is applied, what does not is warned of."""
    has_random = entry.name in RANDOM_PROVIDERS
    names = _names(word) if word.startswith("mechanism=") else []
    if word in ("mechanism=all", "all"):
        names = list(known)
    if word in ("random", "all") and has_random:
        names = [*names, RANDOM]
    if verb == "disable":
        for name in names:
            if name not in known and name != RANDOM:
                call.complain(
                    f"cryptoadm: (Warning) {name} is not a valid mechanism for {entry.name}."
                )
            elif name not in entry.listed:
                entry.listed.append(name)
        return
    for name in names:
        if name in entry.listed:
            entry.listed.remove(name)
        elif not word.endswith("all"):
            call.complain(
                f"cryptoadm: (Warning) {name} is either enabled already or not a valid "
                f"mechanism for {entry.name}"
            )


def _offered(call: Call, name: str, entry: Entry) -> list[str]:
    if "/" in name:
        return list(kernel_mechanisms(call, name))
    return software_mechanisms(call, name, entry)


def _names(word: str) -> list[str]:
    """Return the names of `mechanism=A,B`; the value is cut at the next `=`."""
    return [name for name in word.split("=")[1].split(",") if name]


def install(call: Call, name: str, words: list[str]) -> int:
    """`cryptoadm install provider=… [mechanism=…]`; return the exit code."""
    if name.startswith("/"):
        return _install_library(call, name)
    if "/" in name:
        call.complain("cryptoadm: bad provider name for install.")
        return 1
    if not words or not words[0].startswith("mechanism="):
        text = "need mechanism operands for installing a kernel software provider."
        call.complain(f"cryptoadm: {text}")
        return 2
    names = _names(words[0])
    if names == ["all"]:
        text = "can not use the all keyword for mechanism in the install subcommand."
        call.complain(f"cryptoadm: {text}")
        return 2
    entries = conffiles.read_kernel(call.world)
    if name in entries:
        call.complain(f"cryptoadm: {name} exists already.")
        return 1
    entries[name] = Entry(name, options={"supportedlist": ",".join(names)})
    conffiles.write_kernel(call.world, entries)
    return 0


def _install_library(call: Call, name: str) -> int:
    if name.rsplit("/", 1)[-1].startswith("libpkcs11.so"):
        call.complain(f"cryptoadm: The framework library {name} can not be installed.")
        return 1
    entries = conffiles.read_libraries(call.world)
    if name in entries:
        call.complain(f"cryptoadm: {name} exists already.")
        return 1
    file = call.world.root / name.replace("/$ISA/", "/", 1).lstrip("/")
    if not file.exists():
        call.complain(f"cryptoadm: {name} not found")
        return 1
    entries[name] = Entry(name)
    conffiles.write_libraries(call.world, entries)
    return 0


def uninstall(call: Call, name: str, _words: list[str]) -> int:
    """`cryptoadm uninstall provider=…`; return the exit code."""
    if "/" in name and not name.startswith("/"):
        call.complain("cryptoadm: bad provider name for uninstall.")
        return 1
    is_library = name.startswith("/")
    read, write = (
        (conffiles.read_libraries, conffiles.write_libraries)
        if is_library
        else (conffiles.read_kernel, conffiles.write_kernel)
    )
    entries = read(call.world)
    if name not in entries:
        call.complain(f"cryptoadm: {name} does not exist.")
        return 1
    del entries[name]
    call.world.kernel_policy.pop(name, None)
    write(call.world, entries)
    return 0


def unload(call: Call, name: str, _words: list[str]) -> int:
    """`cryptoadm unload provider=…`; return the exit code."""
    if "/" in name:
        call.complain(f"cryptoadm: {name} is not a valid kernel software provider.")
        return 1
    if name not in software_names(call) or name in call.world.unloaded:
        call.complain(f"cryptoadm: provider {name} is not loaded or does not exist.")
        return 1
    call.world.unloaded.append(name)
    return 0
