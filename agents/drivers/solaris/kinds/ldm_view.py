"""From what ldm printed to what planners and inventory know of a machine. Pure."""

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.ldm_state import Domain, LdmState, Unit, Version
from agents.parsers.solaris.ldm_facts import LdmDevices, LdmDomain, LdmListing

Cpuset = tuple[int, ...]


def state_of(program: str, version: Version, bindings: LdmListing, devices: LdmDevices) -> LdmState:
    """Put `list-bindings` and `list-devices -a` together: domains, units with owners, strands."""
    cores = _cores(bindings, devices)
    domains = {domain.name: _domain(domain, cores) for domain in bindings.domains}
    held = {strand for domain in domains.values() for strand in domain.strands}
    strands = {vcpu.pid for vcpu in devices.vcpus if vcpu.pid is not None}
    return LdmState(
        program=program,
        version=version,
        domains=domains,
        units=tuple(_units(bindings, devices, cores)),
        free_strands=frozenset(strands - held),
        core_count=len({*cores.values()}) if cores else None,
        strand_count=len(strands | held),
    )


def _cores(bindings: LdmListing, devices: LdmDevices) -> dict[int, int]:
    """The core of each strand, as far as ldm names cores (from 2.0 on)."""
    known = [*devices.cores, *(core for domain in bindings.domains for core in domain.cores)]
    found = {strand: core.core for core in known if core.core is not None for strand in core.cpuset}
    vcpus = (vcpu for domain in bindings.domains for vcpu in domain.vcpus)
    named = {v.pid: v.core for v in vcpus if v.pid is not None and v.core is not None}
    return {**named, **found}


def _domain(listed: LdmDomain, cores: dict[int, int]) -> Domain:
    strands = frozenset(vcpu.pid for vcpu in listed.vcpus if vcpu.pid is not None)
    return Domain(
        name=listed.name,
        state=listed.state,
        strands=strands,
        vcpu=listed.vcpu_count if listed.vcpu_count is not None else len(strands),
        memory_bytes=listed.memory_bytes,
        cores=frozenset(cores[strand] for strand in strands if strand in cores),
        is_control=listed.flags.is_control,
        is_service=listed.flags.is_service,
        is_pending=listed.flags.is_delayed,
    )


def _units(bindings: LdmListing, devices: LdmDevices, cores: dict[int, int]) -> list[Unit]:
    """All units by their strands: those that list-devices names, and any that is only bound."""
    owners = _owners(bindings, devices)
    cpusets = {*owners, *(_sorted(unit.cpuset) for unit in devices.units)}
    return [
        Unit(
            key=parts.unit_key(cpuset),
            core=cores.get(cpuset[0], cpuset[0] // len(cpuset)),
            cpuset=cpuset,
            owner=owners.get(cpuset, ""),
        )
        for cpuset in sorted(cpusets)
    ]


def _owners(bindings: LdmListing, devices: LdmDevices) -> dict[Cpuset, str]:
    """Who holds which unit: as the domains say; as list-devices says where they say nothing."""
    listed = {
        _sorted(unit.cpuset): domain.name for domain in bindings.domains for unit in domain.units
    }
    return listed or {_sorted(unit.cpuset): unit.bound for unit in devices.units if unit.bound}


def _sorted(cpuset: Cpuset) -> Cpuset:
    return tuple(sorted(set(cpuset)))
