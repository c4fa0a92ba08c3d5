"""Slots, tokens and mechanism tables of `cryptoadm list -v` and `-mv`."""

import re
from dataclasses import dataclass, field

from agents.parsers.solaris.cryptoadm_facts import (
    OPERATIONS,
    CryptoMechanism,
    CryptoSlot,
    CryptoToken,
)
from agents.parsers.solaris.text import number_of

MECHANISM = re.compile(r"CKM_\w{1,80}|0x[0-9a-fA-F]{1,16}")
_ROW = re.compile(
    r"(CKM_\w{1,80}|0x[0-9a-fA-F]{1,16})(?:\s+(-?\d{1,18})\s+(-?\d{1,18}))?([\sXx.]*)"
)
_FLAGS_ONLY = re.compile(r"[Xx.](?:\s+[Xx.])*")
_ART = re.compile(r"[A-Za-z+](?:\s+[A-Za-z+])*")
_TITLE = re.compile(r"mechanism name\b.*", re.IGNORECASE)
_PAIR = re.compile(r"([A-Za-z#][\w .#-]{1,40}?)\s{0,8}:\s*(.*)")
_LABEL = "token label"
_SLOT_KEYS = frozenset(
    (
        "description", "manufacturer", "pkcs#11 version", "hardware version", "firmware version",
        "token present", "slot flags", _LABEL, "manufacturer id", "model", "serial number",
        "utc time", "pin min length", "pin max length", "flags",
    )
)  # fmt: skip


@dataclass(slots=True)
class SlotReading:
    """A slot while it is read: pairs as printed, the token's apart from the slot's."""

    number: int | None = None
    pairs: dict[str, str] = field(default_factory=dict)
    token_pairs: dict[str, str] = field(default_factory=dict)
    mechanisms: list[CryptoMechanism] = field(default_factory=list)
    is_listing: bool = False
    """Whether its `Mechanisms:` line came."""
    last: tuple[dict[str, str], str] | None = None

    def take_pair(self, text: str) -> bool:
        """Take `Key: value`, or flags that go on in the next line."""
        if text.startswith("CKF_") and self.last:
            pairs, key = self.last
            pairs[key] += " " + text
            return True
        found = _PAIR.fullmatch(text)
        if not found or found[1].lower() not in _SLOT_KEYS:
            return False
        key = found[1].lower()
        is_token = bool(self.token_pairs) or key == _LABEL
        pairs = self.token_pairs if is_token else self.pairs
        pairs[key] = found[2].strip()
        self.last = (pairs, key)
        return True

    def take_mechanism(self, text: str) -> bool:
        """Take a row of the table, or a line of its heading."""
        are_flags = _FLAGS_ONLY.fullmatch(text) is not None
        if _TITLE.fullmatch(text) or (_ART.fullmatch(text) and not are_flags):
            return True
        if are_flags and self.mechanisms:
            last = self.mechanisms.pop()
            marks = ["X" if name in last.operations else "." for name in OPERATIONS]
            known = self.marks or 0
            self.mechanisms.append(self._mechanism(last, marks[:known] + text.split()))
            return True
        found = _ROW.fullmatch(text)
        if not found:
            return False
        mechanism = CryptoMechanism(found[1], _size(found[2]), _size(found[3]))
        self.mechanisms.append(self._mechanism(mechanism, found[4].split()))
        return True

    marks: int = 0
    """How many columns of the last row were printed."""

    def _mechanism(self, mechanism: CryptoMechanism, marks: list[str]) -> CryptoMechanism:
        self.marks = len(marks)
        pairs = zip(OPERATIONS, marks, strict=False)
        done = tuple(name for name, mark in pairs if mark.upper() == "X")
        return CryptoMechanism(mechanism.name, mechanism.min_key, mechanism.max_key, done)

    def facts(self) -> CryptoSlot:
        """Return what was read."""
        pairs = dict(self.pairs)
        present = pairs.pop("token present", "").lower()
        return CryptoSlot(
            number=self.number,
            description=pairs.pop("description", ""),
            manufacturer=pairs.pop("manufacturer", ""),
            flags=tuple(pairs.pop("slot flags", "").split()),
            has_token={"true": True, "false": False}.get(present),
            token=_token(self.token_pairs) if self.token_pairs else None,
            mechanisms=tuple(self.mechanisms),
            extra=tuple(pairs.items()),
        )


def _token(found: dict[str, str]) -> CryptoToken:
    pairs = dict(found)
    flags = dict.fromkeys(pairs.pop("flags", "").split())
    return CryptoToken(
        label=pairs.pop(_LABEL, ""),
        manufacturer=pairs.pop("manufacturer id", ""),
        model=pairs.pop("model", ""),
        serial=pairs.pop("serial number", ""),
        flags=tuple(flags),
        pin_min=number_of(pairs.pop("pin min length", "")),
        pin_max=number_of(pairs.pop("pin max length", "")),
        extra=tuple(pairs.items()),
    )


def _size(text: str | None) -> int | None:
    """Read a key size; -1 is PKCS#11's CK_UNAVAILABLE_INFORMATION."""
    return None if text is None or text.startswith("-") else int(text)
