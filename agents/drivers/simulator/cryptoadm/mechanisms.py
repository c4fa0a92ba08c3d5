"""Which provider of which machine offers which mechanisms, with key sizes and operations.

Numbers are those of PKCS#11 v2.20, typed here by hand: the simulator shares nothing with parsers.
"""

from dataclasses import dataclass

from agents.drivers.simulator.editions import Edition

NUMBERS = {
    "CKM_RSA_PKCS_KEY_PAIR_GEN": 0x0,
    "CKM_RSA_PKCS": 0x1,
    "CKM_RSA_X_509": 0x3,
    "CKM_MD5_RSA_PKCS": 0x5,
    "CKM_SHA1_RSA_PKCS": 0x6,
    "CKM_DSA_KEY_PAIR_GEN": 0x10,
    "CKM_DSA": 0x11,
    "CKM_DSA_SHA1": 0x12,
    "CKM_DH_PKCS_KEY_PAIR_GEN": 0x20,
    "CKM_DH_PKCS_DERIVE": 0x21,
    "CKM_RC4_KEY_GEN": 0x110,
    "CKM_RC4": 0x111,
    "CKM_DES_KEY_GEN": 0x120,
    "CKM_DES_ECB": 0x121,
    "CKM_DES_CBC": 0x122,
    "CKM_DES_CBC_PAD": 0x125,
    "CKM_DES3_KEY_GEN": 0x131,
    "CKM_DES3_ECB": 0x132,
    "CKM_DES3_CBC": 0x133,
    "CKM_DES3_CBC_PAD": 0x136,
    "CKM_MD5": 0x210,
    "CKM_MD5_HMAC": 0x211,
    "CKM_MD5_HMAC_GENERAL": 0x212,
    "CKM_SHA_1": 0x220,
    "CKM_SHA_1_HMAC": 0x221,
    "CKM_SHA_1_HMAC_GENERAL": 0x222,
    "CKM_SHA256": 0x250,
    "CKM_SHA256_HMAC": 0x251,
    "CKM_SHA256_HMAC_GENERAL": 0x252,
    "CKM_SHA384": 0x260,
    "CKM_SHA512": 0x270,
    "CKM_EC_KEY_PAIR_GEN": 0x1040,
    "CKM_ECDSA": 0x1041,
    "CKM_ECDSA_SHA1": 0x1042,
    "CKM_ECDH1_DERIVE": 0x1050,
    "CKM_AES_KEY_GEN": 0x1080,
    "CKM_AES_ECB": 0x1081,
    "CKM_AES_CBC": 0x1082,
    "CKM_AES_CBC_PAD": 0x1085,
    "CKM_AES_CTR": 0x1086,
    "CKM_AES_GCM": 0x1087,
    "CKM_AES_CCM": 0x1088,
    "CKM_BLOWFISH_KEY_GEN": 0x1090,
    "CKM_BLOWFISH_CBC": 0x1091,
}
VENDOR = 0x80000000
_NAMES = {number: name for name, number in NUMBERS.items()}

_CIPHER, _DIGEST, _SIGN, _KEY, _PAIR = (1, 2, 10, 11), (3,), (4, 6), (8,), (9,)
_RSA, _DERIVE = (1, 2, 4, 5, 6, 7, 10, 11), (12,)
_EC_SIGN, _EC_PAIR, _EC_DERIVE = (4, 6, 13), (9, 13), (12, 13)
FLAGS = 14
"""HW, Encrypt, Decrypt, Digest, Sign, Sign-Recover, Verify, Verify-Recover, Generate-Key,
Generate-Pair, Wrap, Unwrap, Derive, EC: the order of the columns of `cryptoadm list -mv`."""

