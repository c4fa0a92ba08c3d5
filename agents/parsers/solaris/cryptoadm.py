"""Everything `cryptoadm list` prints, of Solaris 10, OpenSolaris, Solaris 11 and illumos.

All forms (`-m`, `-mv`, `-v`, `-p`, of one provider, of metaslot, fips-140) are read by one reader:
what a line is shows by itself. Headings change case between releases, `Provider: ` and the comma
before `except` come and go, and guides fold long lines. Formats: illumos cryptoadm's source.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from agents.parsers.solaris.cryptoadm_facts import (
    CryptoFips,
    CryptoListing,
    CryptoMechanism,
    CryptoMessages,
    CryptoMetaslot,
    CryptoPolicy,
    CryptoProvider,
)
from agents.parsers.solaris.cryptoadm_slots import MECHANISM, SlotReading
from agents.parsers.solaris.text import (
    Line,
    UnreadLine,
    is_rule,
    lines_of,
    number_of,
    require_found,
)

_HEADING = re.compile(
    r"(user-level|kernel software|kernel hardware|kernel) providers?:?", re.IGNORECASE
)
_KINDS = {"user-level": "user", "kernel": ""}
_PREFIX = r"(?:[Pp]rovider: *)?"
_NAME = r"/[^:=()]{1,400}|[a-z]\w{0,63}(?:/\d{1,9})?"
_ENTRY = re.compile(rf"{_PREFIX}({_NAME}):(?:\s+(.*)|$)")
_PLAIN = re.compile(rf"{_PREFIX}({_NAME})(\(inactive\))?")
_SURE = re.compile(rf"{_PREFIX}(?:/[^\s:=]{{1,400}}|[a-z]\w{{0,63}}/\d{{1,9}})(?: *\(inactive\))?")
_POLICY = re.compile(
    r"all mechanisms are (enabled|disabled)(?:,? +except(?: +(.*)|$))?", re.IGNORECASE
)
_RANDOM = re.compile(r"random is (enabled|disabled)\.?", re.IGNORECASE)
_PROBLEM = re.compile(r"(?:no slots|no mechanisms) presented\.?|failed to .*", re.IGNORECASE)
_FIPS = re.compile(
    r"(?:(\w{1,40}|/[^\s:]{1,200}): *)?.{0,40}FIPS-140 mode (?:is|was|has already been) "
    r"(enabled|disabled)[\w .]{0,60}",
    re.IGNORECASE,
)
_SLOT = re.compile(r"Slot #(\d{1,9})", re.IGNORECASE)
_SLOTS = re.compile(r"Number of slots: *\d{1,9}", re.IGNORECASE)
_METASLOT_TITLES = ("system-wide meta slot configuration:", "detailed meta slot information:")
_METASLOT = {
    "status": "status",
    "actual status": "actual",
    "sensitive token object automatic migrate": "migrate",
    "persistent object store slot": "slot",
    "persistent object store token": "token",
}
_SWITCH = {"enabled": True, "disabled": False}
_FULL_LINE = 79


@dataclass(slots=True)
class _Provider:
    """A provider while it is read."""

    name: str
    kind: str
    line_no: int
    is_loaded: bool = True
    policy: CryptoPolicy | None = None
    random: str | None = None
    names: list[str] | None = None
    slots: list[SlotReading] = field(default_factory=list)
    problem: str = ""

    def facts(self) -> CryptoProvider:
        slots = tuple(slot.facts() for slot in self.slots)
        listed = [CryptoMechanism(name) for name in self.names or ()]
        in_slots = [mechanism for slot in slots for mechanism in slot.mechanisms]
        is_listed = self.names is not None or any(slot.is_listing for slot in self.slots)
        return CryptoProvider(
            name=self.name,
            kind=self.kind,
            is_loaded=self.is_loaded,
            policy=self.policy,
            random=self.random,
            mechanisms=tuple({m.name: m for m in listed + in_slots}.values())
            if is_listed
            else None,
            slots=slots,
            problem=self.problem,
            line_no=self.line_no,
        )


@dataclass(slots=True)
class _Reading:
    providers: dict[str, _Provider] = field(default_factory=dict)
    current: _Provider | None = None
    section: str = ""
    metaslot: dict[str, str] = field(default_factory=dict)
    meta_slot: SlotReading | None = None
    is_metaslot: bool = False
    fips: list[CryptoFips] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    unread: list[UnreadLine] = field(default_factory=list)

    def provider(self, name: str, line_no: int) -> _Provider:
        """Return a provider by its name; the second line about it adds to the first."""
        if name not in self.providers:
            self.providers[name] = _Provider(name, self.section or _kind(name), line_no)
        self.current = self.providers[name]
        self.is_metaslot = False
        return self.current


def parse_cryptoadm(text: str) -> CryptoListing:
    """Read any `cryptoadm list`. Raise UnexpectedOutput where nothing of it is one."""
    reading = _Reading()
    lines = lines_of(text)
    for line in _logical([line for line in lines if line.text and not is_rule(line.text)]):
        if not any(step(reading, line) for step in _STEPS):
            reading.unread.append(line.unread())
    found = reading.providers or reading.fips or reading.metaslot or reading.section
    require_found(found, lines)
    return CryptoListing(
        providers=tuple(provider.facts() for provider in reading.providers.values()),
        metaslot=_metaslot(reading) if reading.metaslot else None,
        fips=tuple(reading.fips),
        messages=tuple(reading.messages),
        unread=tuple(reading.unread),
    )


def parse_cryptoadm_messages(text: str) -> CryptoMessages:
    """Read what cryptoadm says while it changes something; saying nothing is success."""
    lines = [line for line in lines_of(text) if line.text]
    said = [line.stripped.rpartition("cryptoadm: ")[2] for line in lines]
    warnings = tuple(text for text in said if text.startswith("(Warning)"))
    return CryptoMessages(tuple(said), warnings)


def _logical(lines: list[Line]) -> list[Line]:
    """Join the entries `name: a,b,` that a guide or a terminal folded."""
    joined: list[tuple[Line, list[str]]] = []
    for line in lines:
        plain = line.stripped
        if joined and _goes_on(joined[-1][1], plain):
            last = joined[-1][1][-1]
            is_cut = len(last) >= _FULL_LINE and not last.endswith((",", ".", " "))
            joined[-1][1].append(plain if is_cut else " " + plain)
        else:
            joined.append((line, [plain]))
    return [Line(line.number, "".join(pieces)) for line, pieces in joined]


def _goes_on(pieces: list[str], plain: str) -> bool:
    """Tell whether a line goes on with the entry above it."""
    found = _ENTRY.fullmatch(pieces[0])
    if not found or _ENTRY.fullmatch(plain) or _HEADING.fullmatch(plain) or _SURE.fullmatch(plain):
        return False
    last = pieces[-1].strip()
    is_list = bool(MECHANISM.match(plain))
    is_policy = "mechanisms are" in pieces[0].lower() or "random is" in pieces[0].lower()
    if is_policy:
        return not last.endswith(".") or plain.lower().startswith("random is")
    is_open = last.endswith((",", ":")) or len(last) >= _FULL_LINE
    return is_open and (is_list or len(last) >= _FULL_LINE)


def _heading(reading: _Reading, line: Line) -> bool:
    found = _HEADING.fullmatch(line.stripped)
    if found:
        word = found[1].lower()
        reading.section = _KINDS.get(word, word.replace(" ", "_"))
        reading.current, reading.is_metaslot = None, False
    return found is not None


def _message(reading: _Reading, line: Line) -> bool:
    name, colon, said = line.stripped.partition(": ")
    if not colon or name.rpartition("/")[2] != "cryptoadm":
        return False
    reading.messages.append(said)
    return True


def _fips(reading: _Reading, line: Line) -> bool:
    found = _FIPS.fullmatch(line.stripped[:300])
    if found:
        name = found[1] or ""
        reading.fips.append(CryptoFips(name, _SWITCH[found[2].lower()], line.stripped))
    return found is not None


def _meta(reading: _Reading, line: Line) -> bool:
    """Take the metaslot's titles and its `Key: value` lines."""
    plain = line.stripped
    if plain.lower() in _METASLOT_TITLES:
        reading.is_metaslot = True
        reading.current = None
        if plain.lower() == _METASLOT_TITLES[1]:
            reading.meta_slot = SlotReading()
        return True
    key, colon, value = plain.partition(":")
    name = _METASLOT.get(key.strip().lower())
    if colon and name:
        reading.is_metaslot = True
        reading.metaslot.setdefault(name, value.strip())
        return True
    return False


