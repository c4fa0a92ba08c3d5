"""Facts of ldm's output for people: a row a domain, sections in capitals, tables below them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from agents.parsers.solaris.ldm_facts import (
    LdmDevices,
    LdmDomain,
    LdmListing,
    flags_of,
    percent_of,
    size_of,
    uptime_of,
)
from agents.parsers.solaris.ldm_parseable import (
    Gathered,
    close_domain,
    device_facts,
    in_order,
)
from agents.parsers.solaris.ldm_records import KNOWN
from agents.parsers.solaris.ldm_sections import Section, by_position, columns_of, read_section
from agents.parsers.solaris.text import Line, UnreadLine, is_rule, lines_of, number_of

_HEADERS = frozenset(("NAME", "STATE", "FLAGS", "COUNT", "SIZE", "CPUSET", "ID", "PID", "VID"))
"""Words that are a table's header where they stand alone, and no section."""
_SECTIONS = KNOWN | {"SOFTSTATE"}
_WORD = re.compile(r"[A-Z][A-Z0-9_-]{1,30}")
_DOMAIN_ROW = re.compile(r"(\S{1,256})\s+([a-z]{4,20})\s+([-sntdrcve]{5,6})(?=\s|$)(.{0,400})")
_FULL_LINE = 79
_USUAL = ("NAME", "STATE", "FLAGS", "CONS", "VCPU", "MEMORY", "UTIL", "NORM", "UPTIME")


@dataclass(slots=True)
class _Reading:
    """Where the reading of one output stands."""

    domains: list[LdmDomain] = field(default_factory=list)
    gathered: Gathered = field(default_factory=Gathered)
    unread: list[UnreadLine] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    starts: list[tuple[int, str]] = field(default_factory=list)
    """Where the columns start, if their order is another than ldm's."""
    section: Section | None = None
    open_row: list[Line] = field(default_factory=list)
    """A domain's row, which a narrow terminal may have folded."""
    wants_name: bool = False


def listing_of(text: str) -> LdmListing:
    """Read domains of `list`, `list-bindings` or `list-constraints`."""
    reading = _read(text)
    close_domain(reading.domains, reading.gathered)
    return LdmListing(tuple(reading.domains), unread=in_order(reading.unread))


def devices_of(text: str) -> LdmDevices:
    """Read `list-devices`."""
    reading = _read(text)
    return device_facts(reading.gathered, reading.unread)


def _read(text: str) -> _Reading:
    reading = _Reading()
    for line in lines_of(text):
        if line.text and not is_rule(line.text):
            next(step for step in _STEPS if step(reading, line))
        elif reading.section and reading.section.name == "SOFTSTATE" and reading.section.lines:
            _end_section(reading)
    _end_row(reading)
    _end_section(reading)
    return reading


def _domain_header(reading: _Reading, line: Line) -> bool:
    """Take `NAME STATE FLAGS …`, or NAME (DOMAIN, of constraints) alone above a name."""
    words = line.text.upper().split() if line.text.startswith("Name ") else line.text.split()
    is_table = {"NAME", "STATE"} <= set(words)
    is_alone = words in (["NAME"], ["DOMAIN"]) and not line.is_indented
    if not (is_table or is_alone):
        return False
    _end_row(reading)
    _end_section(reading)
    reading.columns = tuple(words)
    is_usual = reading.columns[:4] in (_USUAL[:3], _USUAL[:4], (*_USUAL[:3], "UTIL")) or is_alone
    reading.starts = [] if is_usual else columns_of(line.text.upper())
    reading.wants_name = is_alone
    return True


def _in_usual_order(reading: _Reading, line: Line) -> Line:
    if not reading.starts or reading.section:
        return line
    cells = dict(by_position(reading.starts, line.text[:800]))
    return Line(line.number, " ".join(cells[name] for name in _USUAL if name in cells))


def _domain_row(reading: _Reading, line: Line) -> bool:
    line = _in_usual_order(reading, line)
    is_row = _DOMAIN_ROW.fullmatch(line.stripped[:800]) is not None
    if is_row and not (reading.section and line.is_indented):
        _end_row(reading)
        _end_section(reading)
        reading.open_row = [line]
        reading.wants_name = False
    elif reading.wants_name and not _is_section(reading, line):
        _begin_domain(reading, LdmDomain(name=line.stripped, line_no=line.number))
        reading.wants_name = False
    else:
        return False
    return True


