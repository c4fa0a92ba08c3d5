"""What a PKCS#11 library shows: slots, tokens, mechanisms; the blocks of `cryptoadm list -m -v`."""

from dataclasses import dataclass

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm.conffiles import Entry
from agents.drivers.simulator.cryptoadm.mechanisms import (
    KERNEL_LIBRARY,
    SOFTTOKEN_LIBRARY,
    MechanismRow,
    hardware_providers,
    hardware_rows,
    softtoken_rows,
)
from agents.drivers.simulator.hostfiles import SOFTTOKEN_LABEL, SOFTTOKEN_SLOT

MAKER = "Sun Microsystems, Inc."
SOFTTOKEN_FLAGS = (
    "CKF_RNG CKF_LOGIN_REQUIRED CKF_USER_PIN_INITIALIZED CKF_RESTORE_KEY_NOT_NEEDED "
    "CKF_DUAL_CRYPTO_OPERATIONS CKF_TOKEN_INITIALIZED CKF_USER_PIN_TO_BE_CHANGED "
)
METASLOT_FLAGS = SOFTTOKEN_FLAGS.replace("CKF_RESTORE_KEY_NOT_NEEDED ", "")
_HARDWARE_FLAGS = "CKF_TOKEN_INITIALIZED "
_HEAD = (
    "                                                                  P",
    "                                                      S     V  K  a     U  D",
    "                                                      i     e  e  i     n  e",
    "                                                   S  g  V  r  y  r  W  w  r",
    "                                          E  D  D  i  n  e  i  G  G  r  r  i",
    "                                       H  n  e  i  g  +  r  +  e  e  a  a  v  E",
    "mechanism name               min  max  W  c  c  g  n  R  i  R  n  n  p  p  e  C",
    "---------------------------- ---- ---- -  -  -  -  -  -  -  -  -  -  -  -  -  -",
)
_HARDWARE_SLOTS = {
    "ncp/0": "ncp/0 SUNW_N2_Modular_Arithmetic_Provider",
    "n2cp/0": "n2cp/0 SUNW_N2_Cipher_And_Hash_Provider",
}


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot with its token."""

    description: str
    label: str
    flags: str
    token_flags: str
    rows: list[MechanismRow]


def slots_of(call: Call, library: str) -> list[Slot] | None:
    """Return the slots of a library; None for one that cannot be loaded."""
    if library == SOFTTOKEN_LIBRARY:
        rows = softtoken_rows(call.world.edition)
        flags = "CKF_TOKEN_PRESENT "
        return [Slot(SOFTTOKEN_SLOT, SOFTTOKEN_LABEL, flags, SOFTTOKEN_FLAGS, rows)]
    if library != KERNEL_LIBRARY:
        return None
    if call.variant("cryptoadm.kernel_slots") == "none":
        return []
    edition = call.world.edition
    names = [name for name, offered in hardware_providers(edition).items() if offered]
    return [
        Slot(
            _HARDWARE_SLOTS[name],
            _HARDWARE_SLOTS[name][:32],
            "CKF_TOKEN_PRESENT CKF_HW_SLOT ",
            _HARDWARE_FLAGS,
            hardware_rows(edition, name),
        )
        for name in names
    ]


def slot_block(slot: Slot, number: int) -> list[str]:
    """Return what -v says of a slot and its token."""
    return [
        "",
        f"Slot #{number}",
        f"Description: {slot.description:<64}",
        f"Manufacturer: {MAKER:<32}",
        "PKCS#11 Version: 2.20",
        "Hardware Version: 0.0",
        "Firmware Version: 0.0",
        "Token Present: True",
        f"Slot Flags: {slot.flags}",
        *token_block(slot.label, slot.token_flags),
    ]


def token_block(label: str, flags: str) -> list[str]:
    """Return what -v says of a token."""
    return [
        f"Token Label: {label:<32}",
        f"Manufacturer ID: {MAKER:<32}",
        f"Model: {'1.0':<16}",
        f"Serial Number: {'':<16}",
        "Hardware Version: 0.0",
        "Firmware Version: 0.0",
        f"UTC Time: {'':<16}",
        "PIN Min Length: 1",
        "PIN Max Length: 256",
        f"Flags: {flags}",
    ]


def mechanism_lines(call: Call, rows: list[MechanismRow], *, is_verbose: bool) -> list[str]:
    """Return a slot's mechanisms; with -v a table, else names. A slot without any says nothing."""
    if not rows:
        return []
    lines = [""] if call.variant("cryptoadm.m_blank") == "yes" else []
    lines.append("Mechanisms:")
    if not is_verbose:
        return lines + [f"{row.name:<29}" for row in rows]
    for row in rows:
        marks = "  ".join("X" if flag else "." for flag in row.flags)
        lines.append(f"{row.name:<29}{row.low:<4d} {row.high:<4d} {marks}")
    return lines[: -len(rows)] + list(_HEAD) + lines[-len(rows) :]


def enabled_rows(rows: list[MechanismRow], entry: Entry) -> list[MechanismRow]:
    """Return the mechanisms that a policy leaves."""
    if entry.mode == "enabledlist":
        return [row for row in rows if row.name in entry.listed]
    return [row for row in rows if row.name not in entry.listed]
