"""The rows of ldm's parseable output (`-p`) that planning needs: domains, strands, units, cores.

Planning reads this one form and refuses what does not fit, where an inventory may guess: the first
line is `VERSION x.y`; rows `|k=v|k=v` belong to the section and the domain above them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from agents.drivers.solaris.kinds.ldm_state import Domain, Version
from agents.parsers.base import UnexpectedOutput

UNIT_SECTIONS = ("MAU", "CRYPTO")
_VERSION_LINE = re.compile(r"VERSION (\d+)\.(\d+)")
_VERSION_WORDS = re.compile(r"Logical Domains? Manager \(v (\d+)\.(\d+)")
_SECTION = re.compile(r"([A-Z][A-Z0-9_]*)(\|.*)?")
_SPCONFIG = re.compile(r"(\S+)((?: +\[[^\]]+\])*) *")
_LONGEST_NUMBER = 9


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its section (or record) name, its fields, and where it stood."""

    section: str
    fields: Mapping[str, str]
    line_no: int
    line: str

    def unexpected(self) -> UnexpectedOutput:
        """Return the error that names this row."""
        return UnexpectedOutput(self.line_no, self.line)


@dataclass(slots=True)
class Bindings:
    """`ldm list-bindings -p`: the domains, and which domain holds the unit of which cpuset."""

    protocol: Version = (0, 0)
    domains: dict[str, Domain] = field(default_factory=dict)
    owners: dict[tuple[int, ...], str] = field(default_factory=dict)


@dataclass(slots=True)
class Devices:
    """`ldm list-devices -a -p`: all strands, all units' cpusets, and cores by their strands."""

    strands: set[int] = field(default_factory=set)
    units: list[tuple[int, ...]] = field(default_factory=list)
    cores: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spconfigs:
    """`ldm list-spconfig`. `next_poweron` is `current` where nothing else is marked."""

    names: tuple[str, ...]
    current: str
    next_poweron: str


def parse_bindings(text: str) -> Bindings:
    """Parse `ldm list-bindings -p`. Raises UnexpectedOutput."""
    found = Bindings()
    name, held = "", dict[str, set[int]]()
    for row in _rows(text, lambda version: setattr(found, "protocol", version)):
        if row.section == "DOMAIN":
            domain = _domain(row)
            name = domain.name
            found.domains[name] = domain
            held[name] = set()
        elif row.section == "VCPU" and name and "pid" in row.fields:
            held[name].add(_number(row, "pid"))
        elif row.section in UNIT_SECTIONS and name and "cpuset" in row.fields:
            found.owners[_cpuset(row)] = name
    for domain_name, strands in held.items():
        domain = found.domains[domain_name]
        found.domains[domain_name] = replace(domain, strands=frozenset(strands))
    return found


def parse_devices(text: str) -> Devices:
    """Parse `ldm list-devices -a -p`. Raises UnexpectedOutput."""
    found = Devices()
    for row in _rows(text, lambda version: None):
        if row.section == "VCPU" and "pid" in row.fields:
            found.strands.add(_number(row, "pid"))
        elif row.section in UNIT_SECTIONS and "cpuset" in row.fields:
            found.units.append(_cpuset(row))
        elif row.section == "CORE" and "cpuset" in row.fields:
            core = _number(row, "cid" if "cid" in row.fields else "id")
            found.cores |= dict.fromkeys(_cpuset(row), core)
    return found


def parse_version(text: str) -> Version:
    """Parse `ldm -V`: the manager's version. Raises UnexpectedOutput."""
    found = _VERSION_WORDS.search(text[:4000])
    if not found:
        raise UnexpectedOutput(1, text.partition("\n")[0])
    return int(found[1][:_LONGEST_NUMBER]), int(found[2][:_LONGEST_NUMBER])


def parse_spconfigs(text: str) -> Spconfigs:
    """Parse `ldm list-spconfig`: a name a line, with marks like `[current]`. Raises it too."""
    names, current, following = [], "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _SPCONFIG.fullmatch(line)
        if not found:
            raise UnexpectedOutput(number, line)
        names.append(found[1])
        current = found[1] if "[current" in found[2] else current
        following = found[1] if "[next" in found[2] else following
    return Spconfigs(tuple(names), current, following or current)


def _rows(text: str, on_version: Callable[[Version], None]) -> Iterator[Row]:
    section, is_open = "", False
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        if not is_open:
            version = _VERSION_LINE.fullmatch(line.strip())
            if not version:
                raise UnexpectedOutput(number, line)
            on_version((int(version[1][:_LONGEST_NUMBER]), int(version[2][:_LONGEST_NUMBER])))
            is_open = True
        elif line.startswith("|"):
            yield Row(section, _fields(line), number, line)
        elif found := _SECTION.fullmatch(line):
            section = found[1]
            if found[2]:
                yield Row(section, _fields(found[2]), number, line)
        # Anything else goes on with the value above it (nvramrc holds line breaks).
    if not is_open:
        raise UnexpectedOutput(1, "")


def _fields(text: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in text.split("|") if word)
    return {key: value for key, _, value in pairs}


def _domain(row: Row) -> Domain:
    name, state, flags = (row.fields.get(key, "") for key in ("name", "state", "flags"))
    if not name or not state:
        raise row.unexpected()
    words = flags.split(",")
    is_letters = len(words) == 1 and "-" in flags and " " not in flags and len(flags) <= 6
    letters = flags.ljust(6, "-") if is_letters else "------"
    return Domain(
        name=name,
        state=state,
        vcpu=_number(row, "ncpu") if row.fields.get("ncpu") else 0,
        is_control=letters[3] == "c" or "control" in words,
        is_service=letters[4] == "v" or "vio-service" in words,
        is_pending=letters[2] == "d" or any("delay" in word for word in words),
    )


def _number(row: Row, key: str) -> int:
    text = row.fields.get(key, "")
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
        raise row.unexpected()
    return int(text)


def _cpuset(row: Row) -> tuple[int, ...]:
    words = row.fields["cpuset"].strip("() ").split(",")
    if not all(w.strip().isascii() and w.strip().isdigit() and len(w) < 10 for w in words):
        raise row.unexpected()
    return tuple(sorted(int(word) for word in words))
