"""Metaslot: listed, turned on and off, its key store and its mechanisms."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm import conffiles
from agents.drivers.simulator.cryptoadm.conffiles import METASLOT, Entry
from agents.drivers.simulator.cryptoadm.mechanisms import number_of, softtoken_rows
from agents.drivers.simulator.cryptoadm.policy import library_policy
from agents.drivers.simulator.cryptoadm.slots import (
    METASLOT_FLAGS,
    enabled_rows,
    mechanism_lines,
    token_block,
)
from agents.drivers.simulator.hostfiles import SOFTTOKEN_LABEL, SOFTTOKEN_SLOT

STATUS = "metaslot_status"
MIGRATE = "metaslot_auto_key_migrate"
TOKEN = "metaslot_token"  # noqa: S105 - a key of a file, no secret
SLOT = "metaslot_slot"
_LIMITS = {TOKEN: 32, SLOT: 64}
USAGE = 1
"""Unknown metaslot operands print the usage and exit 1, not 2."""


class BadOperand(Exception):
    """An operand that metaslot does not have: usage on stderr, exit 1."""


def is_metaslot(word: str) -> bool:
    """Return whether a word means metaslot: it is matched as a prefix."""
    return word.startswith(METASLOT)


def metaslot_list(call: Call, flags: set[str]) -> int:
    """`cryptoadm list [-m] [-v] [-p] metaslot`."""
    entry = conffiles.read_libraries(call.world).get(METASLOT)
    if entry is None:
        call.complain("cryptoadm: metaslot entry doesn't exist.")
        return 1
    if "p" in flags:
        call.say(library_policy(call, entry))
        return 0
    call.say("System-wide Meta Slot Configuration:", "-" * 36)
    call.say(f"Status: {entry.options.get(STATUS, 'disabled')}")
    call.say(f"Sensitive Token Object Automatic Migrate: {entry.options.get(MIGRATE, 'disabled')}")
    if entry.options.get(SLOT):
        call.say(f"Persistent object store slot: {entry.options[SLOT]}")
    if entry.options.get(TOKEN):
        call.say(f"Persistent object store token: {entry.options[TOKEN]}")
    is_actual = is_offered(call)
    if "v" in flags:
        call.say("", "Detailed Meta Slot Information:", "-" * 31)
        call.say(f"actual status: {'enabled' if is_actual else 'disabled'}.")
        if is_actual:
            call.say(f"Description: {'Sun Metaslot':<64}", "Token Present: True")
            call.say(*token_block("Sun Metaslot", METASLOT_FLAGS))
    if "m" in flags and is_actual:
        rows = enabled_rows(softtoken_rows(call.world.edition), entry)
        call.say(*mechanism_lines(call, rows, is_verbose="v" in flags))
    return 0


def is_offered(call: Call) -> bool:
    """Return whether libpkcs11 really offers metaslot."""
    entry = conffiles.read_libraries(call.world).get(METASLOT)
    is_on = entry is not None and entry.options.get(STATUS) == "enabled"
    return is_on and call.variant("metaslot.actual") == "follows"


def metaslot_change(call: Call, verb: str, operands: list[str]) -> int:
    """`cryptoadm enable|disable metaslot …`: return the exit code."""
    entries = conffiles.read_libraries(call.world)
    entry = entries.get(METASLOT) or Entry(METASLOT)
    try:
        if verb == "enable":
            code = _enable(call, entry, operands)
        else:
            code = _disable(call, entry, operands)
    except BadOperand:
        return -USAGE
    if code == 0:
        conffiles.write_libraries(call.world, {METASLOT: entry, **entries})
    return code


def _enable(call: Call, entry: Entry, operands: list[str]) -> int:
    for operand in operands:
        key, _, value = operand.partition("=")
        value = value.partition("=")[0]
        if key == "mechanism" and value:
            if (code := _mechanisms(call, entry, "enable", value)) != 0:
                return code
        elif key in ("token", "slot") and value:
            if (code := _store(call, entry, f"metaslot_{key}", value)) != 0:
                return code
        elif operand.startswith("default-keystore") and len(operands) == 1:
            entry.options |= {TOKEN: SOFTTOKEN_LABEL, SLOT: SOFTTOKEN_SLOT}
        elif operand.startswith("auto-key-migrate"):
            entry.options[MIGRATE] = "enabled"
        else:
            raise BadOperand
    entry.options[STATUS] = "enabled"
    return 0


def _disable(call: Call, entry: Entry, operands: list[str]) -> int:
    if not operands:
        entry.options[STATUS] = "disabled"
        return 0
    is_off = False
    for operand in operands:
        key, _, value = operand.partition("=")
        if key == "mechanism" and value:
            if (code := _mechanisms(call, entry, "disable", value)) != 0:
                return code
            is_off = entry.mode == "enabledlist" and not entry.listed
        elif operand.startswith("auto-key-migrate"):
            entry.options[MIGRATE] = "disabled"
        else:
            raise BadOperand
    entry.options[STATUS] = "disabled" if is_off else "enabled"
    return 0


def _store(call: Call, entry: Entry, key: str, value: str) -> int:
    if len(value.encode()) > _LIMITS[key]:
        call.complain(f"cryptoadm: {key.removeprefix('metaslot_')} is too long.")
        return 1
    other = SLOT if key == TOKEN else TOKEN
    is_alone = not any(
        word.startswith(other.removeprefix("metaslot_") + "=") for word in call.arguments
    )
    if is_alone and call.variant("metaslot.keystore") == "replaces":
        entry.options.pop(other, None)
    entry.options[key] = value
    return 0


def _mechanisms(call: Call, entry: Entry, verb: str, value: str) -> int:
    if value == "all":
        entry.enable_all() if verb == "enable" else entry.disable_all()
        return 0
    names = value.split(",")
    wrong = [name for name in names if number_of(name) is None]
    for name in wrong:
        call.complain(f"cryptoadm: (Warning) {name} is not a valid PKCS#11 mechanism.")
    if wrong:
        return 1
    entry.enable(names) if verb == "enable" else entry.disable(names)
    return 0
