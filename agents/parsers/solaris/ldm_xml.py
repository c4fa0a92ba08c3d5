"""Constraints as XML (`ldm list-constraints -x`), also of captures that are not well-formed.

The manuals print sections with a stray `>`, and pasted captures are cut: tags are read one by one.
"""

import re
from collections import deque
from dataclasses import dataclass, field

from agents.parsers.solaris.ldm_facts import LdmDomain, LdmListing, LdmSection, size_of
from agents.parsers.solaris.text import number_of

_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,60})([^<>]{0,2000})>([^<]*)")
_ID = re.compile(r"\bid=[\"']([^\"']{1,256})[\"']")
_KEY = re.compile(r"\bkey=[\"']([^\"']{1,128})[\"']")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_COUNTED = {"cpu": "vcpu_count", "vcpu": "vcpu_count", "core": "core_count", "mau": "unit_count"}
_COUNTED["crypto"] = "unit_count"
_FLAT = ("number", "size", "count")
"""Names of the one number in the flat form of 1.2 (`<ldom><cpu><number>`)."""


_DEEPEST = 32


@dataclass(slots=True)
class _Domain:
    """A domain while it is read."""

    name: str
    line_no: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    sections: list[LdmSection] = field(default_factory=list)

    def facts(self) -> LdmDomain:
        return LdmDomain(
            name=self.name,
            vcpu_count=self.counts.get("vcpu_count"),
            core_count=self.counts.get("core_count"),
            unit_count=self.counts.get("unit_count"),
            memory_bytes=self.counts.get("memory_bytes"),
            sections=tuple(self.sections),
            line_no=self.line_no,
        )


@dataclass(slots=True)
class _Reading:
    domains: list[_Domain] = field(default_factory=list)
    item: dict[str, str] = field(default_factory=dict)
    parents: deque[str] = field(default_factory=lambda: deque(maxlen=_DEEPEST))


def is_xml(text: str) -> bool:
    """Tell whether an output is of the `-x` form."""
    return bool(re.search(r"<\s*(?:\?xml|Envelope|LDM_interface|Section|Content|ldom)\b", text))


def constraints_of(text: str) -> LdmListing:
    """Read the domains, with counts of strands, units and memory; other items are kept."""
    reading = _Reading()
    line_no, place = 1, 0
    for found in _TAG.finditer(text):
        line_no += text.count("\n", place, found.start())
        place = found.start()
        _tag(reading, found, line_no)
    _end_item(reading)
    return LdmListing(tuple(domain.facts() for domain in reading.domains))


def _tag(reading: _Reading, found: re.Match[str], line_no: int) -> None:
    name = found[2].rpartition(":")[2]
    if found[1]:
        if name == "Item":
            _end_item(reading)
        if name in reading.parents:
            while reading.parents.pop() != name:
                pass
        return
    if name == "Content" and (named := _ID.search(found[3])):
        reading.domains.append(_Domain(_plain(named[1]), line_no))
    elif name == "Item":
        _end_item(reading)
    else:
        key = _KEY.search(found[3]) if name == "GenericProperty" else None
        _value(reading, key[1] if key else name, _plain(found[4]).strip(), line_no)
    if not found[3].endswith("/"):
        reading.parents.append(name)


def _value(reading: _Reading, name: str, value: str, line_no: int) -> None:
    parent = reading.parents[-1].lower() if reading.parents else ""
    if not value:
        return
    if parent in ("ldom", "ldom_info") and name in ("name", "ldom_name"):
        reading.domains.append(_Domain(value, line_no))
    elif parent == "item" or reading.item:
        reading.item[name] = value
    elif name in _FLAT and (parent in _COUNTED or parent == "memory"):
        _count(reading, parent, value)


def _end_item(reading: _Reading) -> None:
    item, reading.item = reading.item, {}
    resource = item.get("OtherResourceType", "").lower()
    if not item:
        return
    if not _count(reading, resource, item.get("AllocationUnits", "")):
        _domain(reading).sections.append(LdmSection(resource or "Item", tuple(item.items())))


def _count(reading: _Reading, resource: str, value: str) -> bool:
    name = "memory_bytes" if resource == "memory" else _COUNTED.get(resource)
    number = size_of(value) if resource == "memory" else number_of(value)
    if name is None or number is None:
        return False
    _domain(reading).counts[name] = number
    return True


def _domain(reading: _Reading) -> _Domain:
    """Return the domain being read; a capture may begin inside of one."""
    if not reading.domains:
        reading.domains.append(_Domain(""))
    return reading.domains[-1]


def _plain(text: str) -> str:
    for entity, letter in _ENTITIES.items():
        text = text.replace(entity, letter)
    return text
