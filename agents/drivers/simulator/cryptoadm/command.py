"""cryptoadm: which subcommand is meant, and how it counts and reads its words."""

from collections.abc import Callable

from agents.drivers.simulator.call import Call, take_flags
from agents.drivers.simulator.cryptoadm import change, fips, listing, metaslot

EXIT_USAGE = 2
USAGE = (
    "Usage:",
    "  cryptoadm list [-mpv] [provider=<provider-name> | metaslot] [mechanism=<mechanism-list>]",
    "  cryptoadm disable provider=<provider-name> mechanism=<mechanism-list> | random | all",
    "  cryptoadm disable metaslot [auto-key-migrate] [mechanism=<mechanism-list>]",
    "  cryptoadm enable provider=<provider-name> mechanism=<mechanism-list> | random | all",
    "  cryptoadm enable metaslot [mechanism=<mechanism-list>] [[token=<token-label>] "
    "[slot=<slot-description>] | [default-keystore]] | [auto-key-migrate]",
    "  cryptoadm install provider=<provider-name>",
    "  cryptoadm install provider=<provider-name> [mechanism=<mechanism-list>]",
    "  cryptoadm uninstall provider=<provider-name>",
    "  cryptoadm unload provider=<provider-name>",
    "  cryptoadm refresh",
    "  cryptoadm start",
    "  cryptoadm stop",
    "  cryptoadm --help",
)
_PROVIDER = "provider="
_COUNTS = {"disable": (2, 4), "enable": (2, 5), "uninstall": (2, 2), "unload": (2, 2)}


def run(call: Call) -> int:
    """Run one command line of cryptoadm; return its exit code."""
    if not call.arguments:
        return _usage(call, EXIT_USAGE)
    verb, *words = call.arguments
    if verb in ("refresh", "start", "stop") and not words:
        return _reload(call)
    commands: dict[str, Callable[[Call, list[str]], int]] = {
        "list": _list,
        "enable": lambda c, w: _switch(c, "enable", w),
        "disable": lambda c, w: _switch(c, "disable", w),
        "install": _install,
        "uninstall": _uninstall,
        "unload": _unload,
        "--help": lambda c, w: _usage(c, 0),
    }
    known = commands.get(verb)
    if known is None or not _fits(verb, len(call.arguments)):
        return _usage(call, EXIT_USAGE)
    return known(call, words)


def _usage(call: Call, code: int) -> int:
    call.complain(*USAGE)
    return code


def _fits(verb: str, number: int) -> bool:
    low, high = _COUNTS.get(verb, (1, 99))
    return low <= number <= high


def _list(call: Call, words: list[str]) -> int:
    if len(words) > 4:
        return _usage(call, 0)
    try:
        flags, operands = take_flags(words, "mpv")
    except ValueError:
        return _usage(call, EXIT_USAGE)
    if "p" in flags and flags != {"p"}:
        return _usage(call, EXIT_USAGE)
    if not operands:
        return listing.list_all(call, flags)
    operand = operands[0]
    if metaslot.is_metaslot(operand):
        return metaslot.metaslot_list(call, flags)
    if operand == "fips-140":
        return fips.fips_list(call)
    name = _provider(operand)
    if not name or not flags:
        return _usage(call, EXIT_USAGE)
    return listing.list_one(call, name, flags)


def _switch(call: Call, verb: str, words: list[str]) -> int:
    operand, *rest = words
    if operand == "fips-140":
        code = fips.fips_switch(call, verb)
        return _usage(call, EXIT_USAGE) if code is None else code
    if metaslot.is_metaslot(operand):
        code = metaslot.metaslot_change(call, verb, rest)
        return _usage(call, -code) if code < 0 else code
    name = _provider(operand)
    if not name:
        call.complain("cryptoadm: bad provider name.")
        return 1
    if verb == "enable" and len(rest) > 1:
        return _usage(call, EXIT_USAGE)
    if not rest or not all(_is_policy_word(word) for word in rest):
        call.complain("cryptoadm: the mechanism operand is missing.")
        return EXIT_USAGE
    return change.policy_change(call, verb, name, rest)


def _is_policy_word(word: str) -> bool:
    return word in ("random", "all") or word.startswith("mechanism=")


def _install(call: Call, words: list[str]) -> int:
    if not words or not (name := _provider(words[0])):
        call.complain("cryptoadm: bad provider name for install.")
        return 1
    return change.install(call, name, words[1:])


def _uninstall(call: Call, words: list[str]) -> int:
    if not (name := _provider(words[0])):
        call.complain("cryptoadm: bad provider name for uninstall.")
        return 1
    return change.uninstall(call, name, [])


def _unload(call: Call, words: list[str]) -> int:
    if not words[0].startswith(_PROVIDER):
        call.complain("cryptoadm: unable to determine provider name.")
        return 0
    if not (name := _provider(words[0])):
        call.complain("cryptoadm: bad provider name.")
        return 1
    return change.unload(call, name, [])


def _provider(word: str) -> str:
    """Return the name of `provider=…`, cut at the next `=`; empty for a bad one."""
    if not word.startswith(_PROVIDER):
        return ""
    name = word.split("=")[1]
    is_bad = not name.startswith("/") and name.count("/") > 1
    return "" if is_bad or name.endswith("/") else name


def _reload(call: Call) -> int:
    """What SMF's methods do: the kernel takes its policies from kcf.conf."""
    from agents.drivers.simulator.cryptoadm.conffiles import read_kernel

    for name, entry in read_kernel(call.world).items():
        call.world.kernel_policy[name] = list(entry.listed)
    return 0
