"""Small devices: hardware random number generators, TPMs, virtio-crypto."""

import re

from agents.drivers.linux.tree import Tree
from agents.wire.inventory import Attribute, UnitFacts, UnitKind

_HWRNG = "/sys/class/misc/hw_random"
_TPM = "/sys/class/tpm"
_VIRTIO = "/sys/bus/virtio/devices"
_VIRTIO_ID_CRYPTO = 20
_PCI_ADDRESS = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_TPM_NAME = re.compile(r"^tpm\d+$")


def rng_units(tree: Tree) -> list[UnitFacts]:
    """Return the kernel's hardware RNGs (Documentation/admin-guide/hw_random.rst).

    `none` is a choice, not a generator. Quality (entropy bits per 1024 bits) is known of the
    current one only.
    """
    current = tree.read_word(f"{_HWRNG}/rng_current")
    units = []
    for name in (tree.read_word(f"{_HWRNG}/rng_available") or "").split():
        if name == "none":
            continue
        attributes: dict[str, Attribute] = {"is_current": name == current}
        if name == current:
            attributes["quality"] = tree.read_int(f"{_HWRNG}/rng_quality")
            attributes["chosen_by_admin"] = tree.read_int(f"{_HWRNG}/rng_selected") == 1
        units.append(
            UnitFacts(
                key=f"hwrng:{name}",
                kind=UnitKind.HARDWARE_RNG.value,
                name=name,
                state="active" if name == current else "present",
                reason="It feeds the kernel's random numbers, which everybody shares.",
                attributes=attributes,
            )
        )
    return units


def rng_settings(tree: Tree) -> dict[str, Attribute]:
    """Return which generator feeds the kernel: its name, `none`, or `not available`."""
    return {"hwrng.current": tree.read_word(f"{_HWRNG}/rng_current") or "not available"}


def tpm_units(tree: Tree) -> list[UnitFacts]:
    """Return the TPMs of /sys/class/tpm."""
    units = []
    for name in tree.names(_TPM):
        if not _TPM_NAME.match(name):
            continue
        base = f"{_TPM}/{name}"
        version = tree.read_int(f"{base}/tpm_version_major")
        attributes: dict[str, Attribute] = {
            "version": {1: "1.2", 2: "2.0"}.get(version or 0, "unknown"),
            "driver": tree.link_name(f"{base}/device/driver"),
            "description": tree.read_word(f"{base}/device/description"),
            "has_resource_manager": tree.exists(f"/dev/{name.replace('tpm', 'tpmrm')}"),
        }
        units.append(
            UnitFacts(
                key=f"tpm:{name}",
                kind=UnitKind.TPM.value,
                name=f"TPM {attributes['version']} ({name})",
                state="active",
                reason="A TPM belongs to this host; virtual machines get emulated ones.",
                attributes={k: v for k, v in attributes.items() if v is not None},
            )
        )
    return units


def virtio_crypto_units(tree: Tree) -> list[UnitFacts]:
    """Return virtio devices of type 20 (virtio v1.2, section 5.9), by their PCI address."""
    units = []
    for name in tree.names(_VIRTIO):
        base = f"{_VIRTIO}/{name}"
        if tree.read_int(f"{base}/device") != _VIRTIO_ID_CRYPTO:
            continue
        addresses = _PCI_ADDRESS.findall(tree.resolve(base))
        driver = tree.link_name(f"{base}/driver")
        attributes: dict[str, Attribute] = {"virtio": name}
        if driver:
            attributes["driver"] = driver
        units.append(
            UnitFacts(
                key=f"virtio_crypto:{addresses[-1] if addresses else name}",
                kind=UnitKind.VIRTIO_CRYPTO.value,
                name=f"virtio-crypto {addresses[-1] if addresses else name}",
                state="active" if driver else "offline",
                reason="It belongs to this guest; its hypervisor gives and takes it."
                if driver
                else "No driver is bound: load the module virtio_crypto.",
                attributes=attributes,
            )
        )
    return units