def _slot(reading: _Reading, line: Line) -> bool:
    """Take a slot's lines, of the provider (or the metaslot) being read."""
    plain = line.stripped
    if reading.is_metaslot:
        slots = [reading.meta_slot] if reading.meta_slot else []
    else:
        slots = list(reading.current.slots[-1:]) if reading.current else []
    if _SLOTS.fullmatch(plain):
        return reading.current is not None
    if reading.current and (found := _SLOT.fullmatch(plain)):
        reading.current.slots.append(SlotReading(number_of(found[1])))
        return True
    if plain.lower() == "mechanisms:":
        return _begin_mechanisms(reading, slots)
    if not slots:
        return False
    slot = slots[0]
    return (slot.is_listing and slot.take_mechanism(plain)) or slot.take_pair(plain)


def _begin_mechanisms(reading: _Reading, slots: list[SlotReading]) -> bool:
    """Begin a slot's list; `-m` without `-v` prints one list a slot and nothing else of it."""
    if slots and not slots[0].is_listing:
        slots[0].is_listing = True
    elif reading.is_metaslot:
        reading.meta_slot = SlotReading(is_listing=True)
    elif reading.current:
        reading.current.slots.append(SlotReading(is_listing=True))
    return bool(slots) or reading.is_metaslot or reading.current is not None


