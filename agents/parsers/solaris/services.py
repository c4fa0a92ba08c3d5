"""SMF and what stands behind KSSL: `svcs`, `svcprop`, `ksslcfg`, `kssladm`, `netstat`."""

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum

from agents.parsers.solaris.text import Line, UnreadLine, lines_of, require_found

_STATE = r"online|offline|maintenance|disabled|degraded|uninitialized|legacy_run"
_ROW = re.compile(rf"({_STATE})(\*?)\s+(\S{{1,20}})\s+(\S{{1,400}})")
_HEADER = re.compile(r"(?:STATE|NSTATE|STIME|FMRI|CTID|\s)+")
_FMRI = re.compile(r"(?:svc|lrc):/\S{1,400}")
_FIELD = re.compile(r"([A-Za-z][\w /-]{0,40}?)(?:: +|\s{2,}|\t)(\S.*)")
_XFIELD = re.compile(r"(State|Reason|See|Impact|Alias): (.*)", re.IGNORECASE)
_PROPERTY = re.compile(
    r"((?:svc:\S+/:properties/)?[\w,.-]{1,80}(?:/[\w,.-]{1,80})+) ([a-z]\w{1,20})(?: (.*))?"
)
_ESCAPED = re.compile(r"\\(.)")
_LISTEN = re.compile(
    r"(\S{1,120})\.(\d{1,5}|\*)\s+(\S{1,120})\.(\d{1,5}|\*)\s+(?:\d{1,12}\s+){4}([A-Z_0-9]{2,20})"
)
_LOADED = re.compile(r"addr = (\S{1,80}), port = (\d{1,5})")


@dataclass(frozen=True, slots=True)
class Service:
    """An instance of SMF. `is_changing` is the `*` behind its state; `extra` of `-l` and `-x`."""

    fmri: str
    state: str = ""
    since: str = ""
    is_changing: bool = False
    extra: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Services:
    """`svcs`, `svcs -l` or `svcs -x`."""

    services: tuple[Service, ...]
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Property:
    """A property of `svcprop`, its value as it is (the shell's backslashes taken off)."""

    name: str
    type: str
    value: str


@dataclass(frozen=True, slots=True)
class Properties:
    """`svcprop` of one instance. `words` are those of `start/exec`, as a shell would split them."""

    properties: tuple[Property, ...]
    words: tuple[str, ...] = ()
    unread: tuple[UnreadLine, ...] = ()


