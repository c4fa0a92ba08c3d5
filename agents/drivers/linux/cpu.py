"""The processors' crypto instructions as units that nobody can assign."""

from dataclasses import dataclass

from agents.parsers.linux.cpuinfo import CpuInfo
from agents.wire.inventory import Attribute, FindingFacts, Severity, UnitFacts, UnitKind

_REASON = "Instructions of the processor serve every program; they are not assigned."


@dataclass(frozen=True, slots=True)
class _Family:
    """Instructions with one purpose. `usual` are those whose absence is worth a word."""

    key: str
    name: str
    purpose: str
    words: tuple[str, ...]
    usual: tuple[str, ...] = ()


_X86 = (
    _Family("aes", "AES instructions", "AES", ("aes", "vaes"), ("aes", "vaes")),
    _Family(
        "clmul",
        "Carry-less multiplication",
        "GCM, CRC",
        ("pclmulqdq", "vpclmulqdq"),
        ("pclmulqdq", "vpclmulqdq"),
    ),
    _Family("sha", "SHA instructions", "SHA-1, SHA-2", ("sha_ni", "sha512"), ("sha_ni",)),
    _Family(
        "gfni", "Galois field instructions", "AES, SM4, ARIA in software", ("gfni",), ("gfni",)
    ),
    _Family("sm", "SM3 and SM4 instructions", "SM3, SM4", ("sm3", "sm4")),
    _Family(
        "rng",
        "Random number instructions",
        "seeding of random number generators",
        ("rdrand", "rdseed"),
        ("rdrand", "rdseed"),
    ),
    _Family("vector", "Vector units", "RSA, ChaCha20, Poly1305, hashes", ("avx2", "avx_ifma")),
)
_ARM = (
    _Family("aes", "AES instructions", "AES", ("aes", "sveaes"), ("aes",)),
    _Family("clmul", "Carry-less multiplication", "GCM", ("pmull", "svepmull"), ("pmull",)),
    _Family(
        "sha",
        "SHA instructions",
        "SHA-1, SHA-2, SHA-3",
        ("sha1", "sha2", "sha3", "sha512", "svesha3"),
        ("sha1", "sha2", "sha512"),
    ),
    _Family("sm", "SM3 and SM4 instructions", "SM3, SM4", ("sm3", "sm4", "svesm4")),
    _Family("rng", "Random number instructions", "random numbers", ("rng",)),
)

_MSA_FACILITIES = {
    17: "MSA",
    76: "MSA3",
    77: "MSA4",
    57: "MSA5",
    146: "MSA8",
    155: "MSA9",
    86: "MSA12",
}
"""Message-security assist levels by facility number (z/Architecture Principles of Operation)."""


def cpu_units(cpu: CpuInfo) -> list[UnitFacts]:
    """Return one unit for each purpose that the processors have instructions for."""
    if cpu.family == "s390x":
        return _cpacf(cpu)
    families = {"x86": _X86, "arm": _ARM}.get(cpu.family, ())
    units = []
    for family in families:
        features = [word for word in family.words if word in cpu.features]
        if family.key == "vector":
            features += [word for word in cpu.features if word.startswith("avx512")]
        if features:
            units.append(_unit(family.key, family.name, features, {"purpose": family.purpose}))
    return units


def cpu_settings(cpu: CpuInfo) -> dict[str, Attribute]:
    """Return which usual crypto instructions are missing: a hypervisor may hide them."""
    families = {"x86": _X86, "arm": _ARM}.get(cpu.family, ())
    missing = [w for family in families for w in family.usual if w not in cpu.features]
    return {"cpu.crypto_instructions_missing": missing} if families else {}


def cpu_findings(cpu: CpuInfo) -> list[FindingFacts]:
    """Return a finding where only some processors have a crypto instruction."""
    families = {"x86": _X86, "arm": _ARM}.get(cpu.family, ())
    known = {word for family in families for word in family.words}
    uneven = [word for word in cpu.partial if word in known or word.startswith("avx512")]
    if not uneven:
        return []
    return [
        FindingFacts(
            code="cpu.instructions_differ",
            severity=Severity.NOTICE.value,
            subject_kind="host",
            subject_key="",
            message=(
                "Only some of this host's processors have these crypto instructions: "
                f"{', '.join(uneven)}. They are not counted as present."
            ),
            remedy="Pin measurements to processors of one kind.",
            evidence={"instructions": uneven},
        )
    ]


def _cpacf(cpu: CpuInfo) -> list[UnitFacts]:
    if "msa" not in cpu.features:
        return []
    levels = [name for number, name in _MSA_FACILITIES.items() if number in cpu.facilities]
    attributes: dict[str, Attribute] = {"purpose": "AES, DES, SHA, GCM, random numbers, ECC"}
    if not cpu.facilities:
        attributes["levels"] = "not reported by this kernel"
    return [_unit("cpacf", "CPACF (message-security assist)", levels or ["MSA"], attributes)]


def _unit(key: str, name: str, features: list[str], attributes: dict[str, Attribute]) -> UnitFacts:
    return UnitFacts(
        key=f"cpu:{key}",
        kind=UnitKind.CPU_INSTRUCTIONS.value,
        name=name,
        state="active",
        features=features,
        reason=_REASON,
        attributes=attributes,
    )
