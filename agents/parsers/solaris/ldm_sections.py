"""The tables below a section's heading in ldm's output for people."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from agents.parsers.solaris.ldm_facts import (
    LdmCore,
    LdmMemory,
    LdmSection,
    LdmUnit,
    LdmVcpu,
    cpuset_of,
    percent_of,
    size_of,
)
from agents.parsers.solaris.ldm_parseable import UNIT_SECTIONS, Gathered, bound_of
from agents.parsers.solaris.text import Line, UnreadLine, number_of

FULL_LINES = frozenset((79, 80, 131, 132))
"""Lengths of a line that a terminal of 80 or 132 columns filled."""
_HEADER = re.compile(r"[A-Z%][A-Z0-9%/_-]*(?:\s+[A-Z%][A-Z0-9%/_-]*)*")
_CPUSET_ROW = re.compile(
    r"(?:(\d{1,9})\s+)?(?:([\d.]{1,9}|---)%?\s+)?\(([^()]{0,4000})\)(.{0,300})"
)
_SHAPES = {
    3: ("PID", "%FREE", "PM"),
    4: ("VID", "PID", "UTIL", "STRAND"),
    5: ("VID", "PID", "CID", "UTIL", "STRAND"),
    6: ("VID", "PID", "CID", "UTIL", "NORM", "STRAND"),
}
"""Columns of VCPU rows by their number, for captures that begin below the header."""


@dataclass(slots=True)
class Section:
    """A section's heading and the lines that followed it."""

    name: str
    lines: list[Line] = field(default_factory=list)


def read_section(section: Section, gathered: Gathered, unread: list[UnreadLine]) -> None:
    """Add what a section says; rows that do not fit their table are unread."""
    if section.name in UNIT_SECTIONS or section.name == "CORE":
        rows, other = _cpuset_rows(section)
        unread.extend(line.unread() for line in other if not _count(section, line, gathered))
        for found, line in rows:
            if not _add_cpuset(section.name, found, gathered):
                unread.append(line.unread())
        return
    read = {"VCPU": _vcpu, "MEMORY": _memory}.get(section.name)
    if read:
        unread.extend(line.unread() for line in _read_rows(section, gathered, read))
    elif section.name in ("VARIABLES", "VARS"):
        gathered.sections.append(LdmSection(section.name, rows=tuple(_variables(section))))
    else:
        gathered.sections.append(LdmSection(section.name, rows=tuple(_kept_rows(section))))


def _is_header(text: str) -> bool:
    return len(text) <= 400 and _HEADER.fullmatch(text) is not None


def _cpuset_rows(section: Section) -> tuple[list[tuple[re.Match[str], Line]], list[Line]]:
    """Return rows with a list of strands, joined where the list goes on; and all other lines."""
    rows: list[tuple[re.Match[str], Line]] = []
    other: list[Line] = []
    pending: list[Line] = []
    for line in section.lines:
        if _is_header(line.stripped):
            continue
        pending.append(line)
        opened = any("(" in part.text for part in pending)
        if opened and ")" not in line.text and len(pending) < 64:
            continue
        found = _CPUSET_ROW.fullmatch(_unfolded(pending))
        if found:
            rows.append((found, pending[0]))
        else:
            other.extend(pending)
        pending = []
    return rows, [*other, *pending]


def _unfolded(parts: list[Line]) -> str:
    """Join a row's lines: where a terminal's line was full, it may have cut a number."""
    joined = ""
    for part in parts:
        joined += part.stripped
        joined += "" if len(part.text) in FULL_LINES else " "
    return joined.strip()


def _count(section: Section, line: Line, gathered: Gathered) -> bool:
    """Take a number alone as the COUNT of constraints."""
    count = number_of(line.stripped)
    if count is None:
        return False
    gathered.counts["MAU" if section.name in UNIT_SECTIONS else section.name] = count
    return True


def _add_cpuset(name: str, found: re.Match[str], gathered: Gathered) -> bool:
    cpuset = cpuset_of(found[3])
    if cpuset is None:
        return False
    number = number_of(found[1] or "")
    if name == "CORE":
        core = LdmCore(number, cpuset, percent_of(found[2] or ""), bound_of(found[4]) or None)
        gathered.cores.append(core)
    else:
        gathered.units.append(LdmUnit(cpuset, number, bound_of(found[4]), name))
    return True


_Read = Callable[[dict[str, str], Gathered], bool]


