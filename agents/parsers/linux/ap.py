"""sysfs texts of IBM Z's AP bus (drivers/s390/crypto/ap_bus.c, vfio_ap_ops.c, zcrypt_cex4.c)."""

import re
from dataclasses import dataclass

from agents.parsers.base import UnexpectedOutput

_HEX = re.compile(r"^[0-9a-fA-F]+$")
_MASK = re.compile(r"^0x([0-9a-fA-F]{1,64})$")
_MKVP = re.compile(r"^(?P<register>[A-Z]+(?: [A-Z]+)*): (?P<state>\S+)(?: (?P<pattern>\S+))?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixEntry:
    """A line of an mdev's `matrix`. Adapter or domain is None while only the other is assigned."""

    adapter: int | None
    domain: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterKey:
    """A line of `mkvps`: a master-key register and its state; the pattern identifies the key."""

    register: str
    state: str
    pattern: str


def parse_ap_matrix(text: str) -> list[MatrixEntry]:
    """Parse `matrix` or `guest_matrix`: lines `05.0047`, `05.` or `.0047`; empty: nothing assigned.

    Raises UnexpectedOutput for anything else.
    """
    entries = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip(" \t\r\0")
        if not line:
            continue
        adapter, dot, domain = line.partition(".")
        if not dot or not (adapter or domain):
            raise UnexpectedOutput(number, raw)
        entries.append(
            MatrixEntry(adapter=_hex(number, raw, adapter, 4), domain=_hex(number, raw, domain, 4))
        )
    return entries


def parse_ap_domains(text: str) -> list[int]:
    """Parse `control_domains`: one hex domain per line. Raises UnexpectedOutput."""
    lines = [(n, raw, raw.strip(" \t\r\0")) for n, raw in enumerate(text.split("\n"), start=1)]
    found = (_hex(n, raw, word, 4) for n, raw, word in lines if word)
    return [domain for domain in found if domain is not None]


def parse_ap_mask(text: str) -> frozenset[int]:
    """Return the numbers whose bit is set in `apmask`, `aqmask` …: the leftmost bit is number 0.

    A mask shorter than 256 bits is filled with zeros on the right. Raises UnexpectedOutput.
    """
    match = _MASK.match(text.strip(" \t\r\n\0"))
    if match is None:
        raise UnexpectedOutput(1, text.split("\n", 1)[0])
    bits = int(match[1].ljust(64, "0"), 16)
    return frozenset(number for number in range(256) if bits >> (255 - number) & 1)


def parse_ap_mkvps(text: str) -> list[MasterKey]:
    """Parse `mkvps` of a CCA or EP11 queue; `- -` (nothing known) gives an empty list.

    Raises UnexpectedOutput for other lines.
    """
    keys = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip(" \t\r\0")
        if not line or line == "- -":
            continue
        match = _MKVP.match(line)
        if match is None:
            raise UnexpectedOutput(number, raw)
        keys.append(
            MasterKey(
                register=match["register"], state=match["state"], pattern=match["pattern"] or ""
            )
        )
    return keys


def _hex(number: int, raw: str, word: str, digits: int) -> int | None:
    if not word:
        return None
    if not _HEX.match(word) or len(word) > digits:
        raise UnexpectedOutput(number, raw)
    return int(word, 16)
