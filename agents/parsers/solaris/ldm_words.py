"""What ldm says in sentences: notices, refusals, its version, its stored configurations."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agents.parsers.solaris.ldm_facts import LdmNotice, NoticeKind, Version
from agents.parsers.solaris.text import (
    Line,
    UnreadLine,
    first_said,
    is_rule,
    lines_of,
    require_found,
)

_MARK = re.compile(r"\[([^\[\]]{1,60})\]")
_MANAGER = re.compile(r"Logical Domains? Manager \(v ?(\d{1,4})\.(\d{1,4})([\w.]{0,20})\)", re.I)
_PART = re.compile(r"\s*(Hypervisor|OpenBoot|[A-Z]\w{1,30})\s+v\. ?(\S{1,30})\s*(.{0,200})")
_CONTROL = re.compile(r"Hypervisor control protocol v ?(\S{1,20})", re.I)
_DESCRIPTION = re.compile(r"Using Hypervisor MD v ?(\S{1,20})", re.I)
_OPENING = re.compile(
    r"(?:Notice|Error|Warning|NOTE)\b|Initiating |Delayed reconfig|Removal of |Domain \S+ didn|"
    r"Resource |Authorization |Failed |Unable |Invalid |There (?:is|are) |The LDom |"
    r"LDom \S+ (?:is|was|will|does|has|can)|A ldm |Usage|No |Cannot |"
    r"Could not |Connection |insufficient |ldm: "
)


_KINDS = (
    (NoticeKind.DELAYED_REFUSED, re.compile(r"Delayed reconfigur\w+ of .* not permitted", re.I)),
    (NoticeKind.DELAYED_BEGUN, re.compile(r"Initiating (?:a )?delayed reconfigur", re.I)),
    (NoticeKind.DELAYED_PENDING, re.compile(r"process of a delayed reconfigur", re.I)),
    (NoticeKind.CONFIGURATION_MODE, re.compile(r"configuration mode", re.I)),
    (NoticeKind.ALIGNMENT, re.compile(r"not a multiple of", re.I)),
    (NoticeKind.NOT_AUTHORISED, re.compile(r"authorization failed|insufficient priv", re.I)),
    (NoticeKind.NO_MANAGER, re.compile(r"connect to (?:the )?logical domain", re.I)),
    (NoticeKind.FAILED, re.compile(r"failed|didn't allow|error|invalid|unable|cannot", re.I)),
)
_DOMAIN = re.compile(
    r"\b(?:on|of|to|from) (?:LDom|domain) ([\w.+-]{1,64})|LDom ([\w.+-]{1,64}) is in|"
    r"\b[Tt]he ([\w.+-]{1,64}) domain\b"
)


@dataclass(frozen=True, slots=True)
class LdmNotices:
    """All messages of one output, in order."""

    notices: tuple[LdmNotice, ...]
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class LdmSpconfigs:
    """Configurations stored on the service processor. `marks` are as printed, by name."""

    names: tuple[str, ...]
    current: str
    next_poweron: str
    marks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class LdmVersion:
    """`ldm -V`: the manager's version, and the firmware's parts with theirs."""

    manager: Version
    text: str
    control_protocol: str = ""
    machine_description: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    unread: tuple[UnreadLine, ...] = ()


def parse_ldm_notices(text: str) -> LdmNotices:
    """Read what ldm says while it changes something. Raise UnexpectedOutput where it is empty."""
    lines = lines_of(text)
    paragraphs = _paragraphs(lines)
    require_found(paragraphs, lines)
    return LdmNotices(tuple(_notice(paragraph) for paragraph in paragraphs))


def notices_among(unread: Iterable[UnreadLine]) -> tuple[list[LdmNotice], list[UnreadLine]]:
    """Take the notices out of lines that a listing did not know; return them and the rest."""
    lines: list[Line] = []
    rest: list[UnreadLine] = []
    for line in unread:
        if "|" in line.line or line.line[:1].isspace():
            rest.append(line)  # a row of data, whatever its words
            continue
        if lines and line.line_no > lines[-1].number + 1:
            lines.append(Line(line.line_no, ""))
        lines.append(Line(line.line_no, line.line))
    notices: list[LdmNotice] = []
    for paragraph in _paragraphs(lines):
        notice = _notice(paragraph)
        if notice.kind == NoticeKind.OTHER:
            rest.extend(line.unread() for line in paragraph)
        else:
            notices.append(notice)
    return notices, sorted(rest, key=lambda line: line.line_no)


def _paragraphs(lines: list[Line]) -> list[list[Line]]:
    paragraphs: list[list[Line]] = []
    is_open = False
    for line in lines:
        if not line.text or is_rule(line.text):
            is_open = False
        elif is_open and not _OPENING.match(line.stripped):
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
            is_open = True
    return paragraphs


def _notice(lines: list[Line]) -> LdmNotice:
    text = " ".join(" ".join(line.stripped.split()) for line in lines)
    head = text[:2000]
    kind = next((kind for kind, shape in _KINDS if shape.search(head)), NoticeKind.OTHER)
    named = _DOMAIN.search(head)
    domain = (named[1] or named[2] or named[3]).rstrip(".") if named else ""
    return LdmNotice(kind, text, domain, lines[0].number)


def parse_ldm_spconfigs(text: str) -> LdmSpconfigs:
    """Read `ldm list-spconfig`: a name a line, with marks like `[current] [next poweron]`.

    `next_poweron` is `current` where nothing else is marked. Raise UnexpectedOutput.
    """
    marks: dict[str, tuple[str, ...]] = {}
    unread = []
    lines = [line for line in lines_of(text) if line.text and not is_rule(line.text)]
    for line in lines:
        name = _MARK.sub(" ", line.stripped).strip()
        if not name or " " in name or name.endswith((":", ".")):
            unread.append(line.unread())
        else:
            marks[name] = tuple(" ".join(mark.lower().split()) for mark in _MARK.findall(line.text))
    require_found(marks, lines)
    current = _marked(marks, "current")
    following = _marked(marks, "next") or current
    return LdmSpconfigs(tuple(marks), current, following, tuple(marks.items()), tuple(unread))


def _marked(marks: dict[str, tuple[str, ...]], word: str) -> str:
    return next((name for name, found in marks.items() if any(word in m for m in found)), "")


def parse_ldm_version(text: str) -> LdmVersion:
    """Read `ldm -V`. Raise UnexpectedOutput without the manager's line."""
    lines = lines_of(text)
    said = next((found for line in lines if (found := _MANAGER.search(line.text[:200]))), None)
    if not said:
        raise first_said(lines).unexpected()
    protocol = description = ""
    parts, unread = [], []
    for line in (line for line in lines if line.text):
        head = line.text[:300]
        if found := _CONTROL.search(head):
            protocol = found[1]
        elif found := _DESCRIPTION.search(head):
            description = found[1]
        elif found := _PART.fullmatch(head):
            parts.append((found[1], found[2].rstrip(".")))
        elif not _MANAGER.search(head) and not head.rstrip().endswith(":"):
            unread.append(line.unread())
    manager = (int(said[1]), int(said[2]))
    version = f"{said[1]}.{said[2]}{said[3]}"
    return LdmVersion(manager, version, protocol, description, tuple(parts), tuple(unread))