def _read_rows(section: Section, gathered: Gathered, read: _Read) -> list[Line]:
    """Read rows under their header and return those that did not fit."""
    columns: tuple[str, ...] = ()
    starts: list[tuple[int, str]] = []
    odd = []
    for line in section.lines:
        words = line.stripped.split()
        if _is_header(line.stripped):
            columns = tuple(words)
            starts = columns_of(line.text)
        elif len(words) > 8 or not read(_row_cells(columns, starts, line), gathered):
            odd.append(line)
    return odd


def _row_cells(
    columns: tuple[str, ...], starts: list[tuple[int, str]], line: Line
) -> dict[str, str]:
    """Return a row's words by column: by where they stand, if a share's column may be empty."""
    words = line.stripped.split()
    shares = [word for word in words if word.endswith("%")]
    if len(words) >= len(columns) or len(shares) != 1 or "STRAND" not in columns:
        return _cells(columns, words)
    placed = dict(by_position(starts, line.text))
    return placed if len(placed) == len(words) else {}


def _cells(columns: tuple[str, ...], words: list[str]) -> dict[str, str]:
    if not columns:
        columns = _SHAPES.get(len(words), ()) if len(words) != 1 else ("COUNT",)
    return dict(zip(columns, words, strict=False)) if len(words) <= len(columns) else {}


def _vcpu(cells: dict[str, str], gathered: Gathered) -> bool:
    if (count := number_of(cells.get("COUNT", ""))) is not None:
        gathered.counts["VCPU"] = count
        return True
    numbers = {name: number_of(cells.get(name, "")) for name in ("PID", "VID", "CID")}
    if any(numbers[name] is None and name in cells for name in numbers):
        return False
    if numbers["PID"] is None and numbers["VID"] is None:
        return False
    gathered.vcpus.append(
        LdmVcpu(
            pid=numbers["PID"],
            vid=numbers["VID"],
            core=numbers["CID"],
            util=percent_of(cells.get("UTIL", "")),
            norm=percent_of(cells.get("NORM", "")),
            strand_percent=percent_of(cells.get("STRAND", "")),
            free_percent=percent_of(cells.get("%FREE", "")),
            power_managed=cells.get("PM", "").lower(),
        )
    )
    return True


def _memory(cells: dict[str, str], gathered: Gathered) -> bool:
    """Read `RA PA SIZE`, `PA SIZE BOUND`, or the SIZE of constraints; no BOUND means free."""
    values = list(cells.values())
    addresses = [value for value in values if value.startswith("0x")]
    rest = values[len(addresses) :]
    size = size_of(rest[0]) if rest else None
    if not addresses and len(values) == 1:
        gathered.memory_size = size_of(values[0])
        return gathered.memory_size is not None
    if size is None or not addresses:
        return False
    ra = addresses[0] if len(addresses) > 1 else ""
    bound = bound_of(rest[1] if rest[1:] else "") if len(addresses) == 1 else None
    gathered.memory.append(LdmMemory(size, ra, addresses[-1], bound))
    return True


def _variables(section: Section) -> list[tuple[tuple[str, str], ...]]:
    """Read `name=value`; a line with another indentation goes on with the value above it."""
    first = section.lines[0].text if section.lines else ""
    margin = len(first) - len(first.lstrip())
    found: list[tuple[str, list[str]]] = []
    for line in section.lines:
        key, is_pair, value = line.stripped.partition("=")
        own_margin = len(line.text) - len(line.text.lstrip())
        begins = is_pair and own_margin == margin and " " not in key
        if begins or not found:
            found.append((key, [value]))
        else:
            found[-1][1].append(line.stripped)
    return [((key, "\n".join(values)),) for key, values in found]


def _kept_rows(section: Section) -> list[tuple[tuple[str, str], ...]]:
    """Keep rows under their header's words, by where they stand."""
    columns: list[tuple[int, str]] = []
    rows = []
    for line in section.lines:
        if _is_header(line.stripped):
            columns = columns_of(line.text)
        elif columns:
            rows.append(by_position(columns, line.text))
        else:
            key, is_pair, value = line.stripped.partition("=")
            rows.append(((key, value) if is_pair else ("", line.stripped),))
    return rows


def columns_of(header: str) -> list[tuple[int, str]]:
    """Return where each word of a header starts, and the word."""
    return [(word.start(), word[0]) for word in re.finditer(r"\S+", header.expandtabs())]


def by_position(columns: list[tuple[int, str]], text: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a row under the columns (start and name) above them."""
    cells: dict[str, list[str]] = {}
    place = 0
    for word in re.finditer(r"\S+", text.expandtabs()):
        while place + 1 < len(columns) and columns[place + 1][0] <= word.start():
            place += 1
        cells.setdefault(columns[place][1], []).append(word[0])
    return tuple((name, " ".join(words)) for name, words in cells.items())
