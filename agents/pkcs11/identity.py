"""Keys of slots and tokens that stay the same when slot numbers change."""

import re
from urllib.parse import quote


def token_key(module_path: str, serial: str, label: str) -> str:
    """Return a token's identity (module, serial, label) as an RFC 7512 URI."""
    path = quote(module_path, safe="/")
    serial_part, label_part = quote(serial, safe=""), quote(label, safe="")
    return f"pkcs11:serial={serial_part};token={label_part}?module-path={path}"


def slot_key(module_path: str, description: str, slot_id: int) -> str:
    """Return the key of a slot without an identified token: its description less its own number.

    SoftHSM writes the number into the description, and gives another one each time.
    """
    numbers = rf"(?<![0-9A-Za-z])(?:0x0*{slot_id:x}|{slot_id})(?![0-9A-Za-z])"
    stable = " ".join(re.sub(numbers, "", description, flags=re.IGNORECASE).split())
    path = quote(module_path, safe="/")
    return f"pkcs11:slot-description={quote(stable, safe='')}?module-path={path}"


class Keys:
    """Hands out keys, telling copies apart: the second of a kind gets `;copy=2`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def take(self, key: str) -> str:
        """Return `key`, or a copy's key where it was taken before."""
        count = self._seen[key] = self._seen.get(key, 0) + 1
        if count == 1:
            return key
        head, mark, tail = key.partition("?")
        return f"{head};copy={count}{mark}{tail}"
