"""What kind of machine this is, and what the agent cannot see with the rights it has."""

import os
import platform
import pwd

from agents.drivers.linux.tree import Tree
from agents.parsers.linux.cpuinfo import CpuInfo, parse_cpuinfo
from agents.parsers.linux.keyvalues import parse_meminfo, parse_sysinfo
from agents.parsers.linux.os_release import parse_os_release
from agents.wire.inventory import Attribute, HostFacts

_ARM_PARTS = {
    (0x41, 0xD03): "Arm Cortex-A53",
    (0x41, 0xD05): "Arm Cortex-A55",
    (0x41, 0xD08): "Arm Cortex-A72",
    (0x41, 0xD0B): "Arm Cortex-A76",
    (0x41, 0xD0C): "Arm Neoverse N1",
    (0x41, 0xD40): "Arm Neoverse V1",
    (0x41, 0xD49): "Arm Neoverse N2",
    (0x41, 0xD4F): "Arm Neoverse V2",
    (0x43, 0x0AF): "Cavium ThunderX2",
    (0x46, 0x001): "Fujitsu A64FX",
    (0x48, 0xD01): "HiSilicon Kunpeng 920",
    (0xC0, 0xAC3): "Ampere-1",
    (0xC0, 0xAC4): "Ampere-1A",
}
"""MIDR implementer and part (Arm's TRMs, kernel arch/arm64/include/asm/cputype.h)."""

_Z_MACHINES = {
    "2964": "IBM z13",
    "2965": "IBM z13s",
    "3906": "IBM z14",
    "3907": "IBM z14 ZR1",
    "8561": "IBM z15",
    "8562": "IBM z15 T02",
    "3931": "IBM z16",
    "3932": "IBM z16 A02",
    "9175": "IBM z17",
}
"""Machine types in /proc/cpuinfo and /proc/sysinfo."""

_VIRTUAL_MACHINES = {
    "KVM": "KVM",
    "QEMU": "QEMU",
    "VMware": "VMware",
    "VirtualBox": "VirtualBox",
    "Xen": "Xen",
    "Virtual Machine": "Microsoft Hyper-V",
    "Google Compute Engine": "Google Compute Engine",
    "Amazon EC2": "Amazon EC2",
    "OpenStack": "OpenStack",
    "Bochs": "Bochs",
}
"""Words in the DMI vendor or product of guests."""

_TOKEN_STORES = (
    ("/etc/softhsm/softhsm2.conf", "SoftHSM"),
    ("/var/lib/softhsm/tokens", "SoftHSM"),
    ("/var/lib/opencryptoki", "openCryptoki"),
    ("/dev/tpmrm0", "the TPM's PKCS#11 library"),
)
_ROOT = 0


def read_cpu(tree: Tree) -> CpuInfo:
    """Return /proc/cpuinfo; an empty one where it cannot be read."""
    return tree.parse("/proc/cpuinfo", parse_cpuinfo) or CpuInfo(family="", cpu_count=0)


def host_facts(tree: Tree, cpu: CpuInfo) -> HostFacts:
    """Return the host's facts, `blind_spots` still empty: they are known when all was read."""
    release = tree.parse("/etc/os-release", parse_os_release)
    if release is None:
        release = tree.parse("/usr/lib/os-release", parse_os_release) or {}
    memory = tree.parse("/proc/meminfo", parse_meminfo) or {}
    return HostFacts(
        hostname=_uname(tree, "hostname") or "unknown",
        platform="linux",
        os_name=release.get("NAME", ""),
        os_version=release.get("VERSION", release.get("VERSION_ID", "")),
        kernel=kernel_release(tree),
        architecture=_architecture(tree, cpu),
        cpu_model=_cpu_model(cpu),
        cpu_count=cpu.cpu_count,
        memory_bytes=memory.get("MemTotal", 0),
        is_virtual=_is_virtual(tree, cpu),
        is_simulated=not tree.is_live,
        source="live" if tree.is_live else "recorded tree",
        runs_as=_user_name() if tree.is_live else "",
    )


