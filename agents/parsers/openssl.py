"""What `openssl speed -mr`, `version`, `info` and `list` print, as dataclasses.

Formats: apps/speed.c, apps/list.c and crypto/info.c of OpenSSL 1.1.1 to 3.5. No program runs here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from agents.parsers.base import UnexpectedOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedThroughput:
    """A `+F` line: bytes per second for each block size, in the order in which they were measured.

    A figure may be `inf` where the program timed itself for less than its clock's tick.
    """

    name: str
    bytes_per_second: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRate:
    """An `+F2` (rsa), `+F3` (dsa), `+F4` (ecdsa) or `+F6` (eddsa) line: operations per second."""

    kind: str
    bits: int
    sign_per_second: float
    verify_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedTiming:
    """One timed loop, from stderr: `+DT…` announces it, `+R…` says what came of it.

    `count` is the sum over all processes, `seconds` their mean on the program's own clock, which
    ticks in hundredths. `operation` is `sign`, `verify` …, or empty for a cipher or digest.
    """

    operation: str
    count: int
    seconds: float
    processes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedOutput:
    """One run of `openssl speed -mr`."""

    throughputs: list[SpeedThroughput] = field(default_factory=list)
    rates: list[SpeedRate] = field(default_factory=list)
    timings: list[SpeedTiming] = field(default_factory=list)
    children: int = 0
    """How many `Forked child` lines there are; 0 without -multi."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpensslVersion:
    """`openssl version -a`. `library` is what the program is linked with at run time."""

    product: str
    version: str
    library: str
    built_on: str = ""
    platform: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuSettings:
    """`openssl info -cpusettings`: the capability words that the library really uses.

    `groups` maps a group's name to its 64-bit words: `""` on x86 and Arm, `stfle`, `km` … on s390x.
    """

    text: str
    variable: str
    groups: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmList:
    """`openssl list -…-algorithms` in lower case: what can be used, and what is only known."""

    provided: frozenset[str]
    legacy: frozenset[str]


_RATE_KINDS = {"+F2": "rsa", "+F3": "dsa", "+F4": "ecdsa", "+F6": "eddsa"}
_FORKED = re.compile(r"^Forked child \d+$")


def parse_speed(stdout: str, stderr: str = "") -> SpeedOutput:
    """Parse the results on stdout and the running lines on stderr of `openssl speed -mr`.

    With -multi the children's own figures stand in `Got:` lines, which are skipped: only lines that
    start with `+` are totals. Unknown `+F` kinds (KEM, new signatures) are skipped too, because
    they carry no name and their numbers move between versions. Raises UnexpectedOutput for a known
    line that does not fit and for output without any figure.
    """
    throughputs: list[SpeedThroughput] = []
    rates: list[SpeedRate] = []
    children = 0
    lines = stdout.splitlines()
    for number, line in enumerate(lines, start=1):
        kind, _, rest = line.partition(":")
        if kind == "+F":
            throughputs.append(_throughput(number, line, rest.split(":")))
        elif kind in _RATE_KINDS:
            rates.append(_rate(number, line, _RATE_KINDS[kind], rest.split(":")))
        elif _FORKED.match(line):
            children += 1
    if not throughputs and not rates:
        raise UnexpectedOutput(len(lines), lines[-1] if lines else "")
    return SpeedOutput(
        throughputs=throughputs,
        rates=rates,
        timings=_timings(stderr.splitlines(), has_children=children > 0),
        children=children,
    )


def _throughput(number: int, line: str, fields: list[str]) -> SpeedThroughput:
    """Fields: index, name, one figure per block size."""
    if len(fields) < 3:
        raise UnexpectedOutput(number, line)
    figures = tuple(_figure(number, line, text) for text in fields[2:])
    return SpeedThroughput(name=fields[1], bytes_per_second=figures)


def _rate(number: int, line: str, kind: str, fields: list[str]) -> SpeedRate:
    """Fields: index, bits, (eddsa: name,) sign/s, verify/s (3.5 adds RSA encrypt and decrypt)."""
    figures = fields[3:] if kind == "eddsa" else fields[2:]
    if len(figures) < 2 or not fields[1].isascii() or not fields[1].isdigit():
        raise UnexpectedOutput(number, line)
    return SpeedRate(
        kind=kind,
        bits=int(fields[1]),
        sign_per_second=_figure(number, line, figures[0]),
        verify_per_second=_figure(number, line, figures[1]),
    )


