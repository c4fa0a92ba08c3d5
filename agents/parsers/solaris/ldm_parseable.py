"""Facts of ldm's parseable output: domains with their strands, cores, units and memory."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from agents.parsers.solaris.ldm_facts import (
    LdmCore,
    LdmDevices,
    LdmDomain,
    LdmListing,
    LdmMemory,
    LdmSection,
    LdmUnit,
    LdmVcpu,
    cpuset_of,
    flags_of,
    percent_of,
    size_of,
    uptime_of,
)
from agents.parsers.solaris.ldm_records import Fields, Record, Row, records_of
from agents.parsers.solaris.text import UnreadLine, number_of

UNIT_SECTIONS = ("MAU", "CRYPTO")
_READ_SECTIONS = ("VCPU", "CORE", "MEMORY", *UNIT_SECTIONS)
_CPUSET_KEYS = ("cpuset", "strands", "cpus", "threads")
_BOUND_KEYS = ("bound", "domain", "ldom")
_DOMAIN_KEYS = frozenset(
    ("name", "state", "flags", "cons", "ncpu", "mem", "util", "uptime", "norm_util", "softstate")
)

T = TypeVar("T")


class Gathered:
    """Rows of one domain, or of the whole machine, sorted by what they are."""

    def __init__(self) -> None:
        self.vcpus: list[LdmVcpu] = []
        self.cores: list[LdmCore] = []
        self.units: list[LdmUnit] = []
        self.memory: list[LdmMemory] = []
        self.sections: list[LdmSection] = []
        self.counts: dict[str, int] = {}
        self.memory_size: int | None = None

    def take(self, record: Record, unread: list[UnreadLine]) -> None:
        """Read a record's rows; a row of a known section that does not fit is `unread`."""
        rows = record.rows
        if record.name not in _READ_SECTIONS:
            self.sections.append(_section(record))
            return
        if record.fields:
            rows = [Row(record.fields, record.line), *rows]
        unread.extend(row.line.unread() for row in rows if not self._row(record.name, row.fields))

    def has_rows(self) -> bool:
        """Whether anything was read."""
        return any((self.vcpus, self.cores, self.units, self.memory, self.sections, self.counts))

    def _row(self, section: str, fields: Fields) -> bool:
        if (count := number_of(fields.get("count", ""))) is not None:
            self.counts["MAU" if section in UNIT_SECTIONS else section] = count
            return True
        if section == "VCPU":
            return _add(self.vcpus, _vcpu(fields))
        if section == "CORE":
            return _add(self.cores, _core(fields))
        if section in UNIT_SECTIONS:
            return _add(self.units, _unit(section, fields))
        return self._memory(fields)

    def _memory(self, fields: Fields) -> bool:
        size = size_of(fields.get("size", ""))
        if not fields.keys() & {"ra", "pa", "bound"}:
            self.memory_size = size
            return size is not None
        ra, pa = fields.get("ra", ""), fields.get("pa", "")
        self.memory.append(LdmMemory(size, ra, pa, _bound(fields)))
        return True


def listing_of(text: str) -> LdmListing:
    """Read domains of `list`, `list-bindings` or `list-constraints` with `-p`."""
    records = records_of(text)
    unread = list(records.unread)
    domains: list[LdmDomain] = []
    gathered = Gathered()
    for record in records.records:
        if record.name == "DOMAIN":
            close_domain(domains, gathered)
            gathered = Gathered()
            domains.append(_domain(record))
            if _is_odd(record, domains[-1]):
                unread.append(record.line.unread())
        else:
            gathered.take(record, unread)
    close_domain(domains, gathered)
    return LdmListing(tuple(domains), records.version, unread=in_order(unread))


def devices_of(text: str) -> LdmDevices:
    """Read `list-devices -p`."""
    records = records_of(text)
    unread = list(records.unread)
    gathered = Gathered()
    for record in records.records:
        gathered.take(record, unread)
    return device_facts(gathered, unread, records.version)


def device_facts(
    gathered: Gathered, unread: list[UnreadLine], version: tuple[int, int] | None = None
) -> LdmDevices:
    """Put rows of the whole machine together."""
    return LdmDevices(
        vcpus=tuple(gathered.vcpus),
        cores=tuple(gathered.cores),
        units=tuple(gathered.units),
        memory=tuple(gathered.memory),
        sections=tuple(gathered.sections),
        version=version,
        unread=in_order(unread),
    )


def in_order(unread: Iterable[UnreadLine]) -> tuple[UnreadLine, ...]:
    """Return unread lines as they stood, each once."""
    return tuple(sorted(set(unread), key=lambda line: line.line_no))


