"""`kstat`: counters of the kernel's modules, with `-p` and in blocks.

Formats: illumos kstat. A statistic's name may hold blanks (`idle threads in pool`).
"""

import re
from dataclasses import dataclass

from agents.parsers.solaris.text import Line, UnreadLine, lines_of, number_of, require_found

_ROW = re.compile(r"([^:\s]{1,80}):(\d{1,9}):([^:\t]{1,120}):(.+)")
_PAIR = re.compile(r"(.{1,200}?)(?:\t\s*| {2,})(\S.*)")
_LAST = re.compile(r"(.*\S)\s(\S+)")
_MODULE = re.compile(r"module:\s*(\S{1,80})\s+instance:\s*(\d{1,9})", re.IGNORECASE)
_NAME = re.compile(r"name:\s*(\S.{0,120}?)\s+class:\s*(\S{0,80})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KernelStat:
    """One statistic. `value` as printed; `number` where it is one (decimal or `0x…`)."""

    module: str
    instance: int
    name: str
    statistic: str
    value: str
    number: int | float | None


@dataclass(frozen=True, slots=True)
class KernelStats:
    """All statistics of one output, in order; `class` is a statistic too, as `-p` prints it."""

    stats: tuple[KernelStat, ...]
    unread: tuple[UnreadLine, ...] = ()


def parse_kstat(text: str) -> KernelStats:
    """Read `kstat` with `-p` or without. Raise UnexpectedOutput where it has no statistic."""
    lines = lines_of(text)
    stats: list[KernelStat] = []
    unread = []
    module, instance, name = "", 0, ""
    for line in (line for line in lines if line.text):
        plain = line.stripped
        if found := _MODULE.fullmatch(plain[:300]):
            module, instance, name = found[1], int(found[2]), ""
        elif module and (found := _NAME.fullmatch(plain[:300])):
            name = found[1]
            stats.append(_stat(module, instance, name, ("class", found[2])))
        elif row := _parseable(line):
            stats.append(row)
        elif name and (pair := _pair(plain)):
            stats.append(_stat(module, instance, name, pair))
        else:
            unread.append(line.unread())
    require_found(stats, lines)
    return KernelStats(tuple(stats), tuple(unread))


def _parseable(line: Line) -> KernelStat | None:
    if line.is_indented and "\t" not in line.text:
        return None
    found = _ROW.fullmatch(line.stripped[:2000])
    if not found:
        return None
    pair = _pair(found[4]) or (found[4].strip(), "")
    return _stat(found[1], int(found[2]), found[3].strip(), pair)


def _pair(text: str) -> tuple[str, str] | None:
    """Split a statistic from its value; where a TAB became a blank, the last word is the value."""
    found = _PAIR.fullmatch(text[:1000]) or _LAST.fullmatch(text[:1000])
    return (found[1].strip(), found[2].strip()) if found else None


def _stat(module: str, instance: int, name: str, pair: tuple[str, str]) -> KernelStat:
    return KernelStat(module, instance, name, pair[0], pair[1], _number(pair[1]))


def _number(text: str) -> int | float | None:
    whole = number_of(text)
    if whole is not None:
        return whole
    digits = text[2:] if text.lower().startswith("0x") else ""
    if 0 < len(digits) <= 16 and all(c in "0123456789abcdefABCDEF" for c in digits):
        return int(digits, 16)
    is_decimal = (
        len(text) <= 40 and text.isascii() and text.lstrip("-").replace(".", "", 1).isdigit()
    )
    return float(text) if is_decimal else None