def _figure(number: int, line: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UnexpectedOutput(number, line) from None


_OPERATIONS = {
    "private:rsa": "sign",
    "public:rsa": "verify",
    "private:rsa sign": "sign",
    "public:rsa verify": "verify",
    "public:rsa encrypt": "encrypt",
    "private:rsa decrypt": "decrypt",
}
_RESULT = re.compile(r"^(\+R\d*):(\d+):(?:[^:+]*:)+(\d+(?:\.\d+)?)$")


def _timings(lines: Iterable[str], *, has_children: bool) -> list[SpeedTiming]:
    """Pair announcements with results.

    The numbers of `+R…` lines differ between versions, so only their order counts. One process
    announces and answers in turn. Several processes write to one stderr in any order: there the
    order of first appearance pairs them, and a torn line is skipped.
    """
    announced: list[str] = []
    results: dict[object, list[tuple[int, float]]] = {}
    for line in lines:
        if line.startswith(("+DT:", "+DTP:")):
            label = _label(line)
            if not has_children or label not in announced:
                announced.append(label)
        elif match := _RESULT.match(line):
            key = (match[1], _subject(line)) if has_children else len(results)
            results.setdefault(key, []).append((int(match[2]), float(match[3])))
    return [
        SpeedTiming(
            operation=_operation(label),
            count=sum(count for count, _ in found),
            seconds=sum(seconds for _, seconds in found) / len(found),
            processes=len(found),
        )
        for label, found in zip(announced, results.values(), strict=False)
    ]


def _label(line: str) -> str:
    """`+DTP:2048:private:rsa:1` → `2048:private:rsa`; `+DT:SHA256:1:8192` → `SHA256:8192`."""
    fields = line.split(":")
    if fields[0] == "+DT":
        return f"{fields[1]}:{fields[-1]}"
    return ":".join(fields[1:-1])


def _subject(line: str) -> str:
    return ":".join(line.split(":")[2:-1])


def _operation(label: str) -> str:
    _, _, rest = label.partition(":")
    if rest in _OPERATIONS:
        return _OPERATIONS[rest]
    word = rest.partition(":")[0]
    if word.isdigit():
        return ""
    return "sign" if word == "signs" else word


_VERSION = re.compile(r"^(?P<product>\w+) (?P<version>\d[\w.+-]*)(?P<rest>.*)$")
_LIBRARY = re.compile(r"\(Library: \w+ (?P<version>\d[\w.+-]*)")


def parse_version(text: str) -> OpensslVersion:
    """Parse `openssl version -a`. Raises UnexpectedOutput when the first line is no version."""
    lines = text.splitlines()
    match = _VERSION.match(lines[0]) if lines else None
    if match is None:
        raise UnexpectedOutput(1, lines[0] if lines else "")
    library = _LIBRARY.search(match["rest"])
    labelled = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    return OpensslVersion(
        product=match["product"],
        version=match["version"],
        library=library["version"] if library else match["version"],
        built_on=labelled.get("built on", ""),
        platform=labelled.get("platform", ""),
    )


_SETTINGS = re.compile(r"^(?P<variable>OPENSSL_\w+cap)=(?P<value>\S+)(?: env:.*)?$")


def parse_cpusettings(text: str) -> CpuSettings | None:
    """Parse `openssl info -cpusettings` (3.0 and later); None where the library knows no settings.

    x86 prints two words in 3.0 and five in 3.5, Arm one, s390x `stfle:…:kimd:…:…` with names
    between the words. ` env:…` repeats the variable when it is set. Raises UnexpectedOutput for
    words that are none.
    """
    line = text.strip()
    match = _SETTINGS.match(line)
    if match is None:
        return None
    groups: dict[str, list[int]] = {}
    name = ""
    for word in match["value"].split(":"):
        if word.isalpha():
            name = word
            continue
        try:
            groups.setdefault(name, []).append(int(word, 16))
        except ValueError:
            raise UnexpectedOutput(1, line) from None
    return CpuSettings(
        text=line,
        variable=match["variable"],
        groups={key: tuple(words) for key, words in groups.items()},
    )


def parse_algorithm_list(text: str) -> AlgorithmList:
    """Parse `openssl list -cipher-algorithms` or `-digest-algorithms`.

    3.x has the sections `Legacy:` (every name the old tables know) and `Provided:` (what an active
    provider really offers, as `{ oid, NAME, ALIAS } @ provider`). 1.1.1 is one flat list of
    `NAME` and `ALIAS => NAME` lines, all usable.
    """
    known: set[str] = set()
    provided: set[str] = set()
    section = ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped in ("Legacy:", "Provided:"):
            section = stripped
        elif section == "Provided:":
            names, _, provider = stripped.rpartition(" @ ")
            if provider:
                provided.update(name.strip().lower() for name in names.strip("{} ").split(","))
        elif stripped:
            known.update(name.strip().lower() for name in stripped.split("=>"))
    if not section:
        provided, known = known, set()
    return AlgorithmList(provided=frozenset(provided), legacy=frozenset(known - provided))
