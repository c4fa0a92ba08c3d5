"""PCI ids of crypto accelerators. An own table, because distributions' pci.ids lag behind."""

from dataclasses import dataclass

from agents.wire.inventory import UnitKind


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """What a vendor:device id stands for."""

    name: str
    kind: UnitKind = UnitKind.PCI_ACCELERATOR
    generation: str = ""
    is_denied_by_vfio: bool = False
    """vfio-pci refuses it unless vfio_pci.disable_denylist=1 (drivers/vfio/pci/vfio_pci.c)."""
    is_function: bool = False
    """A virtual function."""
    note: str = ""
    has_psp: bool = False
    """An AMD or Hygon secure processor, with attributes of its own."""


def _qat(name: str, generation: str, pf: int, *, is_denied: bool = False) -> dict[int, KnownDevice]:
    """PF and VF of one QAT device; the VF's id follows the PF's."""
    return {
        pf: KnownDevice(name, UnitKind.QAT_DEVICE, generation, is_denied),
        pf + 1: KnownDevice(f"{name} VF", UnitKind.QAT_VF, generation, is_denied, is_function=True),
    }


_INTEL = {
    0x0435: KnownDevice("QAT DH895xCC", UnitKind.QAT_DEVICE, "gen2", True),
    0x0443: KnownDevice("QAT DH895xCC VF", UnitKind.QAT_VF, "gen2", True, is_function=True),
    **_qat("QAT C62x", "gen2", 0x37C8, is_denied=True),
    **_qat("QAT C3xxx", "gen2", 0x19E2, is_denied=True),
    **_qat("QAT D15xx", "gen2", 0x6F54),
    **_qat("QAT 200xx", "gen3", 0x18EE),
    **_qat("QAT C4xxx", "gen3", 0x18A0),
    **_qat("QAT 4xxx", "gen4", 0x4940),
    **_qat("QAT 401xx", "gen4", 0x4942),
    **_qat("QAT 402xx", "gen4", 0x4944),
    **_qat("QAT 420xx", "gen4", 0x4946),
    **_qat("QAT 6xxx", "gen6", 0x4948),
}

_BLUEFIELD_OFF = "Its crypto functions are switched off in the factory."

KNOWN_DEVICES: dict[int, dict[int, KnownDevice]] = {
    0x8086: _INTEL,
    0x1022: {
        number: KnownDevice("AMD Secure Processor (CCP)", has_psp=True)
        for number in (0x1456, 0x1468, 0x1486, 0x1537, 0x1649)
    },
    0x1D94: {0x1456: KnownDevice("Hygon Secure Processor (CCP)", has_psp=True)},
    0x15B3: {
        0xA2D6: KnownDevice("NVIDIA BlueField-2 network adapter"),
        0xA2DC: KnownDevice("NVIDIA BlueField-3 network adapter"),
        0xA2D0: KnownDevice("NVIDIA BlueField SoC, crypto enabled"),
        0xA2D1: KnownDevice("NVIDIA BlueField SoC, crypto disabled", note=_BLUEFIELD_OFF),
        0xA2D4: KnownDevice("NVIDIA BlueField-2 SoC, crypto enabled"),
        0xA2D5: KnownDevice("NVIDIA BlueField-2 SoC, crypto disabled", note=_BLUEFIELD_OFF),
        0xA2DA: KnownDevice("NVIDIA BlueField-3 SoC, crypto enabled"),
        0xA2DB: KnownDevice("NVIDIA BlueField-3 SoC, crypto disabled", note=_BLUEFIELD_OFF),
    },
    0x177D: {
        0xA040: KnownDevice("Marvell ThunderX CPT"),
        0xA0FD: KnownDevice("Marvell OcteonTX2 CPT"),
        0xA0FE: KnownDevice("Marvell OcteonTX2 CPT VF", is_function=True),
        0xA0F2: KnownDevice("Marvell Octeon 10 CPT"),
        0xA0F3: KnownDevice("Marvell Octeon 10 CPT VF", is_function=True),
        0x0012: KnownDevice("Marvell Nitrox V (CNN55xx)"),
    },
    0x19E5: {
        0xA258: KnownDevice("HiSilicon HPRE"),
        0xA259: KnownDevice("HiSilicon HPRE VF", is_function=True),
        0xA255: KnownDevice("HiSilicon SEC"),
        0xA256: KnownDevice("HiSilicon SEC VF", is_function=True),
    },
}

CLASS_ENCRYPTION = 0x10
"""PCI base class of encryption controllers."""


def known_device(vendor: int, device: int, pci_class: int) -> KnownDevice | None:
    """Return what a device is; any other encryption controller by its class; None otherwise."""
    found = KNOWN_DEVICES.get(vendor, {}).get(device)
    if found is None and pci_class >> 16 == CLASS_ENCRYPTION:
        return KnownDevice(f"Encryption controller {vendor:04x}:{device:04x}")
    return found
