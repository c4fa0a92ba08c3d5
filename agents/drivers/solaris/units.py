"""Logical domains and crypto units of a control domain, as facts, parts and gauges."""

from collections.abc import Iterable, Mapping

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.ldm_state import Domain, LdmState, Unit, unit_parts
from agents.parsers.solaris.ldm_facts import LdmDomain
from agents.wire.inventory import Attribute, DomainFacts, Gauge, UnitFacts, UnitKind

_T4_REASON = (
    "Since the SPARC T4 the units are instructions in the core, which every domain uses without "
    "asking: there is nothing to assign."
)
_RNG_REASON = (
    "The generator belongs to the chip: its cells are set from the control domain, and every "
    "domain may draw numbers from it."
)
_T1 = "UltraSPARC-T1"
CRYPTO_WORDS = frozenset(
    (
        "aes", "des", "kasumi", "camellia", "md5", "sha1", "sha256", "sha512", "mpmul", "mont",
        "montmul", "montsqr", "crc32c",
    )
)  # fmt: skip
"""Capability words of `isainfo -v` that are crypto instructions (T4 and later)."""
_FLAG_WORDS = {
    "vio-service": "virtual I/O service",
    "memory-reconfiguration": "memory reconfiguration",
    "migration-source": "migration source",
    "migration-target": "migration target",
    "migration-error": "migration error",
}


def domain_facts(
    state: LdmState, listed: Mapping[str, LdmDomain], wanted: Mapping[str, int]
) -> list[DomainFacts]:
    """Return the domains; what changes by itself (uptime, utilisation) is no fact.

    `listed`: the domains as ldm lists them. `wanted`: units that their constraints ask for.
    """
    return [_domain(state, one, listed.get(one.name), wanted) for one in state.domains.values()]


def _domain(
    state: LdmState, domain: Domain, listed: LdmDomain | None, wanted: Mapping[str, int]
) -> DomainFacts:
    attributes: dict[str, Attribute] = {
        "vcpu": domain.vcpu,
        "memory_bytes": domain.memory_bytes,
        "units": state.count(domain.name),
        "units_wanted": wanted.get(domain.name, state.count(domain.name)),
        "cores": [str(core) for core in sorted(domain.cores or _cores(state, domain))],
        "strands": strand_ranges(domain.strands),
        "is_control": domain.is_control,
        "is_service": domain.is_service,
        "reconfiguration": parts.PENDING if domain.is_pending else parts.NONE,
        "max_units": sum(_can_serve(unit, domain) for unit in state.units),
    }
    if listed is not None:
        attributes |= {
            "flags": flag_words(listed.flags.words),
            "softstate": listed.softstate,
            "console": listed.console,
        }
    return DomainFacts(
        key=domain.name, name=domain.name, kind="ldom", state=domain.state, attributes=attributes
    )


def flag_words(words: Iterable[str]) -> list[str]:
    """Return a domain's flags as a person says them, alike for letters and for `-l -p`'s words."""
    return [
        "delayed reconfiguration" if word.startswith("delay") else _FLAG_WORDS.get(word, word)
        for word in words
    ]


def _cores(state: LdmState, domain: Domain) -> set[int]:
    return {unit.core for unit in state.units if _can_serve(unit, domain)}


def _can_serve(unit: Unit, domain: Domain) -> bool:
    """A unit serves only a domain that has strands on its core."""
    return bool(domain.strands & set(unit.cpuset))


def strand_ranges(strands: Iterable[int]) -> str:
    """Return strands as `0-7,16-23`, empty where there are none."""
    held = list(strands)
    return parts.unit_key(held).removeprefix("mau:") if held else ""


def unit_facts(state: LdmState, chip: str) -> list[UnitFacts]:
    """Return the crypto units: an MAU and, from the T2 on, a CWQ per core, assigned together.

    `chip`: the processor's name as psrinfo has it, empty where it is not known.
    """
    return [_unit(state, unit, chip) for unit in state.units]


def _unit(state: LdmState, unit: Unit, chip: str) -> UnitFacts:
    servable = sorted(d.name for d in state.domains.values() if _can_serve(unit, d))
    features = ["MAU"] if chip == _T1 else ["MAU", "CWQ"]
    return UnitFacts(
        key=unit.key,
        kind=UnitKind.MAU.value,
        name=f"Crypto unit of core {unit.core}",
        is_assignable=True,
        state="active" if unit.owner else "free",
        domain_key=unit.owner or None,
        features=features if chip else [],
        attributes={
            "core": unit.core,
            "cpuset": [str(strand) for strand in unit.cpuset],
            "can_serve": servable,
        },
    )


def ldm_parts(state: LdmState, wanted: Mapping[str, int]) -> dict[str, Attribute]:
    """Return what unit.assign and reconf.cancel set, as it is now."""
    return unit_parts(state) | {
        parts.unit_wanted(name): wanted.get(name, state.count(name)) for name in state.domains
    }


def domain_gauges(domains: Iterable[LdmDomain]) -> list[Gauge]:
    """Return what of the domains changes by itself: uptime and utilisation."""
    figures = (
        (name, domain.name, value)
        for domain in domains
        for name, value in (
            ("domain.uptime_seconds", domain.uptime_seconds),
            ("domain.utilisation_percent", domain.util),
        )
    )
    return [
        Gauge(name=name, subject_key=key, value=float(value))
        for name, key, value in figures
        if value is not None
    ]


def instruction_units(words: Iterable[str]) -> list[UnitFacts]:
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


def rng_units(providers: Iterable[str]) -> list[UnitFacts]:
    """Return the random number generators behind the kernel's hardware providers n2rng/N."""
    return [
        UnitFacts(
            key=name,
            kind=UnitKind.HARDWARE_RNG.value,
            name=f"Random number generator {name}",
            state="active",
            reason=_RNG_REASON,
        )
        for name in sorted(providers)
        if name.startswith("n2rng/")
    ]
