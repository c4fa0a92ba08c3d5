"""`psrinfo`, `isainfo` and `uname`: what the processors are and what they can do."""

import re
from dataclasses import dataclass, field

from agents.parsers.solaris.ldm_facts import cpuset_of
from agents.parsers.solaris.text import Line, UnreadLine, lines_of, number_of, require_found

_SOCKET = re.compile(
    r"The physical processor has (?:(\d{1,9}) cores? and )?(\d{1,9}) virtual processors? "
    r"\(([\d, -]{1,4000})\)"
)
_CORE = re.compile(r"The core has (\d{1,9}) virtual processors? \(([\d, -]{1,4000})\)")
_MODEL = re.compile(r"(\S.{0,120}?) \((.{0,120}?)clock (\d{1,9}) MHz\)")
_CHIP = re.compile(r"chipid (\w{1,20})")
_PROCESSOR = re.compile(r"(\d{1,9})\s+([a-z][a-z-]{1,20})(?:\s+since\s+(.{1,60}))?")
_STATUS = re.compile(r"Status of (?:virtual )?processor (\d{1,9}) as of:.*")
_STATE = re.compile(r"([a-z][a-z-]{1,20})\s+since\s+(.{1,60})\.?")
_OPERATES = re.compile(r"The (\S{1,40}) processor operates at (\d{1,9}) MHz,?")
_AND_HAS = re.compile(r"and has (?:an?|no) .{1,80}")
_ISA = re.compile(r"(\d{2,3})-bit (\S{1,40}) (?:applications|kernel modules)")
_ISA_ROW = re.compile(r"(\w{1,40}):\s*(.*)")
_NAMES = re.compile(r"sparc\w{0,20}|amd64|i386|i86")
_WORDS = re.compile(r"[\w.+-]{1,40}(?:\s+[\w.+-]{1,40})*")
_KEY_VALUE = re.compile(r"(\w[\w#]{0,30}) ?= ?(.*)")


@dataclass(frozen=True, slots=True)
class Socket:
    """A physical processor: its strands, their cores where printed, model and clock."""

    strands: tuple[int, ...]
    core_count: int | None = None
    cores: tuple[tuple[int, ...], ...] = ()
    model: str = ""
    chip: str = ""
    clock_mhz: int | None = None


@dataclass(frozen=True, slots=True)
class Processor:
    """A virtual processor (strand) and its state, as `on-line`."""

    number: int
    state: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class Processors:
    """Any form of `psrinfo`. `socket_count` is the number that `-p` alone prints."""

    sockets: tuple[Socket, ...] = ()
    processors: tuple[Processor, ...] = ()
    socket_count: int | None = None
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class InstructionSet:
    """An instruction set and its capability words; crypto instructions are among them."""

    name: str
    bits: int | None
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InstructionSets:
    """`isainfo -v` or `-x`, the native set first; without options, names alone."""

    sets: tuple[InstructionSet, ...]
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Uname:
    """`uname -a` or `-X`. `extra` holds what only `-X` prints."""

    system: str = ""
    node: str = ""
    release: str = ""
    version: str = ""
    machine: str = ""
    processor: str = ""
    platform: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    unread: tuple[UnreadLine, ...] = ()


@dataclass(slots=True)
class _Psrinfo:
    sockets: list[dict[str, object]] = field(default_factory=list)
    cores: list[list[tuple[int, ...]]] = field(default_factory=list)
    processors: list[Processor] = field(default_factory=list)
    socket_count: int | None = None
    status_of: int | None = None
    unread: list[UnreadLine] = field(default_factory=list)


def parse_psrinfo(text: str) -> Processors:
    """Read `psrinfo`, `-v`, `-p` or `-pv`. Raise UnexpectedOutput."""
    lines = lines_of(text)
    reading = _Psrinfo()
    for line in _sentences([line for line in lines if line.text]):
        if not _psrinfo_line(reading, line):
            reading.unread.append(line.unread())
    found = reading.sockets or reading.processors or reading.socket_count is not None
    require_found(found, lines)
    sockets = tuple(
        Socket(cores=tuple(cores), **socket)  # type: ignore[arg-type]
        for socket, cores in zip(reading.sockets, reading.cores, strict=True)
    )
    return Processors(
        sockets, tuple(reading.processors), reading.socket_count, tuple(reading.unread)
    )


