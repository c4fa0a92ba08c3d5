"""The Linux driver: puts together what the modules beside it find."""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from agents.changes.base import ChangeKind
from agents.changes.tools import Tools
from agents.config import Config, LinuxConfig, Pkcs11Config
from agents.drivers.base import Applicability, Driver, Inventory, ScanContext
from agents.drivers.linux import (
    ap,
    cpu,
    devices,
    host,
    kernel_crypto,
    kernel_settings,
    openssl,
    p11kit,
    pci,
)
from agents.drivers.linux.kinds import linux_kinds
from agents.drivers.linux.kinds.observed import module_parts, softhsm_observed
from agents.drivers.linux.tree import Tree
from agents.parsers.linux.cpuinfo import CpuInfo
from agents.pkcs11.modules import probe_modules
from agents.pkcs11.report import ModuleReport, module_report
from agents.wire.inventory import (
    COUNTERS_READ_AT,
    Attribute,
    Facts,
    FindingFacts,
    Gauge,
    ProviderKind,
    UnitFacts,
    UnitKind,
)


class LinuxDriver(Driver):
    """Reads /proc, /sys and /etc below a root, asks openssl, and probes PKCS#11 modules."""

    name: ClassVar[str] = "linux"

    def __init__(self, config: LinuxConfig, pkcs11: Pkcs11Config | None = None) -> None:
        self._config = config
        self._pkcs11 = pkcs11 or Pkcs11Config()

    @classmethod
    def from_config(cls, config: Config) -> "LinuxDriver":
        """Make the driver from the agent's whole configuration."""
        return cls(config.linux, config.pkcs11)

    def probe(self) -> Applicability:
        tree = Tree(self._config.root)
        if tree.is_live and not sys.platform.startswith("linux"):
            return Applicability(applies=False, reason=f"This is {sys.platform}, not Linux.")
        if not tree.exists("/proc/cpuinfo"):
            where = "" if tree.is_live else f" below {self._config.root}"
            return Applicability(applies=False, reason=f"There is no /proc/cpuinfo{where}.")
        return Applicability(applies=True)

    def capabilities(self) -> list[str]:
        kinds = (
            UnitKind.CPU_INSTRUCTIONS,
            UnitKind.HARDWARE_RNG,
            UnitKind.TPM,
            UnitKind.QAT_DEVICE,
            UnitKind.QAT_VF,
            UnitKind.AP_CARD,
            UnitKind.AP_QUEUE,
            UnitKind.VIRTIO_CRYPTO,
            UnitKind.PCI_ACCELERATOR,
        )
        return [kind.value for kind in (*kinds, *ProviderKind)]

    def change_kinds(self) -> Sequence[ChangeKind[Any]]:
        return linux_kinds(self._config.root, self._pkcs11)

    def tools(self) -> Tools:
        return Tools(root=self._config.root)

    def inventory(self, scan: ScanContext) -> Inventory:
        tree = Tree(self._config.root)
        processors = host.read_cpu(tree)
        # 1. What files say.
        facts = host.host_facts(tree, processors)
        bus = ap.ap_bus(tree)
        units = _units(tree, processors) + bus.units
        kernel = kernel_crypto.kernel_providers(tree)
        # 2. What programs and libraries say.
        ssl = openssl.openssl_facts(tree)
        reports = _probe(tree, scan)
        modules, parts = softhsm_observed(tree, scan.pkcs11, [r.provider for r in reports])
        findings = [finding for report in reports for finding in report.findings]
        settings = _settings(tree, processors)
        # 3. Put together; blind spots last, when it is known what could not be read.
        return Inventory(
            facts=Facts(
                host=replace(facts, blind_spots=host.blind_spots(tree)),
                units=units,
                domains=bus.domains,
                providers=[*modules, *ssl.providers, *kernel],
                findings=[*cpu.cpu_findings(processors), *bus.findings, *findings, *_once(tree)],
                settings={**settings, **bus.settings, **ssl.settings},
                parts={**module_parts(tree), **parts},
            ),
            gauges=[*(gauge for report in reports for gauge in report.gauges), *self.gauges()],
        )

    def gauges(self) -> list[Gauge]:
        tree = Tree(self._config.root)
        found = [*kernel_settings.kernel_gauges(tree), *ap.ap_gauges(tree)]
        if not tree.is_live:
            # A recording's counters stand still: a rate of 0 would be none.
            return found
        return [Gauge(name=COUNTERS_READ_AT, subject_key="host", value=time.time()), *found]


def _units(tree: Tree, processors: CpuInfo) -> list[UnitFacts]:
    return [
        *cpu.cpu_units(processors),
        *devices.rng_units(tree),
        *devices.tpm_units(tree),
        *devices.virtio_crypto_units(tree),
        *pci.pci_units(tree),
    ]


def _settings(tree: Tree, processors: CpuInfo) -> dict[str, Attribute]:
    return {
        **host.host_settings(tree, processors),
        **cpu.cpu_settings(processors),
        **devices.rng_settings(tree),
        **kernel_settings.kernel_settings(tree),
    }


def _probe(tree: Tree, scan: ScanContext) -> list[ModuleReport]:
    modules = p11kit.all_modules(tree, scan.pkcs11.modules, scan.pkcs11.use_p11_kit)
    if not tree.is_live:
        return [module_report(module, None) for module in modules]
    outcomes = probe_modules(
        modules,
        module_timeout_seconds=scan.pkcs11.module_timeout_seconds,
        deadline=scan.deadline,
        environment=scan.pkcs11.environment,
    )
    return [
        module_report(module, outcome, scan.pkcs11.pins)
        for module, outcome in zip(modules, outcomes, strict=True)
    ]


def _once(tree: Tree) -> list[FindingFacts]:
    """Findings about files that were read more than once."""
    return list({finding.message: finding for finding in tree.findings}.values())