class MessageKind(StrEnum):
    """How a message of ksslcfg or kssladm begins, or what it tells."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    USAGE = "usage"
    DONE = "done"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class KsslMessage:
    """A line of ksslcfg, or of the log of an instance (kssladm writes there)."""

    kind: MessageKind
    text: str
    line_no: int


@dataclass(frozen=True, slots=True)
class KsslMessages:
    """All messages in order; `listens` are the addresses and ports that kssladm loaded."""

    messages: tuple[KsslMessage, ...]
    listens: tuple[tuple[str, int], ...] = ()
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Listener:
    """A socket of `netstat -an`; `*` is any address or port."""

    address: str
    port: str
    state: str
    remote: str


@dataclass(frozen=True, slots=True)
class Listeners:
    """Sockets of `netstat -f inet -na -P tcp`."""

    listeners: tuple[Listener, ...]
    unread: tuple[UnreadLine, ...] = ()


def parse_svcs(text: str) -> Services:
    """Read `svcs`, `svcs -l` or `svcs -x`. Raise UnexpectedOutput without an instance."""
    lines = lines_of(text)
    found: list[tuple[dict[str, str], dict[str, str]]] = []
    unread = []
    for line in _rows_of(lines):
        if _HEADER.fullmatch(line.stripped[:200]):
            continue
        if row := _ROW.fullmatch(line.stripped[:600]):
            facts = {"fmri": row[4], "state": row[1], "since": row[3], "mark": row[2]}
            found.append((facts, {}))
        elif not _detail(found, line):
            unread.append(line.unread())
    require_found(found, lines)
    services = tuple(
        Service(
            fmri=facts["fmri"],
            state=facts.get("state", ""),
            since=facts.get("since", ""),
            is_changing=facts.get("mark") == "*",
            extra=tuple(extra.items()),
        )
        for facts, extra in found
    )
    return Services(services, tuple(unread))


def _rows_of(lines: list[Line]) -> list[Line]:
    """Join rows whose FMRI went to the next line."""
    rows: list[Line] = []
    for line in (line for line in lines if line.text):
        last = rows[-1].stripped.split() if rows else []
        is_cut = len(last) == 2 and re.fullmatch(rf"(?:{_STATE})\*?", last[0]) is not None
        if is_cut and _FMRI.fullmatch(line.stripped[:500]):
            rows[-1] = Line(rows[-1].number, f"{rows[-1].text} {line.stripped}")
        else:
            rows.append(line)
    return rows


def _detail(found: list[tuple[dict[str, str], dict[str, str]]], line: Line) -> bool:
    """Take a line of `-l` (`fmri  svc:/…`, `state  online`) or of `-x`."""
    plain = line.stripped
    field = _XFIELD.fullmatch(plain) or _FIELD.fullmatch(plain[:2000])
    name = field[1].lower() if field else ""
    if field and name == "fmri":
        found.append(({"fmri": field[2].strip()}, {}))
    elif not line.is_indented and (fmri := _FMRI.match(plain[:500])):
        found.append(({"fmri": fmri[0]}, {}))
    elif field and found and name == "state":
        word, _, since = field[2].strip().partition(" since ")
        found[-1][0]["state"] = word
        found[-1][0]["since"] = since
    elif field and found:
        extra = found[-1][1]
        extra[name] = f"{extra[name]}\n{field[2]}" if name in extra else field[2].strip()
    else:
        return False
    return True


def parse_svcprop(text: str) -> Properties:
    """Read `svcprop`; with `-p start/exec` alone it prints the value only."""
    lines = lines_of(text)
    said = [line for line in lines if line.text]
    found = []
    unread = []
    for line in said:
        row = _PROPERTY.fullmatch(line.stripped)
        if row:
            found.append(Property(row[1], row[2], _plain(row[3] or "")))
        elif len(said) == 1:
            found.append(Property("", "", _plain(line.stripped)))
        else:
            unread.append(line.unread())
    require_found(found, lines)
    execs = [p.value for p in found if p.name.endswith("start/exec") or not p.name]
    return Properties(tuple(found), _words(execs[0]) if execs else (), tuple(unread))


def _plain(text: str) -> str:
    """Take off the backslashes that svcprop puts before what a shell would read."""
    return _ESCAPED.sub(r"\1", text)


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command[:8000]))
    except ValueError:
        return ()


def parse_kssl_messages(text: str) -> KsslMessages:
    """Read what ksslcfg prints, or the log of an instance. Raise UnexpectedOutput where empty."""
    lines = lines_of(text)
    said = [line for line in lines if line.text]
    require_found(said, lines)
    listens = [found for line in said if (found := _LOADED.search(line.text[:300]))]
    return KsslMessages(
        tuple(
            KsslMessage(_message_kind(line.stripped), line.stripped, line.number) for line in said
        ),
        tuple((found[1], int(found[2])) for found in listens),
    )


def _message_kind(text: str) -> MessageKind:
    plain = text.lower()
    if plain.startswith("warning"):
        return MessageKind.WARNING
    if plain.startswith("note"):
        return MessageKind.NOTE
    if plain.startswith(("usage", "options are", "ksslcfg ", "[-")):
        return MessageKind.USAGE
    if any(word in plain for word in ("successfully", "version ")):
        return MessageKind.DONE
    words = (
        "error",
        "unable",
        "cannot",
        "can not",
        "failure",
        "unknown",
        "unsupported",
        "not found",
    )
    return MessageKind.ERROR if any(word in plain for word in words) else MessageKind.OTHER


def parse_netstat(text: str) -> Listeners:
    """Read TCP sockets of `netstat -na`. Raise UnexpectedOutput without one."""
    lines = lines_of(text)
    found, unread = [], []
    for line in (line for line in lines if line.text):
        row = _LISTEN.fullmatch(line.stripped[:400])
        if row:
            found.append(Listener(row[1], row[2], row[5], f"{row[3]}.{row[4]}"))
        elif not _is_netstat_heading(line.stripped):
            unread.append(line.unread())
    require_found(found, lines)
    return Listeners(tuple(found), tuple(unread))


def _is_netstat_heading(text: str) -> bool:
    return text.startswith(("TCP:", "Local Address", "UDP:")) or not text.strip("- ")
