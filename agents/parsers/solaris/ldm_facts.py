"""What ldm says, as facts: the same whether it was printed as text or with `-p`."""

import re
from dataclasses import dataclass
from enum import StrEnum

from agents.parsers.solaris.text import UnreadLine, number_of

Version = tuple[int, int]

MOST_STRANDS = 65_536
"""A list of more strands than this is none; the largest machine has 4,096."""

_SIZE = re.compile(r"(\d{1,15})(?:\.(\d{1,6}))?([KMGTP]?)B?")
_FACTOR = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}
_SPAN = re.compile(r"(\d{1,9})([dhms])")
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_LETTERS = (
    {"s": "starting or stopping"},
    {"n": "normal", "t": "transition", "d": "degraded"},
    {"d": "delayed-reconfiguration", "r": "memory-reconfiguration"},
    {"c": "control"},
    {"v": "vio-service"},
    {"s": "migration-source", "t": "migration-target", "e": "migration-error"},
)
"""The six columns of FLAGS (five in 1.0 and 1.1), of the manuals of ldm."""


@dataclass(frozen=True, slots=True)
class LdmFlags:
    """FLAGS of a domain: as printed, and in words (`-l -p` prints words already)."""

    text: str = ""
    words: tuple[str, ...] = ()

    @property
    def is_control(self) -> bool:
        """Whether it is a control domain."""
        return "control" in self.words

    @property
    def is_service(self) -> bool:
        """Whether it gives virtual I/O to others."""
        return "vio-service" in self.words

    @property
    def is_delayed(self) -> bool:
        """Whether a delayed reconfiguration waits for its reboot."""
        return any(word.startswith("delay") for word in self.words)


@dataclass(frozen=True, slots=True)
class LdmVcpu:
    """A strand. Percentages are of 0 to 100; what a form does not print is None."""

    pid: int | None = None
    vid: int | None = None
    core: int | None = None
    util: float | None = None
    norm: float | None = None
    strand_percent: float | None = None
    free_percent: float | None = None
    power_managed: str = ""


@dataclass(frozen=True, slots=True)
class LdmCore:
    """A core and its strands (physical ids)."""

    core: int | None
    cpuset: tuple[int, ...]
    free_percent: float | None = None
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class LdmUnit:
    """A crypto unit (MAU, with its CWQ) and the strands it serves.

    `bound` is the domain that has it; "" says that it is free, None that the form does not tell.
    """

    cpuset: tuple[int, ...]
    unit: int | None = None
    bound: str | None = None
    section: str = "MAU"


