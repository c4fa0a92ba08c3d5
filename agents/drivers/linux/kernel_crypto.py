"""The kernel's crypto API: each driver of /proc/crypto is a provider of one algorithm."""

import re

from agents.drivers.linux.tree import Tree
from agents.parsers.linux.proc_crypto import KernelAlgorithm, parse_proc_crypto
from agents.wire.inventory import Attribute, MechanismFacts, ProviderFacts, ProviderKind

_DEVICE = re.compile(
    r"(^|[-_(])(qat|hisi|hpre|virtio_crypto|safexcel|caam|ccp|octeontx\w*|cpt|n5|chcr|nitrox|crypto4xx|"
    r"mv|omap|atmel|stm32|sun[48]i|rk|ccree|bcm|iproc|artpec\d|img|mtk|nx|tegra|talitos|keembay|"
    r"starfive|jh7110|aspeed|zynqmp|iaa|gxl)([-_)]|$)"
)
"""Names that drivers/crypto gives: devices beside the processor."""
_CPACF = re.compile(r"-s390$")
_CPU = re.compile(
    r"aesni|vaes|pclmul|clmul|-ni$|-ce$|-ce-|[-_]avx\w*|[-_]ssse3|[-_]sse\w*|[-_]neon\w*|-arm64|-p8$|"
    r"-aes-aesni|[-_]simd|shani|sha256-ni|gfni|riscv64"
)

_OPERATIONS = {
    "skcipher": ["encrypt", "decrypt"],
    "lskcipher": ["encrypt", "decrypt"],
    "ablkcipher": ["encrypt", "decrypt"],
    "blkcipher": ["encrypt", "decrypt"],
    "cipher": ["encrypt", "decrypt"],
    "aead": ["encrypt", "decrypt"],
    "akcipher": ["encrypt", "decrypt"],
    "sig": ["sign", "verify"],
    "kpp": ["derive"],
    "rng": ["generate"],
    "shash": ["digest"],
    "ahash": ["digest"],
}
_KEYED_HASH = re.compile(r"^(hmac|cmac|xcbc|vmac|cbcmac)\(|^(ghash|polyval|poly1305)")
_SIZES = {
    "blocksize": "block_bytes",
    "ivsize": "iv_bytes",
    "digestsize": "digest_bytes",
    "maxauthsize": "tag_bytes_most",
    "seedsize": "seed_bytes",
}


def kernel_providers(tree: Tree) -> list[ProviderFacts]:
    """Return the drivers, sorted by key. Algorithms still being made (`larval`) are left out.

    For each algorithm name the driver that the kernel would choose is marked: the highest priority,
    the first of equals, never an internal one.
    """
    algorithms = [
        a for a in tree.parse("/proc/crypto", parse_proc_crypto) or [] if a.kind != "larval"
    ]
    winners = _winners(algorithms)
    seen: dict[str, int] = {}
    providers = []
    for algorithm in algorithms:
        key = f"kernel:{algorithm.driver}"
        count = seen[key] = seen.get(key, 0) + 1
        providers.append(
            _provider(
                algorithm,
                key if count == 1 else f"{key}#{algorithm.kind or count}#{count}",
                is_winner=winners[_slot(algorithm)] is algorithm,
            )
        )
    return sorted(providers, key=lambda provider: provider.key)


def acceleration(driver: str) -> str:
    """Return what a driver's name says of where it computes.

    `device`, `cpacf` (the IBM Z processor's crypto unit), `cpu_instructions` or `none`. Templates
    around a driver (`cbc(aes-aesni)`) count as what they wrap.
    """
    if _CPACF.search(driver):
        return "cpacf"
    if _DEVICE.search(driver):
        return "device"
    return "cpu_instructions" if _CPU.search(driver) else "none"


def _slot(algorithm: KernelAlgorithm) -> tuple[str, str]:
    """Ciphers and hashes share names with nobody: what competes has the same name and sort."""
    hashes, ciphers = ("shash", "ahash"), ("skcipher", "lskcipher", "ablkcipher", "blkcipher")
    kind = algorithm.kind
    sort = "hash" if kind in hashes else "cipher" if kind in ciphers else kind
    return algorithm.name, sort


def _winners(
    algorithms: list[KernelAlgorithm],
) -> dict[tuple[str, str], KernelAlgorithm | None]:
    winners: dict[tuple[str, str], KernelAlgorithm | None] = {}
    for algorithm in algorithms:
        slot = _slot(algorithm)
        best = winners.setdefault(slot, None)
        if algorithm.is_internal or algorithm.selftest == "failed":
            continue
        if best is None or algorithm.priority > best.priority:
            winners[slot] = algorithm
    return winners


def _provider(algorithm: KernelAlgorithm, key: str, *, is_winner: bool) -> ProviderFacts:
    where = acceleration(algorithm.driver)
    is_hardware = where in ("device", "cpacf")
    attributes: dict[str, Attribute] = {
        "algorithm": algorithm.name,
        "priority": algorithm.priority,
        "type": algorithm.kind,
        "selftest": algorithm.selftest,
        "internal": algorithm.is_internal,
        "module": algorithm.module,
        "acceleration": where,
        "is_preferred": is_winner,
    }
    if algorithm.is_async is not None:
        attributes["async"] = algorithm.is_async
    if algorithm.is_fips is not None:
        attributes["fips"] = algorithm.is_fips
    kind = ProviderKind.KERNEL_HARDWARE if is_hardware else ProviderKind.KERNEL_SOFTWARE
    return ProviderFacts(
        key=key,
        kind=kind.value,
        name=algorithm.driver,
        description=algorithm.name,
        state="ok" if algorithm.selftest in ("passed", "") else f"selftest {algorithm.selftest}",
        attributes=attributes,
        mechanisms=[_mechanism(algorithm, is_hardware=is_hardware, is_winner=is_winner)],
    )


def _mechanism(algorithm: KernelAlgorithm, *, is_hardware: bool, is_winner: bool) -> MechanismFacts:
    attributes: dict[str, Attribute] = {
        "type": algorithm.kind,
        "priority": algorithm.priority,
        "is_preferred": is_winner,
    }
    for theirs, ours in _SIZES.items():
        text = algorithm.other.get(theirs, "")
        if text.isascii() and text.isdigit() and len(text) < 10:
            attributes[ours] = int(text)
    operations = _OPERATIONS.get(algorithm.kind, [])
    if operations == ["digest"] and _KEYED_HASH.match(algorithm.name):
        operations = ["sign", "verify"]
    has_key = algorithm.max_key_bytes is not None
    return MechanismFacts(
        name=algorithm.name,
        min_key_size=algorithm.min_key_bytes,
        max_key_size=algorithm.max_key_bytes,
        key_size_unit="bytes" if has_key else "",
        operations=list(operations),
        is_hardware=is_hardware,
        attributes=attributes,
    )