def _entry(reading: _Reading, line: Line) -> bool:
    """Take `name: what it offers, or what is allowed`."""
    plain = line.stripped
    if _PROBLEM.fullmatch(plain) and reading.current:
        reading.current.problem = plain
        return True
    found = _ENTRY.fullmatch(plain)
    if not found:
        return False
    said = (found[2] or "").strip()
    if found[1] in reading.providers or not said or _is_said(said):
        return _said(reading.provider(found[1], line.number), said)
    return False


def _is_said(said: str) -> bool:
    shapes = (MECHANISM.match, _PROBLEM.fullmatch, _POLICY.match, _RANDOM.match)
    return said.lower() == "(inactive)" or any(shape(said) for shape in shapes)


def _said(provider: _Provider, said: str) -> bool:
    if said.lower() == "(inactive)":
        provider.is_loaded = False
        provider.names = provider.names or []
        return True
    if _PROBLEM.fullmatch(said):
        provider.problem = said.rstrip(".")
        provider.names = provider.names or []
        return True
    if "mechanisms are" in said.lower() or _RANDOM.match(said):
        return _policy(provider, said)
    names = [word for word in said.replace(",", " ").split() if word]
    if not all(MECHANISM.fullmatch(name) for name in names):
        return False
    provider.names = [*(provider.names or []), *names]
    return True


def _policy(provider: _Provider, said: str) -> bool:
    random = _RANDOM.search(said)
    clause = (said[: random.start()] if random else said).strip().rstrip(".")
    provider.random = random[1].lower() if random else None
    if not clause:
        return True
    found = _POLICY.fullmatch(clause)
    names = (found[2] or "").replace(",", " ").split() if found else []
    if not found or not all(MECHANISM.fullmatch(name) for name in names):
        return False
    provider.policy = CryptoPolicy(found[1].lower() == "disabled", tuple(names))
    return True


def _plain(reading: _Reading, line: Line) -> bool:
    """Take a name alone, as `cryptoadm list` prints them."""
    plain = line.stripped.replace(" (inactive)", "(inactive)")
    is_known = bool(reading.section or reading.providers) and not reading.is_metaslot
    found = _PLAIN.fullmatch(plain)
    if not found or not (is_known or _SURE.fullmatch(plain)):
        return False
    provider = reading.provider(found[1].strip(), line.number)
    provider.is_loaded = not found[2]
    return True


_STEPS: tuple[Callable[[_Reading, Line], bool], ...] = (
    _heading,
    _message,
    _fips,
    _meta,
    _slot,
    _entry,
    _plain,
)


def _kind(name: str) -> str:
    if name == "metaslot":
        return name
    if name.startswith("/"):
        return "user"
    return "kernel_hardware" if "/" in name else "kernel_software"


def _metaslot(reading: _Reading) -> CryptoMetaslot:
    found = reading.metaslot
    return CryptoMetaslot(
        is_enabled=_SWITCH.get(found.get("status", "").lower()),
        is_actual=_SWITCH.get(found.get("actual", "").rstrip(".").lower()),
        is_migrating=_SWITCH.get(found.get("migrate", "").lower()),
        token=found.get("token", ""),
        slot=found.get("slot", ""),
        details=reading.meta_slot.facts() if reading.meta_slot else None,
    )
