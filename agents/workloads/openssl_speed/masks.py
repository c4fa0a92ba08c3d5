"""Which CPU instructions a named set switches off in OpenSSL, how, and whether it took effect.

x86 (`OPENSSL_ia32cap`, tried on Intel and AMD): five 64-bit words after a `~` that clears bits.
Two mistakes are common. The often quoted one-word mask `~0x200000200000000` also clears every later
word, so SHA, AVX2 and AVX-512 go with it and the figure is not that of AES. And a mask that
touches word 0 alone and keeps word 1 leaves AES-GCM on VAES in 3.5: nothing was switched off. So
all five words are always given, VAES and VPCLMULQDQ belong to `aes`, and OpenSSL's own word is read
back each time. 3.0 knows two words and ignores the rest.

Arm (`OPENSSL_armcap`, from arm_arch.h, not tried): an absolute value, so *accelerated* sets the
probed value and *software* the same without the bits. s390x (`OPENSSL_s390xcap`, from its manual
page, not tried): masks that are ANDed, two words per instruction, three for `stfle`; bit 0 is the
leftmost. A processor generation such as `z900` would drop the vector facility too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.parsers.openssl import CpuSettings

MASK_NAMES = ("aes", "sha", "vector")
"""The named sets, alike on all platforms; a CPU may lack one."""


@dataclass(frozen=True, slots=True)
class CpuBit:
    """One capability bit: `value` within word `word` of `group` (empty except on s390x)."""

    name: str
    word: int
    value: int
    group: str = ""

    def is_set(self, settings: CpuSettings) -> bool:
        """Whether the library says that it uses this instruction."""
        words = settings.groups.get(self.group, ())
        return self.word < len(words) and bool(words[self.word] & self.value)


def _s390x(name: str, group: str, number: int) -> CpuBit:
    """Facility bit or function code → bit, counted from the left (s390x_arch.h, S390X_CAPBIT)."""
    return CpuBit(name, number // 64, 1 << (63 - number % 64), group)


_IA32 = {
    "aes": (
        CpuBit("AES-NI", 0, 1 << 57),
        CpuBit("PCLMULQDQ", 0, 1 << 33),
        CpuBit("VAES", 1, 1 << 41),
        CpuBit("VPCLMULQDQ", 1, 1 << 42),
    ),
    "sha": (
        CpuBit("SHA-NI", 1, 1 << 29),
        CpuBit("SHA512", 2, 1 << 32),
        CpuBit("SM3", 2, 1 << 33),
        CpuBit("SM4", 2, 1 << 34),
    ),
    "vector": (
        CpuBit("AVX512F", 1, 1 << 16),
        CpuBit("AVX512DQ", 1, 1 << 17),
        CpuBit("AVX512IFMA", 1, 1 << 21),
        CpuBit("AVX512BW", 1, 1 << 30),
        CpuBit("AVX512VL", 1, 1 << 31),
        CpuBit("AVX-IFMA", 2, 1 << 55),
        CpuBit("AVX10", 3, 1 << 19),
    ),
}
_IA32_WORDS = 5

_ARM = {
    "aes": (
        CpuBit("AES", 0, 1 << 2),
        CpuBit("PMULL", 0, 1 << 5),
        CpuBit("UNROLL8_EOR3", 0, 1 << 12),
        CpuBit("UNROLL12_EOR3", 0, 1 << 16),
    ),
    "sha": (
        CpuBit("SHA1", 0, 1 << 3),
        CpuBit("SHA256", 0, 1 << 4),
        CpuBit("SHA512", 0, 1 << 6),
        CpuBit("SM3", 0, 1 << 9),
        CpuBit("SHA3", 0, 1 << 11),
        CpuBit("SHA3_WORTH_USING", 0, 1 << 15),
    ),
    "vector": (
        CpuBit("NEON", 0, 1 << 0),
        CpuBit("SVE", 0, 1 << 13),
        CpuBit("SVE2", 0, 1 << 14),
    ),
}

_AES_CODES = ((18, "128"), (19, "192"), (20, "256"))
_XTS_CODES = ((50, "128"), (52, "256"))
_SHA_CODES = (
    *((1, "SHA-1"), (2, "SHA-256"), (3, "SHA-512"), (32, "SHA3-224"), (33, "SHA3-256")),
    *((34, "SHA3-384"), (35, "SHA3-512"), (36, "SHAKE-128"), (37, "SHAKE-256")),
)
_S390X = {
    "aes": (
        *(
            _s390x(f"{group.upper()}-AES-{bits}", group, code)
            for group in ("km", "kmc", "kmac", "kmctr", "kmo", "kmf", "kma")
            for code, bits in _AES_CODES
        ),
        *(
            _s390x(f"{group.upper()}-XTS-AES-{bits}", group, code)
            for group in ("km", "pcc")
            for code, bits in _XTS_CODES
        ),
        _s390x("KIMD-GHASH", "kimd", 65),
    ),
    "sha": tuple(
        _s390x(f"{group.upper()}-{name}", group, code)
        for group in ("kimd", "klmd")
        for code, name in _SHA_CODES
    ),
    "vector": (
        _s390x("vector facility", "stfle", 129),
        _s390x("vector packed decimal", "stfle", 134),
        _s390x("vector enhancements 1", "stfle", 135),
        _s390x("vector enhancements 2", "stfle", 148),
    ),
}
_S390X_WORDS = {"stfle": 3}

_PLATFORMS: Mapping[str, Mapping[str, tuple[CpuBit, ...]]] = {
    "OPENSSL_ia32cap": _IA32,
    "OPENSSL_armcap": _ARM,
    "OPENSSL_s390xcap": _S390X,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskChoices:
    """Which sets can be switched off here, and why the others cannot."""

    available: tuple[str, ...]
    unavailable: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedVariants:
    """The two environments of a comparison, and the instructions that *software* does without."""

    variable: str
    accelerated: dict[str, str]
    software: dict[str, str]
    switched_off: tuple[str, ...]


class MaskHasNoEffect(ValueError):
    """OpenSSL's own word after masking is not what the mask asked for; the text says how."""