def host_settings(tree: Tree, cpu: CpuInfo) -> dict[str, Attribute]:
    """Return `host.hypervisor` and, on IBM Z, the logical partition."""
    settings: dict[str, Attribute] = {}
    if name := _hypervisor(tree, cpu):
        settings["host.hypervisor"] = name
    sysinfo = tree.parse("/proc/sysinfo", parse_sysinfo) or {}
    if lpar := sysinfo.get("LPAR Name"):
        settings["host.lpar"] = lpar
    return settings


def blind_spots(tree: Tree) -> list[str]:
    """Return in sentences what could not be seen. Call it after everything was read."""
    if not tree.is_live:
        return ["This is a recorded tree: no commands were run, and no PKCS#11 library was loaded."]
    sentences = []
    if os.geteuid() != _ROOT:
        user = _user_name()
        sentences.append(
            f"The agent runs as {user}, not as root: tokens, devices and configuration of other "
            "users do not show."
        )
        sentences += [
            f"{owner} keeps its data in {path}, which {user} may not read: "
            "tokens may be missing or show as uninitialised."
            for path, owner in _TOKEN_STORES
            if _is_withheld(path)
        ]
    if tree.denied:
        paths = sorted(tree.denied)
        more = f" and {len(paths) - 10} more" if len(paths) > 10 else ""
        sentences.append(f"These could not be read: {', '.join(paths[:10])}{more}.")
    return sentences


def kernel_release(tree: Tree) -> str:
    """Return what `uname -r` prints there."""
    return _uname(tree, "osrelease")


def _is_withheld(path: str) -> bool:
    """Whether a path is there, or behind a directory we may not enter, and cannot be read."""
    try:
        os.stat(path)
    except PermissionError:
        return True
    except OSError:
        return False
    return not os.access(path, os.R_OK)


def _uname(tree: Tree, name: str) -> str:
    """A kernel without CONFIG_PROC_SYSCTL has no /proc/sys: a live host is asked by uname(2)."""
    if tree.is_live:
        answer = os.uname()
        return {"hostname": answer.nodename, "osrelease": answer.release}[name]
    return tree.read_word(f"/proc/sys/kernel/{name}") or ""


def _architecture(tree: Tree, cpu: CpuInfo) -> str:
    if tree.is_live:
        return platform.machine()
    recorded = tree.read_word("/proc/sys/kernel/arch")
    return recorded or {"x86": "x86_64", "arm": "aarch64"}.get(cpu.family, cpu.family)


def _cpu_model(cpu: CpuInfo) -> str:
    if cpu.machine and cpu.family == "s390x":
        return f"{_Z_MACHINES.get(cpu.machine, 'IBM Z')} ({cpu.machine})"
    if cpu.model:
        return cpu.model
    if cpu.implementer is not None and cpu.part is not None:
        known = _ARM_PARTS.get((cpu.implementer, cpu.part))
        return known or f"Arm implementer 0x{cpu.implementer:02x} part 0x{cpu.part:03x}"
    return ""


def _is_virtual(tree: Tree, cpu: CpuInfo) -> bool | None:
    """None: nothing tells. The x86 flag `hypervisor` and /proc/sysinfo always tell."""
    if _hypervisor(tree, cpu):
        return True
    if cpu.family == "x86" or tree.exists("/proc/sysinfo"):
        return False
    return False if tree.read_word("/sys/class/dmi/id/sys_vendor") else None


def _hypervisor(tree: Tree, cpu: CpuInfo) -> str:
    sysinfo = tree.parse("/proc/sysinfo", parse_sysinfo) or {}
    if program := sysinfo.get("VM00 Control Program"):
        return " ".join(program.split())
    is_flagged = cpu.family == "x86" and "hypervisor" in cpu.features
    if cpu.family == "x86" and not is_flagged:
        return ""
    names = [tree.read_word(f"/sys/class/dmi/id/{n}") or "" for n in ("sys_vendor", "product_name")]
    for word, name in _VIRTUAL_MACHINES.items():
        if any(word in text for text in names):
            return name
    if kind := tree.read_word("/sys/hypervisor/type"):
        return kind
    compatible = tree.read_word("/proc/device-tree/hypervisor/compatible")
    return (compatible or "").replace("\0", " ") or ("unknown hypervisor" if is_flagged else "")


def _user_name() -> str:
    uid = os.geteuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"