def _section_heading(reading: _Reading, line: Line) -> bool:
    if not _is_section(reading, line):
        return False
    _end_row(reading)
    _end_section(reading)
    reading.wants_name = False
    reading.section = Section(line.stripped)
    return True


def _row(reading: _Reading, line: Line) -> bool:
    if reading.section:
        reading.section.lines.append(line)
    elif reading.open_row:
        reading.open_row.append(line)
    else:
        reading.unread.append(line.unread())
    return True


_STEPS: tuple[Callable[[_Reading, Line], bool], ...] = (
    _domain_header,
    _domain_row,
    _section_heading,
    _row,
)


def _is_section(reading: _Reading, line: Line) -> bool:
    word = line.stripped
    if not _WORD.fullmatch(word) or word in _HEADERS:
        return False
    if word in _SECTIONS:
        return not (line.is_indented and reading.section)
    return not line.is_indented


def _end_section(reading: _Reading) -> None:
    section, reading.section = reading.section, None
    if section is None:
        return
    if section.name == "SOFTSTATE":
        words = " ".join(line.stripped for line in section.lines)
        if reading.domains:
            reading.domains[-1] = replace(reading.domains[-1], softstate=words)
    else:
        read_section(section, reading.gathered, reading.unread)


def _end_row(reading: _Reading) -> None:
    """Read the row of a domain that is complete now; a line that is no part of it is unread."""
    lines, reading.open_row = reading.open_row, []
    if not lines:
        return
    text = lines[0].stripped
    for line in lines[1:]:
        joined = text + ("" if len(text) >= _FULL_LINE else " ") + line.stripped
        if _domain(joined, reading.columns, lines[0].number) is None:
            reading.unread.append(line.unread())
        else:
            text = joined
    domain = _domain(text, reading.columns, lines[0].number)
    if domain is None:
        reading.unread.append(lines[0].unread())
    else:
        _begin_domain(reading, domain)


def _begin_domain(reading: _Reading, domain: LdmDomain) -> None:
    close_domain(reading.domains, reading.gathered)
    reading.gathered = Gathered()
    reading.domains.append(domain)


def _domain(text: str, columns: tuple[str, ...], line_no: int) -> LdmDomain | None:
    """Read `primary active -n-cv- SP 8 4G 0.1% 2h 16m`: any of the last words may be missing."""
    found = _DOMAIN_ROW.fullmatch(text)
    if not found:
        return None
    domain = LdmDomain(found[1], found[2], flags_of(found[3]), line_no=line_no)
    words = found[4].split()
    domain, words = _counts(domain, words, columns)
    shares = _leading(words, lambda word: word.endswith("%") or set(word) == {"-"})
    words = words[len(shares) :]
    util, norm = [*map(percent_of, shares), None, None][:2]
    uptime = None if words and _is_count(words[-1]) else uptime_of(" ".join(words))
    if words and uptime is None:
        return None
    return replace(domain, util=util, norm_util=norm, uptime_seconds=uptime)


def _counts(
    domain: LdmDomain, words: list[str], columns: tuple[str, ...]
) -> tuple[LdmDomain, list[str]]:
    """Read CONS, VCPU and MEMORY; CONS is empty where the domain is not bound."""
    if not words or (columns and "VCPU" not in columns and "CONS" not in columns):
        return domain, words
    is_alone = len(words) == 1 and domain.state != "inactive"
    is_unbound = _is_count(words[0]) and not _is_count("".join(words[1:2])) and not is_alone
    where = 0 if is_unbound else 1
    console = words[0] if where else ""
    counts = words[where:]
    vcpus = number_of(counts[0]) if counts else None
    memory = size_of(counts[1]) if vcpus is not None and counts[1:] else None
    taken = where + (vcpus is not None) + (memory is not None)
    return replace(domain, console=console, vcpu_count=vcpus, memory_bytes=memory), words[taken:]


def _is_count(word: str) -> bool:
    return number_of(word) is not None


def _leading(words: list[str], fits: Callable[[str], bool]) -> list[str]:
    return words[: next((i for i, word in enumerate(words) if not fits(word)), len(words))]
