"""Records of ldm's parseable output (`-p`), put together again where a terminal folded them.

`NAME|key=value|…` is a record; `|key=value|…` is a row of the record above it. A value may hold
blanks, `=` and, in nvramrc, line breaks: what is neither goes on with the line above it.
"""

import re
from dataclasses import dataclass, field

from agents.parsers.solaris.ldm_facts import Version
from agents.parsers.solaris.text import Line, UnreadLine, lines_of

KNOWN = frozenset(
    (
        "DOMAIN", "UUID", "MAC", "HOSTID", "CONTROL", "DEPENDENCY", "CORE", "VCPU", "MAU",
        "CRYPTO", "MEMORY", "VARIABLES", "VARS", "IO", "VDS", "VCC", "VSW", "VLDC", "VLDCC",
        "VCONS", "CONSOLE", "NETWORK", "VNET", "DISK", "VDISK", "VDPCS", "VDPCC", "SP", "VSAN",
        "VHBA", "CPU", "RESMGMT", "STATUS", "SERIAL", "PHYSIO", "NIU", "PCIDEV", "MGMT",
    )
)  # fmt: skip
"""Sections that some version of ldm is known to print; others are taken as they come."""

_SENTENCE = re.compile(r"(?:Notice|Warning|Error): |Initiating |Failed to |Unable to |Delayed ")
_VERSION = re.compile(r"VERSION (\d{1,4})\.(\d{1,4})")
_NAMED = re.compile(r"([A-Z][A-Z0-9_-]{0,30})(\|.*)?", re.DOTALL)
_FIRST_KEYS = {
    "VCPU": ("vid", "pid", "count"),
    "CORE": ("cid", "id", "count"),
    "MAU": ("id", "cpuset", "count"),
    "CRYPTO": ("id", "cpuset", "count"),
    "MEMORY": ("ra", "pa", "size"),
}
_FOLDED = frozenset((*range(78, 81), *range(130, 133)))
"""Lengths of a line that a terminal of 80 or 132 columns folded (trailing blanks are gone)."""

Fields = dict[str, str]


@dataclass(slots=True)
class Row:
    """A row of a record. `line_no` is where it began."""

    fields: Fields
    line: Line


@dataclass(slots=True)
class Record:
    """A section or a domain: its own fields, and its rows."""

    name: str
    fields: Fields
    line: Line
    rows: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class Records:
    """All records of one output, and the lines that belong to none."""

    version: Version | None = None
    records: list[Record] = field(default_factory=list)
    unread: list[UnreadLine] = field(default_factory=list)


def is_parseable(text: str) -> bool:
    """Tell whether an output is of the `-p` form."""
    return any(
        line.text.lstrip().startswith(("VERSION ", "|", "DOMAIN|"))
        for line in lines_of(text)
        if line.text
    )


def records_of(text: str) -> Records:
    """Read the records of a `-p` output; lines before the first are `unread`."""
    found = Records()
    for line in _joined(lines_of(text), found):
        plain = line.text
        if plain.startswith("|"):
            _add_row(found, line)
        elif named := _NAMED.fullmatch(plain):
            record = Record(named[1], _fields(named[2] or ""), line)
            found.records.append(record)
    return found


def _joined(lines: list[Line], found: Records) -> list[Line]:
    """Return logical lines: each begins a record or a row, and holds what was folded off it."""
    logical: list[tuple[Line, list[str]]] = []
    section, previous = "", ""
    is_said = False
    for line in lines:
        plain = _unindented(line.text)
        if not plain or set(plain) == {"-"}:
            continue
        if version := _VERSION.fullmatch(plain):
            found.version = (int(version[1]), int(version[2]))
        elif plain.startswith("|") or _begins_record(plain, section, previous):
            logical.append((line, [plain]))
            is_said = False
            section = section if plain.startswith("|") else plain.partition("|")[0]
        elif not logical or _is_sentence(plain, section, previous, is_said):
            found.unread.append(line.unread())
            is_said = True
        else:
            pieces = logical[-1][1]
            pieces.append(_seam(section, previous) + (line.text if section in _FREE else plain))
        previous = plain
    return [Line(line.number, "".join(pieces)) for line, pieces in logical]


_FREE = ("VARIABLES", "VARS")
"""Sections whose values may hold line breaks of their own."""


def _unindented(text: str) -> str:
    plain = text.strip()
    begins = plain.startswith(("|", "VERSION ")) or plain.partition("|")[0] in KNOWN
    return plain if begins or not text[:1].isspace() else text


def _begins_record(plain: str, section: str, previous: str) -> bool:
    named = _NAMED.fullmatch(plain)
    if not named:
        return False
    if named[1] in KNOWN:
        return True
    is_folded = len(previous) in _FOLDED or previous.endswith(("=", ","))
    return section not in _FREE and not is_folded


def _is_sentence(plain: str, section: str, previous: str, is_said: bool) -> bool:
    """Tell whether a line is a message of ldm among the records, or the rest of one."""
    if section in _FREE:
        return plain.startswith("Notice: ")
    if is_said or _SENTENCE.match(plain):
        return True
    is_folded = len(previous) in _FOLDED or previous.endswith(("|", "=", ","))
    return not is_folded and " " in plain and "=" not in plain and "|" not in plain


def _seam(section: str, previous: str) -> str:
    return "\n" if section in _FREE and len(previous) not in _FOLDED else ""


def _add_row(found: Records, line: Line) -> None:
    fields = _fields(line.text)
    if not found.records:
        found.records.append(Record(_section_of(fields), {}, line))
    record = found.records[-1]
    firsts = _FIRST_KEYS.get(record.name, ())
    is_rest = bool(firsts) and not any(key in fields for key in firsts)
    if record.name == "DOMAIN":
        record.fields |= fields
    elif is_rest and record.rows and not fields.keys() & record.rows[-1].fields.keys():
        record.rows[-1].fields |= fields
    elif fields:
        record.rows.append(Row(fields, line))


def _section_of(fields: Fields) -> str:
    """Name the section of rows whose heading is not in the capture."""
    if "cid" in fields and "cpuset" in fields:
        return "CORE"
    if "vid" in fields or "pid" in fields:
        return "VCPU"
    if "cpuset" in fields:
        return "MAU"
    return "MEMORY" if "pa" in fields or "ra" in fields else ""


def _fields(text: str) -> Fields:
    """Split `|k=v|k=v`; a piece without `=` belongs to the value before it."""
    fields: Fields = {}
    last = ""
    for piece in text.split("|"):
        key, is_pair, value = piece.partition("=")
        if is_pair and key.strip() and "\n" not in key:
            last = key.strip()
            fields[last] = value
        elif piece.strip() and last:
            fields[last] += "|" + piece
        elif piece.strip():
            fields[piece.strip()] = ""
    return fields
