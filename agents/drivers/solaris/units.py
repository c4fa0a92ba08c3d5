"""Logical domains and crypto units of a control domain, as facts and parts."""

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.ldm_state import Domain, LdmState, Unit
from agents.wire.inventory import Attribute, DomainFacts, UnitFacts, UnitKind

_T4_REASON = (
    "Since the SPARC T4 the units are instructions in the core, which every domain uses without "
    "asking: there is nothing to assign."
)
CRYPTO_WORDS = frozenset(
    (
        "aes", "des", "kasumi", "camellia", "md5", "sha1", "sha256", "sha512", "mpmul", "mont",
        "montmul", "montsqr", "crc32c",
    )
)  # fmt: skip
"""Capability words of `isainfo -v` that are crypto instructions (T4 and later)."""


def domain_facts(state: LdmState) -> list[DomainFacts]:
    """Return the domains; what changes by itself (uptime, utilisation) is no fact."""
    return [_domain(state, domain) for domain in state.domains.values()]


def _domain(state: LdmState, domain: Domain) -> DomainFacts:
    attributes: dict[str, Attribute] = {
        "vcpu": domain.vcpu,
        "units": state.count(domain.name),
        "cores": [str(core) for core in sorted(_cores(state, domain))],
        "strands": _ranges(domain.strands),
        "is_control": domain.is_control,
        "is_service": domain.is_service,
        "reconfiguration": parts.PENDING if domain.is_pending else parts.NONE,
        "max_units": sum(_can_serve(unit, domain) for unit in state.units),
    }
    return DomainFacts(
        key=domain.name, name=domain.name, kind="ldom", state=domain.state, attributes=attributes
    )


def _cores(state: LdmState, domain: Domain) -> set[int]:
    return {unit.core for unit in state.units if _can_serve(unit, domain)}


def _can_serve(unit: Unit, domain: Domain) -> bool:
    """A unit serves only a domain that has strands on its core."""
    return bool(domain.strands & set(unit.cpuset))


def _ranges(strands: frozenset[int]) -> str:
    return parts.unit_key(strands).removeprefix("mau:") if strands else ""


def unit_facts(state: LdmState) -> list[UnitFacts]:
    """Return the crypto units: an MAU and, from the T2 on, a CWQ per core, assigned together."""
    return [_unit(state, unit) for unit in state.units]


def _unit(state: LdmState, unit: Unit) -> UnitFacts:
    servable = sorted(d.name for d in state.domains.values() if _can_serve(unit, d))
    return UnitFacts(
        key=unit.key,
        kind=UnitKind.MAU.value,
        name=f"Crypto unit of core {unit.core}",
        is_assignable=True,
        state="active" if unit.owner else "free",
        domain_key=unit.owner or None,
        attributes={
            "core": unit.core,
            "cpuset": [str(strand) for strand in unit.cpuset],
            "can_serve": servable,
        },
    )


def ldm_parts(state: LdmState) -> dict[str, Attribute]:
    """Return what unit.assign and reconf.cancel set, as it is now."""
    found: dict[str, Attribute] = {}
    for domain in state.domains.values():
        found[parts.unit_count(domain.name)] = state.count(domain.name)
        found[parts.domain_state(domain.name)] = domain.state
        found[parts.domain_vcpu(domain.name)] = domain.vcpu
        found[parts.domain_reconfiguration(domain.name)] = (
            parts.PENDING if domain.is_pending else parts.NONE
        )
    return found | {parts.unit_owner(unit.key): unit.owner for unit in state.units}


def instruction_units(words: list[str]) -> list[UnitFacts]:
    """Return the processor's crypto instructions as one unit that cannot be assigned."""
    found = [word for word in words if word in CRYPTO_WORDS]
    if not found:
        return []
    return [
        UnitFacts(
            key="cpu/crypto",
            kind=UnitKind.CPU_INSTRUCTIONS.value,
            name="SPARC crypto instructions",
            state="active",
            features=found,
            reason=_T4_REASON,
        )
    ]