def _sentences(lines: list[Line]) -> list[Line]:
    """Join what a narrow terminal folded: a sentence goes on until its parenthesis is closed."""
    joined: list[tuple[Line, list[str]]] = []
    for line in lines:
        last = joined[-1][1] if joined else []
        is_open = bool(last) and last[0].startswith(("The physical", "The core"))
        if is_open and not last[-1].endswith(")") and len(last) < 64:
            last.append(line.stripped)
        else:
            joined.append((line, [line.stripped]))
    return [Line(line.number, " ".join(pieces)) for line, pieces in joined]


def _psrinfo_line(reading: _Psrinfo, line: Line) -> bool:
    plain = line.text[:5000]
    if found := _SOCKET.fullmatch(plain):
        core_count = int(found[1]) if found[1] else None
        reading.sockets.append({"strands": cpuset_of(found[3]) or (), "core_count": core_count})
        reading.cores.append([])
    elif found := _CORE.fullmatch(plain):
        if not reading.cores:
            return False
        reading.cores[-1].append(cpuset_of(found[2]) or ())
    elif reading.sockets and (found := _MODEL.fullmatch(plain)):
        chip = _CHIP.search(found[2])
        reading.sockets[-1] |= {
            "model": found[1],
            "chip": chip[1] if chip else "",
            "clock_mhz": int(found[3]),
        }
    else:
        return _processor_line(reading, plain)
    return True


def _processor_line(reading: _Psrinfo, plain: str) -> bool:
    if found := _PROCESSOR.fullmatch(plain):
        reading.processors.append(Processor(int(found[1]), found[2], found[3] or ""))
    elif found := _STATUS.fullmatch(plain):
        reading.status_of = int(found[1])
    elif reading.status_of is not None and (found := _STATE.fullmatch(plain)):
        reading.processors.append(Processor(reading.status_of, found[1], found[2].rstrip(".")))
    elif (count := number_of(plain)) is not None and not reading.sockets:
        reading.socket_count = count
    else:
        return bool(_OPERATES.fullmatch(plain) or _AND_HAS.fullmatch(plain))
    return True


def parse_isainfo(text: str) -> InstructionSets:
    """Read `isainfo -v`, `-x`, or the names of `isainfo`. Raise UnexpectedOutput."""
    lines = lines_of(text)
    sets: list[tuple[str, int | None, list[str]]] = []
    unread = []
    for line in (line for line in lines if line.text):
        plain = line.stripped
        if found := _ISA.fullmatch(plain[:200]):
            sets.append((found[2], int(found[1]), []))
        elif found := _ISA_ROW.fullmatch(plain):
            sets.append((found[1], None, found[2].split()))
        elif len(plain) < 2000 and _WORDS.fullmatch(plain):
            if sets and (line.is_indented or sets[-1][1] is not None or sets[-1][2]):
                sets[-1][2].extend(plain.split())
            elif all(_NAMES.fullmatch(word) for word in plain.split()):
                sets.extend((word, None, []) for word in plain.split())
            else:
                unread.append(line.unread())
        else:
            unread.append(line.unread())
    require_found(sets, lines)
    found_sets = tuple(InstructionSet(name, bits, tuple(words)) for name, bits, words in sets)
    return InstructionSets(found_sets, tuple(unread))


def parse_uname(text: str) -> Uname:
    """Read `uname -a` or `uname -X`. Raise UnexpectedOutput."""
    lines = lines_of(text)
    said = [line for line in lines if line.text]
    pairs = dict[str, str]()
    unread = []
    for line in said:
        if found := _KEY_VALUE.fullmatch(line.stripped[:400]):
            pairs[found[1]] = found[2].strip()
        elif line.stripped.startswith("SunOS ") and "Release" not in pairs:
            pairs |= _uname_words(line.stripped.split(maxsplit=7))
        else:
            unread.append(line.unread())
    require_found(pairs.get("System") == "SunOS", lines)
    return Uname(
        system=pairs.pop("System"),
        node=pairs.pop("Node", ""),
        release=pairs.pop("Release", ""),
        version=pairs.pop("KernelID", ""),
        machine=pairs.pop("Machine", ""),
        processor=pairs.pop("Processor", ""),
        platform=pairs.pop("Platform", ""),
        extra=tuple(pairs.items()),
        unread=tuple(unread),
    )


def _uname_words(words: list[str]) -> dict[str, str]:
    names = ("System", "Node", "Release", "KernelID", "Machine", "Processor", "Platform", "More")
    return dict(zip(names, words, strict=False))
