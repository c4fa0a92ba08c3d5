"""Files of the crypto framework (pkcs11.conf, kcf.conf, driver .conf), tokens, OpenSSL engines.

The framework's files say that they are no interface: they are read to compare, never written.
"""

import re
from dataclasses import dataclass

from agents.parsers.solaris.text import UnreadLine, lines_of, require_found

_ENTRY = re.compile(r"(/[^:;]{1,400}|[a-z]\w{0,63}(?:/\d{1,9})?)(?::(.*))?")
_SETTING = re.compile(r"([\w.-]{1,80})\s*=\s*(\"[^\"]{0,400}\"|[^;=]{0,400})")
_ENGINE = re.compile(r"\((\w[\w.-]{0,60})\) (.*)")
_OFFERS = re.compile(r"\[([\w, -]{1,2000})\]")
_TOKEN_COLUMNS = (30, 15, 15, 10)
"""Widths of `pktool tokens`, two blanks between them; labels are cut at 30 (illumos pktool)."""


@dataclass(frozen=True, slots=True)
class FrameworkEntry:
    """A provider's line: its settings as printed, `disabledlist=…` among them."""

    provider: str
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FrameworkFile:
    """pkcs11.conf or kcf.conf."""

    entries: tuple[FrameworkEntry, ...]
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class DriverFile:
    """Settings of a driver's .conf, quotes taken off."""

    settings: tuple[tuple[str, str], ...]
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedToken:
    """A row of `pktool tokens`."""

    label: str
    manufacturer: str
    serial: str
    pin_state: str


@dataclass(frozen=True, slots=True)
class ListedTokens:
    """`pktool tokens`."""

    tokens: tuple[ListedToken, ...]
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine of OpenSSL: what `-c` says it offers, what `-t` says of it."""

    name: str
    description: str
    offers: tuple[str, ...] = ()
    is_available: bool | None = None


@dataclass(frozen=True, slots=True)
class Engines:
    """`openssl engine`, with `-c` and `-t` or without."""

    engines: tuple[Engine, ...]
    unread: tuple[UnreadLine, ...] = ()


def parse_framework_file(text: str) -> FrameworkFile:
    """Read pkcs11.conf or kcf.conf. Raise UnexpectedOutput without an entry."""
    lines = lines_of(text)
    entries, unread = [], []
    for line in (line for line in lines if line.text and not line.stripped.startswith("#")):
        found = _ENTRY.fullmatch(line.stripped)
        if not found:
            unread.append(line.unread())
            continue
        pairs = (piece.partition("=") for piece in (found[2] or "").split(";") if piece.strip())
        settings = tuple((key.strip(), value.strip()) for key, _, value in pairs)
        entries.append(FrameworkEntry(found[1], settings))
    require_found(entries, lines)
    return FrameworkFile(tuple(entries), tuple(unread))


def parse_driver_file(text: str) -> DriverFile:
    """Read a driver's .conf (`n2cp-sync-threads=3;`). Raise UnexpectedOutput without a setting."""
    lines = lines_of(text)
    settings, unread = [], []
    for line in (line for line in lines if line.text and not line.stripped.startswith("#")):
        found = _SETTING.findall(line.stripped)
        settings += [(key, value.strip().strip('"')) for key, value in found]
        if not found:
            unread.append(line.unread())
    require_found(settings, lines)
    return DriverFile(tuple(settings), tuple(unread))


def parse_pktool_tokens(text: str) -> ListedTokens:
    """Read `pktool tokens`. Raise UnexpectedOutput without its heading."""
    lines = lines_of(text)
    said = [line for line in lines if line.text]
    heading = next((n for n, line in enumerate(said) if line.text.startswith("Token Label")), None)
    require_found(heading is not None, lines)
    first = heading or 0
    tokens = tuple(ListedToken(*_cells(line.text)) for line in said[first + 1 :])
    return ListedTokens(tokens, tuple(line.unread() for line in said[:first]))


def _cells(text: str) -> list[str]:
    cells, place = [], 0
    for width in _TOKEN_COLUMNS:
        cells.append(text[place : place + width].strip())
        place += width + 2
    return cells


def parse_engines(text: str) -> Engines:
    """Read `openssl engine` with any of `-c -t`. Raise UnexpectedOutput without an engine."""
    lines = lines_of(text)
    engines: list[Engine] = []
    unread = []
    for line in (line for line in lines if line.text):
        plain = line.stripped
        if found := _ENGINE.fullmatch(plain):
            engines.append(Engine(found[1], found[2].strip()))
        elif engines and (found := _OFFERS.fullmatch(plain)):
            engines[-1] = _with(engines[-1], [word.strip() for word in found[1].split(",")])
        else:
            unread.append(line.unread())
    require_found(engines, lines)
    return Engines(tuple(engines), tuple(unread))


def _with(engine: Engine, words: list[str]) -> Engine:
    """Add a line in brackets: `[ available ]`, or the algorithms."""
    if words in (["available"], ["unavailable"]):
        return Engine(engine.name, engine.description, engine.offers, words == ["available"])
    offers = (*engine.offers, *words)
    return Engine(engine.name, engine.description, offers, engine.is_available)
