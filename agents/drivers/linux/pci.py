"""Accelerators on PCI: Intel QAT with its virtual functions, and those of other makers."""

from dataclasses import dataclass

from agents.drivers.linux.pci_ids import KnownDevice, known_device
from agents.drivers.linux.tree import Tree
from agents.wire.inventory import Attribute, UnitFacts, UnitKind

_DEVICES = "/sys/bus/pci/devices"
_UACCE = "/sys/class/uacce"
_DENYLIST = "/sys/module/vfio_pci/parameters/disable_denylist"
_PSP_ATTRIBUTES = (
    "fused_part",
    "debug_lock_on",
    "tsme_status",
    "anti_rollback_status",
    "rom_armor_enforced",
    "hsp_tpm_available",
    "bootloader_version",
    "tee_version",
)
"""Documentation/ABI/testing/sysfs-driver-ccp; on client processors only."""
_EXTENDED_CAPABILITIES = 0x100
_DEVICE_SERIAL = 0x0003


@dataclass(frozen=True, slots=True)
class _Function:
    """One PCI function that is an accelerator."""

    address: str
    base: str
    known: KnownDevice
    driver: str
    parent: str
    iommu_group: str


def pci_units(tree: Tree) -> list[UnitFacts]:
    """Return all accelerators, by address and (where it has one and we may read it) serial.

    `qat/` exists for 4xxx, 420xx and 6xxx (Documentation/ABI/testing/sysfs-driver-qat).
    """
    functions = [found for name in tree.names(_DEVICES) if (found := _function(tree, name))]
    units = [_unit(tree, function) for function in functions]
    return units + _orphan_uacce(tree, {function.address for function in functions})


def _function(tree: Tree, address: str) -> _Function | None:
    base = f"{_DEVICES}/{address}"
    vendor, device = tree.read_int(f"{base}/vendor"), tree.read_int(f"{base}/device")
    if vendor is None or device is None:
        return None
    known = known_device(vendor, device, tree.read_int(f"{base}/class") or 0)
    if known is None:
        return None
    return _Function(
        address=address,
        base=base,
        known=known,
        driver=tree.link_name(f"{base}/driver") or "",
        parent=tree.link_name(f"{base}/physfn") or "",
        iommu_group=tree.link_name(f"{base}/iommu_group") or "",
    )


def _unit(tree: Tree, function: _Function) -> UnitFacts:
    serial = _serial(tree.read_bytes(f"{function.base}/config"))
    is_assignable, reason = _assignable(tree, function)
    uacce = _uacce_of(tree, function.address)
    features = (tree.read_word(f"{function.base}/qat/cfg_services") or "").split(";")
    if uacce:
        features = _algorithms(tree, uacce)
    return UnitFacts(
        key=f"pci:{function.address}" + (f"/{serial}" if serial else ""),
        kind=function.known.kind.value,
        name=f"{function.known.name} {function.address}",
        is_assignable=is_assignable,
        state=_state(tree, function),
        features=sorted(word for word in features if word),
        reason=reason,
        attributes=_attributes(tree, function, serial, uacce),
    )


def _state(tree: Tree, function: _Function) -> str:
    word = tree.read_word(f"{function.base}/qat/state")
    if word is not None:
        return {"up": "active", "down": "offline"}.get(word, word)
    if function.driver == "vfio-pci":
        return "reserved"
    return "active" if function.driver else "present"


def _assignable(tree: Tree, function: _Function) -> tuple[bool, str]:
    """Whether a guest can have it, and why not. A VF needs an IOMMU group; a PF gives out VFs."""
    known = function.known
    if known.note:
        return False, known.note
    if not (known.is_function or function.parent):
        if (tree.read_int(f"{function.base}/sriov_totalvfs") or 0) > 0:
            return False, "Its virtual functions are assigned, not the device itself."
        return False, "It has no virtual functions that could be assigned."
    if not function.iommu_group:
        return False, "It is in no IOMMU group: switch the IOMMU on in firmware and kernel."
    if known.is_denied_by_vfio and tree.read_word(_DENYLIST) != "Y":
        return False, "vfio-pci refuses this model unless vfio_pci.disable_denylist=1 is set."
    return True, ""


def _attributes(tree: Tree, function: _Function, serial: str, uacce: str) -> dict[str, Attribute]:
    base = function.base
    attributes: dict[str, Attribute] = {
        "address": function.address,
        "driver": function.driver or "none",
        "generation": function.known.generation or None,
        "serial": serial or None,
        "physical_function": function.parent or None,
        "iommu_group": function.iommu_group or None,
        "numa_node": tree.read_int(f"{base}/numa_node"),
        "virtual_functions": tree.read_int(f"{base}/sriov_numvfs"),
        "virtual_functions_most": tree.read_int(f"{base}/sriov_totalvfs"),
        "uacce": uacce or None,
    }
    if function.known.kind is UnitKind.QAT_DEVICE:
        attributes |= {
            "ring_pairs": tree.read_int(f"{base}/qat/num_rps"),
            "is_power_saving": _flag(tree.read_word(f"{base}/qat/pm_idle_enabled")),
            "auto_reset": tree.read_word(f"{base}/qat/auto_reset"),
            "has_services": tree.exists(f"{base}/qat/cfg_services"),
        }
    if function.known.has_psp:
        attributes |= {name: tree.read_word(f"{base}/{name}") for name in _PSP_ATTRIBUTES}
    return {key: value for key, value in attributes.items() if value is not None}


def _flag(word: str | None) -> bool | None:
    return None if word is None else word in ("1", "Y", "on")


def _serial(config: bytes) -> str:
    """Return the device serial number (PCI Express, capability 3), e.g. `00-11-22-33-44-55-66-77`.

    Only root may read beyond the first 64 bytes of a configuration space.
    """
    offset = _EXTENDED_CAPABILITIES
    for _ in range(64):
        header = int.from_bytes(config[offset : offset + 4], "little")
        if len(config) < offset + 12 or header in (0, 0xFFFFFFFF):
            return ""
        if header & 0xFFFF == _DEVICE_SERIAL:
            number = int.from_bytes(config[offset + 4 : offset + 12], "little")
            return number.to_bytes(8, "big").hex("-") if number else ""
        offset = header >> 20
        if offset < _EXTENDED_CAPABILITIES:
            return ""
    return ""


def _uacce_of(tree: Tree, address: str) -> str:
    for name in tree.names(_UACCE):
        if tree.link_name(f"{_UACCE}/{name}/device") == address:
            return name
    return ""


def _algorithms(tree: Tree, name: str) -> list[str]:
    return (tree.read(f"{_UACCE}/{name}/algorithms") or "").split()


def _orphan_uacce(tree: Tree, known: set[str]) -> list[UnitFacts]:
    """User-space accelerators (Documentation/misc-devices/uacce.rst) that no known device owns."""
    return [
        UnitFacts(
            key=f"uacce:{name}",
            kind=UnitKind.PCI_ACCELERATOR.value,
            name=f"Accelerator {name}",
            state="active",
            features=sorted(_algorithms(tree, name)),
            reason="Programs share it through /dev; it is not assigned.",
            attributes={"api": tree.read_word(f"{_UACCE}/{name}/api")},
        )
        for name in tree.names(_UACCE)
        if tree.link_name(f"{_UACCE}/{name}/device") not in known
    ]