def mask_choices(settings: CpuSettings) -> MaskChoices:
    """Return the sets of which this CPU has at least one instruction that the library uses."""
    sets = _PLATFORMS.get(settings.variable, {})
    unavailable = {}
    for name in MASK_NAMES:
        bits = sets.get(name, ())
        if not bits:
            unavailable[name] = f"no mask is known for {settings.variable}"
        elif not any(bit.is_set(settings) for bit in bits):
            names = ", ".join(bit.name for bit in bits[:5])
            unavailable[name] = f"OpenSSL uses none of {names} on this CPU"
    return MaskChoices(
        available=tuple(name for name in MASK_NAMES if name not in unavailable),
        unavailable=unavailable,
    )


def masked_variants(settings: CpuSettings, masks: Sequence[str]) -> MaskedVariants:
    """Build both environments for these sets (all available here) from the unmasked settings."""
    bits = _bits(settings, masks)
    accelerated: dict[str, str] = {}
    if settings.variable == "OPENSSL_ia32cap":
        software = _ia32_value(bits)
    elif settings.variable == "OPENSSL_armcap":
        probed = settings.groups[""][0]
        accelerated = {settings.variable: f"0x{probed:x}"}
        software = f"0x{probed & ~_word(bits, 0):x}"
    else:
        software = _s390x_value(bits)
    return MaskedVariants(
        variable=settings.variable,
        accelerated=accelerated,
        software={settings.variable: software},
        switched_off=tuple(bit.name for bit in bits if bit.is_set(settings)),
    )


def check_effect(before: CpuSettings, after: CpuSettings | None, masks: Sequence[str]) -> None:
    """Compare OpenSSL's own word without and with the mask. Raises MaskHasNoEffect.

    Every set must have lost at least one instruction, none of its instructions may be left, and
    nothing else may have changed: otherwise a comparison would not be of what it says.
    """
    if after is None or after.variable != before.variable:
        raise MaskHasNoEffect("OpenSSL does not say which instructions it uses under the mask")
    for name in masks:
        bits = _bits(before, [name])
        if left := [bit.name for bit in bits if bit.is_set(after)]:
            raise MaskHasNoEffect(f"mask {name}: OpenSSL still uses {', '.join(left)}")
        if not any(bit.is_set(before) for bit in bits):
            raise MaskHasNoEffect(f"mask {name}: there was nothing to switch off")
    cleared = _bits(before, masks)
    for group, words in before.groups.items():
        expected = tuple(word & ~_word(cleared, index, group) for index, word in enumerate(words))
        if after.groups.get(group) != expected:
            raise MaskHasNoEffect(f"the mask changed more than it names: {after.text}")


def check_unchanged(before: CpuSettings, after: CpuSettings | None) -> None:
    """Check that *accelerated* really has everything. Raises MaskHasNoEffect."""
    if after is None or after.groups != before.groups:
        text = after.text if after else "nothing"
        raise MaskHasNoEffect(f"the accelerated variant lacks something: OpenSSL says {text}")


def _bits(settings: CpuSettings, masks: Sequence[str]) -> tuple[CpuBit, ...]:
    sets = _PLATFORMS.get(settings.variable, {})
    return tuple(bit for name in MASK_NAMES if name in masks for bit in sets.get(name, ()))


def _word(bits: Sequence[CpuBit], index: int, group: str = "") -> int:
    return sum({bit.value for bit in bits if bit.word == index and bit.group == group})


def _ia32_value(bits: Sequence[CpuBit]) -> str:
    return ":".join(f"~0x{_word(bits, index):x}" for index in range(_IA32_WORDS))


def _s390x_value(bits: Sequence[CpuBit]) -> str:
    tokens = []
    for group in dict.fromkeys(bit.group for bit in bits):
        words = (_word(bits, index, group) for index in range(_S390X_WORDS.get(group, 2)))
        tokens.append(":".join([group, *(f"~0x{word:x}" for word in words)]))
    return ";".join(tokens)
