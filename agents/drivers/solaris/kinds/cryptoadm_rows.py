"""The lines of cryptoadm's listings that planning needs; Solaris 10's wording and the later one.

Formats: illumos cryptoadm and the Solaris 10 security guide. Planning refuses what does not fit.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.parsers.base import UnexpectedOutput

_HEADING = re.compile(r"(user-level|kernel software|kernel hardware) providers:", re.IGNORECASE)
_POLICY = re.compile(
    r"all mechanisms are (enabled|disabled)(?:,? except(?: (.*))?)?", re.IGNORECASE
)
_RANDOM = re.compile(r"random is (enabled|disabled)")
_PREFIX = "Provider: "
_INACTIVE = "(inactive)"
_NO_MECHANISMS = re.compile(
    r"no slots presented|no mechanisms presented|\(inactive\)|failed to ", re.I
)
_NAME = re.compile(r"CKM_[A-Z0-9_]+|0x[0-9a-fA-F]+")
_OPERATIONS = re.compile(r"kcf:\d+:(.+)_provider_stats:kcf_ops_total\t(\d+)")
_HARDWARE_STATS = re.compile(r"(.+)_(\d+)_\d+")


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of `cryptoadm list -p`: a policy and the random feature."""

    policy: Policy
    random: str


@dataclass(frozen=True, slots=True)
class Metaslot:
    """`cryptoadm list -v metaslot`. `is_actual` None: not printed."""

    is_enabled: bool
    is_actual: bool | None
    is_migrating: bool
    token: str
    slot: str


def parse_list(text: str) -> dict[str, bool]:
    """Parse `cryptoadm list`: each provider, and whether it is loaded."""
    found = {}
    for number, line in _entries(text):
        name = line.removesuffix(_INACTIVE).strip()
        if not name or " " in name:
            raise UnexpectedOutput(number, line)
        found[name] = not line.endswith(_INACTIVE)
    return found


def parse_mechanisms(text: str) -> dict[str, tuple[bool, frozenset[str]]]:
    """Parse `cryptoadm list -m`: whether each provider is loaded, and what it offers."""
    found: dict[str, tuple[bool, frozenset[str]]] = {}
    name = ""
    for number, line in _entries(text):
        if line in ("Mechanisms:", "No mechanisms"):
            continue
        if _NAME.fullmatch(line) and name:
            found[name] = (True, found[name][1] | {line})
            continue
        provider, colon, rest = line.partition(": ")
        if not colon and not line.endswith(":") and "," not in line:
            name = line
            found.setdefault(name, (True, frozenset()))
            continue
        if _NAME.match(line) and name:
            provider, rest = name, line
        name = provider.rstrip(":")
        loaded, known = found.get(name, (True, frozenset()))
        names = frozenset(word for word in re.split(r"[,\s]+", rest) if word)
        if _NO_MECHANISMS.search(rest):
            names, loaded = frozenset(), _INACTIVE not in rest
        if not all(_NAME.fullmatch(word) for word in names):
            raise UnexpectedOutput(number, line)
        found[name] = (loaded, known | names)
    return found


def parse_policies(text: str) -> dict[str, Listed]:
    """Parse `cryptoadm list -p`, of all providers, one, or metaslot."""
    found = {}
    for number, line in _entries(text):
        name, colon, rest = line.partition(":")
        if not colon:
            raise UnexpectedOutput(number, line)
        found[name] = _listed(number, line, rest)
    return found


def parse_metaslot(text: str) -> Metaslot:
    """Parse `cryptoadm list -v metaslot`, as configured and as it really is."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().lower(), value.strip())
    status = fields.get("status", "")
    if status not in ("enabled", "disabled"):
        raise UnexpectedOutput(1, text.partition("\n")[0])
    actual = fields.get("actual status", "").rstrip(".")
    return Metaslot(
        is_enabled=status == "enabled",
        is_actual={"enabled": True, "disabled": False}.get(actual),
        is_migrating=fields.get("sensitive token object automatic migrate") == "enabled",
        token=fields.get("persistent object store token", ""),
        slot=fields.get("persistent object store slot", ""),
    )


def parse_tokens(text: str) -> list[tuple[str, str]]:
    """Parse `cryptoadm list -v`: the label and slot description of each token."""
    tokens: list[tuple[str, str]] = []
    slot = ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == "Description":
            slot = value.strip()
        elif key == "Token Label":
            tokens.append((value.strip(), slot))
    return tokens


def parse_operations(text: str) -> dict[str, int]:
    """Parse `kstat -p` of kcf: operations since boot by provider (`ncp_0_2` is ncp/0)."""
    found = {}
    for line in text.splitlines():
        match = _OPERATIONS.fullmatch(line.strip())
        if not match:
            continue
        hardware = _HARDWARE_STATS.fullmatch(match[1])
        name = f"{hardware[1]}/{hardware[2]}" if hardware else match[1]
        found[name] = int(match[2][:18])
    return found


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are no headings and no underlines, blanks and `Provider: ` taken off."""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or not line.strip("=-") or _HEADING.fullmatch(line):
            continue
        yield number, line.removeprefix(_PREFIX).strip()


def _listed(number: int, line: str, rest: str) -> Listed:
    random = _RANDOM.search(rest)
    clause = rest[: random.start()] if random else rest
    clause = clause.strip().rstrip(".")
    if not clause and random:
        return Listed(Policy(), random[1])
    found = _POLICY.fullmatch(clause)
    if not found:
        raise UnexpectedOutput(number, line)
    names = [word.strip() for word in (found[2] or "").split(",") if word.strip()]
    if not all(_NAME.fullmatch(name) for name in names):
        raise UnexpectedOutput(number, line)
    policy = Policy(found[1].lower() == "disabled", frozenset(names))
    return Listed(policy, random[1] if random else "none")