_SIZES: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "CKM_DES_CBC": (8, 8, _CIPHER),
    "CKM_DES_CBC_PAD": (8, 8, _CIPHER),
    "CKM_DES_ECB": (8, 8, _CIPHER),
    "CKM_DES_KEY_GEN": (8, 8, _KEY),
    "CKM_DES3_CBC": (24, 24, _CIPHER),
    "CKM_DES3_CBC_PAD": (24, 24, _CIPHER),
    "CKM_DES3_ECB": (24, 24, _CIPHER),
    "CKM_DES3_KEY_GEN": (24, 24, _KEY),
    "CKM_AES_CBC": (16, 32, _CIPHER),
    "CKM_AES_CBC_PAD": (16, 32, _CIPHER),
    "CKM_AES_CTR": (16, 32, _CIPHER),
    "CKM_AES_CCM": (16, 32, _CIPHER),
    "CKM_AES_GCM": (16, 32, _CIPHER),
    "CKM_AES_ECB": (16, 32, _CIPHER),
    "CKM_AES_KEY_GEN": (16, 32, _KEY),
    "CKM_BLOWFISH_CBC": (4, 56, _CIPHER),
    "CKM_BLOWFISH_KEY_GEN": (4, 56, _KEY),
    "CKM_RC4": (1, 256, (1, 2)),
    "CKM_RC4_KEY_GEN": (1, 256, _KEY),
    "CKM_MD5": (0, 0, _DIGEST),
    "CKM_MD5_HMAC": (1, 64, _SIGN),
    "CKM_MD5_HMAC_GENERAL": (1, 64, _SIGN),
    "CKM_SHA_1": (0, 0, _DIGEST),
    "CKM_SHA_1_HMAC": (1, 64, _SIGN),
    "CKM_SHA_1_HMAC_GENERAL": (1, 64, _SIGN),
    "CKM_SHA256": (0, 0, _DIGEST),
    "CKM_SHA256_HMAC": (1, 64, _SIGN),
    "CKM_SHA256_HMAC_GENERAL": (1, 64, _SIGN),
    "CKM_SHA384": (0, 0, _DIGEST),
    "CKM_SHA512": (0, 0, _DIGEST),
    "CKM_DSA": (512, 1024, _SIGN),
    "CKM_DSA_SHA1": (512, 1024, _SIGN),
    "CKM_DSA_KEY_PAIR_GEN": (512, 1024, _PAIR),
    "CKM_RSA_PKCS": (256, 4096, _RSA),
    "CKM_RSA_X_509": (256, 4096, _RSA),
    "CKM_RSA_PKCS_KEY_PAIR_GEN": (256, 4096, _PAIR),
    "CKM_MD5_RSA_PKCS": (256, 4096, _SIGN),
    "CKM_SHA1_RSA_PKCS": (256, 4096, _SIGN),
    "CKM_DH_PKCS_DERIVE": (64, 4096, _DERIVE),
    "CKM_DH_PKCS_KEY_PAIR_GEN": (64, 4096, _PAIR),
    "CKM_EC_KEY_PAIR_GEN": (112, 571, _EC_PAIR),
    "CKM_ECDSA": (112, 571, _EC_SIGN),
    "CKM_ECDSA_SHA1": (112, 571, _EC_SIGN),
    "CKM_ECDH1_DERIVE": (112, 571, _EC_DERIVE),
}
_SOFTTOKEN = tuple(name for name in _SIZES if name not in ("CKM_AES_CCM", "CKM_AES_GCM"))
_T4_HARDWARE = ("CKM_AES_", "CKM_DES", "CKM_SHA", "CKM_MD5", "CKM_RSA_", "CKM_DSA", "CKM_EC")

KERNEL_LIBRARY = "/usr/lib/security/$ISA/pkcs11_kernel.so"
SOFTTOKEN_LIBRARY = "/usr/lib/security/$ISA/pkcs11_softtoken.so"

