"""What changed between two snapshots: things added, removed and changed, field by field. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Plain = dict[str, Any]

SECTIONS = (
    "host",
    "settings",
    "units",
    "domains",
    "providers",
    "slots",
    "tokens",
    "certificates",
    "mechanisms",
    "findings",
    "workloads",
)
"""Sections of a diff, in the order in which they are told."""

_CHILDREN = frozenset({"slots", "mechanisms", "token", "certificates"})
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a changed thing; None: the field was, or is, not there."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that was added, removed or changed. `key` tells it apart within its section."""

    section: str
    key: str
    name: str
    change: str
    fields: list[FieldChange] = field(default_factory=list)


def facts_diff(before: Plain, after: Plain) -> list[Change]:
    """Return how `after` differs from `before` (facts as plain data), by section and key.

    A thing within a thing (a token in its slot) is told once, in its own section. Added and removed
    things list all their fields, with None on the other side.
    """
    old, new = _flatten(before), _flatten(after)
    return [
        change
        for section in SECTIONS
        for key in sorted(old[section].keys() | new[section].keys())
        if (change := _compare(section, key, old[section].get(key), new[section].get(key)))
    ]


def _compare(section: str, key: str, old: Plain | None, new: Plain | None) -> Change | None:
    fields = list(
        _fields("", old if old is not None else _ABSENT, new if new is not None else _ABSENT)
    )
    if old is not None and new is not None and not fields:
        return None
    kind = "added" if old is None else "removed" if new is None else "changed"
    thing = new if new is not None else old
    return Change(section, key, _name_of(thing or {}, key), kind, fields)


def _fields(path: str, before: Any, after: Any) -> Iterator[FieldChange]:
    """Yield one change per leaf; dicts are gone into, lists compared as a whole."""
    is_dict = isinstance(before, dict), isinstance(after, dict)
    if any(is_dict) and all(
        is_one or side is _ABSENT for is_one, side in zip(is_dict, (before, after), strict=True)
    ):
        old, new = (side if side is not _ABSENT else {} for side in (before, after))
        for name in sorted(old.keys() | new.keys()):
            inner = f"{path}.{name}" if path else name
            yield from _fields(inner, old.get(name, _ABSENT), new.get(name, _ABSENT))
    elif _differ(before, after):
        yield FieldChange(
            path or "value",
            None if before is _ABSENT else before,
            None if after is _ABSENT else after,
        )


def _differ(before: Any, after: Any) -> bool:
    # 1, 1.0 and True are equal to Python, but not the same fact.
    return type(before) is not type(after) or before != after


def _flatten(facts: Plain) -> dict[str, dict[str, Plain]]:
    """Return `{section: {key: thing without its children}}`; equal keys are told apart by order."""
    sections: dict[str, dict[str, Plain]] = {section: {} for section in SECTIONS}
    for section, key, thing in _things(facts):
        unique, number = key, 1
        while unique in sections[section]:
            number += 1
            unique = f"{key} #{number}"
        sections[section][unique] = {k: v for k, v in thing.items() if k not in _CHILDREN}
    return sections


def _things(facts: Plain) -> Iterator[tuple[str, str, Plain]]:
    yield "host", "host", facts.get("host", {})
    for name, value in facts.get("settings", {}).items():
        yield "settings", name, {"value": value}
    for section in ("units", "domains"):
        for thing in facts.get(section, []):
            yield section, thing["key"], thing
    for provider in facts.get("providers", []):
        yield "providers", provider["key"], provider
        yield from _of_provider(provider)
    for finding in facts.get("findings", []):
        parts = (finding["code"], finding["subject_kind"], finding["subject_key"])
        yield "findings", " ".join(parts), finding
    for workload in facts.get("workloads", []):
        yield "workloads", workload["name"], workload


def _of_provider(provider: Plain) -> Iterator[tuple[str, str, Plain]]:
    at = provider["key"]
    for slot in provider.get("slots", []):
        yield "slots", f"{at} / {slot['key']}", slot
        token = slot.get("token")
        if token is not None:
            yield "tokens", f"{at} / {token['key']}", token | {"slot_key": slot["key"]}
            for certificate in token.get("certificates", []):
                yield (
                    "certificates",
                    f"{at} / {token['key']} / {certificate['sha256']}",
                    certificate,
                )
    for mechanism in provider.get("mechanisms", []):
        number = mechanism.get("number")
        tail = "" if number is None else f" ({number:#x})"
        key = f"{at} / {mechanism.get('slot_key', '')} / {mechanism['name']}{tail}"
        yield "mechanisms", key, mechanism


def _name_of(thing: Plain, key: str) -> str:
    for candidate in ("name", "label", "description", "subject", "message", "hostname"):
        if isinstance(thing.get(candidate), str) and thing[candidate]:
            return str(thing[candidate])
    return key
