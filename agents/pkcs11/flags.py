"""PKCS#11 flag words spelled out (pkcs11t.h, version 3.2), and what they say of a PIN."""

from agents.wire.inventory import Attribute, PinState

UNAVAILABLE = (1 << 64) - 1
"""CK_UNAVAILABLE_INFORMATION of a 64-bit library: the figure is not known, which is not 0."""
UNAVAILABLE_32 = (1 << 32) - 1
_BELIEVABLE = 1 << 62

TOKEN_INITIALIZED = 0x400
TOKEN_FLAGS = {
    0x1: "RNG",
    0x2: "WRITE_PROTECTED",
    0x4: "LOGIN_REQUIRED",
    0x8: "USER_PIN_INITIALIZED",
    0x20: "RESTORE_KEY_NOT_NEEDED",
    0x40: "CLOCK_ON_TOKEN",
    0x100: "PROTECTED_AUTHENTICATION_PATH",
    0x200: "DUAL_CRYPTO_OPERATIONS",
    TOKEN_INITIALIZED: "TOKEN_INITIALIZED",
    0x800: "SECONDARY_AUTHENTICATION",
    0x10000: "USER_PIN_COUNT_LOW",
    0x20000: "USER_PIN_FINAL_TRY",
    0x40000: "USER_PIN_LOCKED",
    0x80000: "USER_PIN_TO_BE_CHANGED",
    0x100000: "SO_PIN_COUNT_LOW",
    0x200000: "SO_PIN_FINAL_TRY",
    0x400000: "SO_PIN_LOCKED",
    0x800000: "SO_PIN_TO_BE_CHANGED",
    0x1000000: "ERROR_STATE",
    0x2000000: "SEED_RANDOM_REQUIRED",
    0x4000000: "ASYNC_SESSION_SUPPORTED",
}

MECHANISM_OPERATIONS = {
    0x2: "message_encrypt",
    0x4: "message_decrypt",
    0x8: "message_sign",
    0x10: "message_verify",
    0x20: "multi_message",
    0x40: "find_objects",
    0x100: "encrypt",
    0x200: "decrypt",
    0x400: "digest",
    0x800: "sign",
    0x1000: "sign_recover",
    0x2000: "verify",
    0x4000: "verify_recover",
    0x8000: "generate",
    0x10000: "generate_key_pair",
    0x20000: "wrap",
    0x40000: "unwrap",
    0x80000: "derive",
    0x10000000: "encapsulate",
    0x20000000: "decapsulate",
}

EC_FLAGS = {
    0x100000: "F_P",
    0x200000: "F_2M",
    0x400000: "ECPARAMETERS",
    0x800000: "OID",
    0x1000000: "UNCOMPRESS",
    0x2000000: "COMPRESS",
    0x4000000: "CURVENAME",
}

_HW = 0x1
_EXTENSION = 0x80000000


def token_flags(flags: int) -> list[str]:
    """Return all flags that are set, without CKF_; unknown bits as `0x08000000`."""
    return _words(flags, TOKEN_FLAGS)


def mechanism_operations(flags: int) -> list[str]:
    """Return the operations among a mechanism's flags: encrypt, sign, derive …"""
    return [word for bit, word in MECHANISM_OPERATIONS.items() if flags & bit]


def mechanism_is_hardware(flags: int) -> bool:
    """Return CKF_HW: the token performs the mechanism, not a driver in software."""
    return bool(flags & _HW)


def mechanism_attributes(flags: int) -> dict[str, Attribute]:
    """Return what else a mechanism's flags say: `ec_flags`, `other_flags` (bits without a name)."""
    attributes: dict[str, Attribute] = {}
    if ec_flags := [word for bit, word in EC_FLAGS.items() if flags & bit]:
        attributes["ec_flags"] = ec_flags
    known = _HW | sum(MECHANISM_OPERATIONS) | sum(EC_FLAGS)
    if others := _words(flags & ~known, {_EXTENSION: "EXTENSION"}):
        attributes["other_flags"] = others
    return attributes


def user_pin_state(flags: int) -> str:
    """Return the user PIN's state, the worst first. An uninitialised token has no PIN to lock."""
    return _pin_state(flags, shift=0, has_pin=bool(flags & 0x8))


def so_pin_state(flags: int) -> str:
    """Return the security officer's PIN state. Every initialised token has such a PIN."""
    return _pin_state(flags, shift=4, has_pin=True)


def _pin_state(flags: int, *, shift: int, has_pin: bool) -> str:
    if not flags & TOKEN_INITIALIZED:
        return PinState.NOT_INITIALISED.value
    for bit, state in (
        (0x40000, PinState.LOCKED),
        (0x20000, PinState.FINAL_TRY),
        (0x10000, PinState.COUNT_LOW),
    ):
        if flags & (bit << shift):
            return state.value
    if not has_pin:
        return PinState.NOT_INITIALISED.value
    is_stale = flags & (0x80000 << shift)
    return (PinState.TO_BE_CHANGED if is_stale else PinState.OK).value


def figure(value: int) -> int | None:
    """Return a figure of CK_TOKEN_INFO, None where the token says that it is not available.

    PyKCS11 gives -1 for CK_UNAVAILABLE_INFORMATION in places, a 32-bit library 2^32-1.
    """
    if value < 0 or value == UNAVAILABLE_32 or value >= _BELIEVABLE:
        return None
    return value


def session_limit(value: int) -> int | None:
    """Return a session limit: -1 for unlimited, None for not available.

    CK_EFFECTIVELY_INFINITE is 0; openCryptoki writes the largest number but one instead.
    """
    if value in (0, UNAVAILABLE - 1, UNAVAILABLE_32 - 1):
        return -1
    return figure(value)


def _words(flags: int, names: dict[int, str]) -> list[str]:
    bits = (1 << position for position in range(64))
    return [names.get(bit) or f"0x{bit:08x}" for bit in bits if flags & bit]