_NCP = (
    "CKM_DSA",
    "CKM_RSA_X_509",
    "CKM_RSA_PKCS",
    "CKM_RSA_PKCS_KEY_PAIR_GEN",
    "CKM_DH_PKCS_KEY_PAIR_GEN",
    "CKM_DH_PKCS_DERIVE",
    "CKM_EC_KEY_PAIR_GEN",
    "CKM_ECDH1_DERIVE",
    "CKM_ECDSA",
)
_N2CP = (
    "CKM_DES_CBC",
    "CKM_DES_ECB",
    "CKM_DES3_CBC",
    "CKM_DES3_ECB",
    "CKM_AES_CBC",
    "CKM_AES_ECB",
    "CKM_AES_CTR",
    "CKM_RC4",
    "CKM_MD5",
    "CKM_SHA_1",
    "CKM_SHA256",
    "CKM_MD5_HMAC",
    "CKM_SHA_1_HMAC",
    "CKM_SHA256_HMAC",
    "CKM_MD5_HMAC_GENERAL",
    "CKM_SHA_1_HMAC_GENERAL",
    "CKM_SHA256_HMAC_GENERAL",
)
_AES_S10 = ("CKM_AES_ECB", "CKM_AES_CBC", "CKM_AES_CTR", "CKM_AES_CCM")
_SOFTWARE = {
    "des": ("CKM_DES_ECB", "CKM_DES_CBC", "CKM_DES3_ECB", "CKM_DES3_CBC"),
    "aes": _AES_S10,
    "arcfour": ("CKM_RC4",),
    "blowfish": ("CKM_BLOWFISH_CBC",),
    "ecc": ("CKM_EC_KEY_PAIR_GEN", "CKM_ECDH1_DERIVE", "CKM_ECDSA", "CKM_ECDSA_SHA1"),
    "sha1": ("CKM_SHA_1", "CKM_SHA_1_HMAC", "CKM_SHA_1_HMAC_GENERAL"),
    "sha2": ("CKM_SHA256", "CKM_SHA256_HMAC", "CKM_SHA256_HMAC_GENERAL", "CKM_SHA384"),
    "md5": ("CKM_MD5", "CKM_MD5_HMAC", "CKM_MD5_HMAC_GENERAL"),
    "rsa": ("CKM_RSA_PKCS", "CKM_RSA_X_509", "CKM_MD5_RSA_PKCS", "CKM_SHA1_RSA_PKCS"),
    "swrand": (),
}
RANDOM_PROVIDERS = frozenset({"swrand", "n2rng/0", SOFTTOKEN_LIBRARY})


@dataclass(frozen=True, slots=True)
class MechanismRow:
    """One row of `cryptoadm list -mv`."""

    name: str
    low: int
    high: int
    flags: tuple[bool, ...]


def software_providers(edition: Edition) -> dict[str, tuple[str, ...]]:
    """Return kernel software providers and their mechanisms. Solaris 10 has no GCM."""
    found = dict(_SOFTWARE)
    if edition.release != "5.10":
        found["aes"] = (*_AES_S10, "CKM_AES_GCM")
    return found


def hardware_providers(edition: Edition) -> dict[str, tuple[str, ...]]:
    """Return kernel hardware providers and their mechanisms; from T4 on there are none."""
    if not edition.has_units:
        return {}
    return {"n2rng/0": (), "ncp/0": _NCP, "n2cp/0": _N2CP}


def softtoken_rows(edition: Edition) -> list[MechanismRow]:
    """Return the softtoken's mechanisms; on T4 the HW column shows the chip's instructions."""
    is_t4 = not edition.has_units
    return [_row(n, is_hardware=is_t4 and n.startswith(_T4_HARDWARE)) for n in _SOFTTOKEN]


def hardware_rows(edition: Edition, provider: str) -> list[MechanismRow]:
    """Return the mechanisms of the slot that pkcs11_kernel shows for a hardware provider."""
    return [_row(name, is_hardware=True) for name in hardware_providers(edition)[provider]]


def number_of(name: str) -> int | None:
    """Return a mechanism's number; None for a name that there is not."""
    if name in NUMBERS:
        return NUMBERS[name]
    try:
        number = int(name, 16) if name.lower().startswith("0x") else -1
    except ValueError:
        return None
    return number if number >= VENDOR else None


def name_of(number: int) -> str:
    """Return a mechanism's name, or its raw number where it has none."""
    return _NAMES.get(number, f"{number:#x}")


def _row(name: str, *, is_hardware: bool) -> MechanismRow:
    low, high, places = _SIZES[name]
    flags = tuple(place in places or (place == 0 and is_hardware) for place in range(FLAGS))
    return MechanismRow(name, low, 2048 if is_hardware and high == 4096 else high, flags)