def with_gathered(domain: LdmDomain, gathered: Gathered) -> LdmDomain:
    """Give a domain the rows that followed it."""
    counts = gathered.counts
    return replace(
        domain,
        vcpus=tuple(gathered.vcpus),
        cores=tuple(gathered.cores),
        units=tuple(replace(unit, bound=domain.name) for unit in gathered.units),
        memory=tuple(gathered.memory),
        sections=tuple(gathered.sections),
        vcpu_count=counts.get("VCPU", domain.vcpu_count),
        core_count=counts.get("CORE", domain.core_count),
        unit_count=counts.get("MAU", len(gathered.units) or domain.unit_count),
        memory_bytes=domain.memory_bytes or gathered.memory_size or _total(gathered.memory),
    )


def _total(memory: list[LdmMemory]) -> int | None:
    return sum(part.size_bytes or 0 for part in memory) or None


def close_domain(domains: list[LdmDomain], gathered: Gathered) -> None:
    """Give the last domain its rows; rows above the first heading get a domain without a name."""
    if not domains and gathered.has_rows():
        domains.append(LdmDomain(name=""))
    if domains:
        domains[-1] = with_gathered(domains[-1], gathered)


def _add(rows: list[T], row: T | None) -> bool:
    if row is not None:
        rows.append(row)
    return row is not None


def _domain(record: Record) -> LdmDomain:
    fields = record.fields
    return LdmDomain(
        name=fields.get("name", "").strip(),
        state=fields.get("state", "").strip(),
        flags=flags_of(fields.get("flags", "")),
        console=fields.get("cons", "").strip(),
        vcpu_count=number_of(fields.get("ncpu", "")),
        memory_bytes=size_of(fields.get("mem", "")),
        util=percent_of(fields.get("util", "")),
        norm_util=percent_of(fields.get("norm_util", "")),
        uptime_seconds=uptime_of(fields.get("uptime", "")),
        softstate=fields.get("softstate", "").strip(),
        extra=tuple((key, value) for key, value in fields.items() if key not in _DOMAIN_KEYS),
        line_no=record.line.number,
    )


def _is_odd(record: Record, domain: LdmDomain) -> bool:
    """Tell whether a number of a domain is there but was not read."""
    read = {
        "ncpu": domain.vcpu_count,
        "mem": domain.memory_bytes,
        "util": domain.util,
        "norm_util": domain.norm_util,
        "uptime": domain.uptime_seconds,
    }
    said = {key: record.fields.get(key, "").strip(" -") for key in read}
    return any(said[key] and value is None for key, value in read.items())


def _vcpu(fields: Fields) -> LdmVcpu | None:
    if not fields.keys() & {"pid", "vid"}:
        return None
    numbers = {key: number_of(fields.get(key, "")) for key in ("pid", "vid", "cid")}
    if any(value is None and fields.get(key) for key, value in numbers.items()):
        return None
    return LdmVcpu(
        pid=numbers["pid"],
        vid=numbers["vid"],
        core=numbers["cid"],
        util=percent_of(fields.get("util", "")),
        norm=percent_of(fields.get("norm", fields.get("norm_util", ""))),
        strand_percent=percent_of(fields.get("strand", "")),
        free_percent=percent_of(fields.get("free", "")),
        power_managed=fields.get("pm", ""),
    )


def _core(fields: Fields) -> LdmCore | None:
    cpuset = _cpuset(fields)
    core = number_of(fields.get("cid", fields.get("id", "")))
    if cpuset is None:
        return None
    return LdmCore(core, cpuset, percent_of(fields.get("free", "")), _bound(fields))


def _unit(section: str, fields: Fields) -> LdmUnit | None:
    cpuset = _cpuset(fields)
    if cpuset is None:
        return None
    return LdmUnit(cpuset, number_of(fields.get("id", "")), _bound(fields), section)


def _cpuset(fields: Fields) -> tuple[int, ...] | None:
    text = next((fields[key] for key in _CPUSET_KEYS if key in fields), "")
    return cpuset_of(text)


def _bound(fields: Fields) -> str | None:
    text = next((fields[key] for key in _BOUND_KEYS if key in fields), None)
    return None if text is None else bound_of(text)


def bound_of(text: str) -> str:
    """Read BOUND: `---` and nothing mean that it is free."""
    plain = text.strip()
    return "" if set(plain) == {"-"} else plain


def _section(record: Record) -> LdmSection:
    return LdmSection(
        record.name,
        tuple(record.fields.items()),
        tuple(tuple(row.fields.items()) for row in record.rows),
    )