@dataclass(frozen=True, slots=True)
class LdmMemory:
    """A range of memory; addresses as printed (`0x…`)."""

    size_bytes: int | None
    ra: str = ""
    pa: str = ""
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class LdmSection:
    """A section that Keyrack keeps without reading it: its own fields, and its rows.

    Rows of `-p` are key and value; rows of a table its words under the header's words.
    """

    name: str
    fields: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[tuple[str, str], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class LdmDomain:
    """A logical domain. `unit_count` and `memory_bytes` of constraints are what was asked for."""

    name: str
    state: str = ""
    flags: LdmFlags = LdmFlags()
    console: str = ""
    vcpu_count: int | None = None
    core_count: int | None = None
    unit_count: int | None = None
    memory_bytes: int | None = None
    util: float | None = None
    norm_util: float | None = None
    uptime_seconds: int | None = None
    softstate: str = ""
    vcpus: tuple[LdmVcpu, ...] = ()
    cores: tuple[LdmCore, ...] = ()
    units: tuple[LdmUnit, ...] = ()
    memory: tuple[LdmMemory, ...] = ()
    sections: tuple[LdmSection, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()
    line_no: int = 0


class NoticeKind(StrEnum):
    """What a notice is about, told by its fixed words; their wrapping differs per version."""

    DELAYED_BEGUN = "delayed_begun"
    """ldm started a delayed reconfiguration; other domains cannot be changed meanwhile."""
    DELAYED_PENDING = "delayed_pending"
    """The domain was in one already; this change waits for its reboot as well."""
    DELAYED_REFUSED = "delayed_refused"
    """That domain cannot have one: stop it first."""
    CONFIGURATION_MODE = "configuration_mode"
    """Nothing takes effect before the configuration is stored and the host is reset."""
    ALIGNMENT = "alignment"
    """The size is no multiple of the memory unit; the text names one that is."""
    NOT_AUTHORISED = "not_authorised"
    NO_MANAGER = "no_manager"
    """The manager's service was not reached."""
    FAILED = "failed"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LdmNotice:
    """One message, joined from its lines; `domain` where it names one."""

    kind: NoticeKind
    text: str
    domain: str
    line_no: int


@dataclass(frozen=True, slots=True)
class LdmListing:
    """`ldm list…`, `list-bindings`, `list-constraints`: domains in the order of the output."""

    domains: tuple[LdmDomain, ...]
    version: Version | None = None
    notices: tuple[LdmNotice, ...] = ()
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class LdmDevices:
    """`ldm list-devices`: with `-a` everything, without it what is free."""

    vcpus: tuple[LdmVcpu, ...] = ()
    cores: tuple[LdmCore, ...] = ()
    units: tuple[LdmUnit, ...] = ()
    memory: tuple[LdmMemory, ...] = ()
    sections: tuple[LdmSection, ...] = ()
    version: Version | None = None
    unread: tuple[UnreadLine, ...] = ()


def flags_of(text: str) -> LdmFlags:
    """Read FLAGS, `-n-cv-` or `normal,control,vio-service`."""
    plain = text.strip()
    if not plain:
        return LdmFlags()
    if len(plain) <= 6 and all(c == "-" or c in "sntdrcve" for c in plain):
        words = (column.get(c, "") for column, c in zip(_LETTERS, plain, strict=False))
        return LdmFlags(plain, tuple(word for word in words if word))
    return LdmFlags(plain, tuple(word.strip() for word in plain.split(",") if word.strip()))


def size_of(text: str) -> int | None:
    """Read a size as `8G`, `3872M` or `4294967296`, in bytes."""
    found = _SIZE.fullmatch(text.strip())
    if not found:
        return None
    factor = _FACTOR[found[3]]
    part = int(found[2]) * factor // 10 ** len(found[2]) if found[2] else 0
    return int(found[1]) * factor + part


def percent_of(text: str) -> float | None:
    """Read a share as `0.4%` or `29`; `---` and nothing are None."""
    plain = text.strip().rstrip("%").strip()
    is_number = len(plain) <= 12 and plain.isascii() and plain.replace(".", "", 1).isdigit()
    return float(plain) if is_number else None


def uptime_of(text: str) -> int | None:
    """Read a time as `7d 19h 43m` or `4772570`, in seconds."""
    plain = text.strip()
    if (number := number_of(plain)) is not None:
        return number
    spans = [_SPAN.fullmatch(word) for word in plain.split(maxsplit=5)]
    if not spans or not all(spans):
        return None
    return sum(int(span[1]) * _SECONDS[span[2]] for span in spans if span)


def cpuset_of(text: str) -> tuple[int, ...] | None:
    """Read strands as `(0, 1, 2)`, `0,1,2`, `0-7` or `0 1 2`; None where it is no such list.

    Blanks among commas are none either: a number that a terminal folded would become two.
    """
    found: list[int] = []
    plain = text.strip().strip("()")
    for word in map(str.strip, plain.split("," if "," in plain else None)):
        first, dash, last = word.partition("-")
        low, high = number_of(first), number_of(last if dash else first)
        if not word:
            continue
        if low is None or high is None or not 0 <= high - low <= MOST_STRANDS - len(found):
            return None
        found += range(low, high + 1)
    return tuple(found) if found else None
