"""The Solaris driver: domains and units through ldm, providers and metaslot through cryptoadm."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused
from agents.changes.tools import Tools
from agents.config import Config
from agents.drivers.base import Applicability, Driver, Inventory, ScanContext
from agents.drivers.simulator.install import install
from agents.drivers.solaris import findings, providers, units
from agents.drivers.solaris.kinds import SOLARIS_KINDS
from agents.drivers.solaris.kinds.commands import cryptoadm_missing
from agents.drivers.solaris.kinds.crypto_read import read_metaslot, read_policies
from agents.drivers.solaris.ldm_look import look_through_ldm
from agents.drivers.solaris.look import Look
from agents.executors.process import CommandNotStarted
from agents.wire.inventory import (
    Attribute,
    DomainFacts,
    Facts,
    FindingFacts,
    Gauge,
    HostFacts,
    ProviderFacts,
    ProviderKind,
    Severity,
    UnitFacts,
    UnitKind,
)

_KERNEL = "kernel"
"""Asks for the kernel's policies: any name without a slash at its beginning does."""


@dataclass(slots=True)
class _Found:
    """What a scan has found so far."""

    units: list[UnitFacts] = field(default_factory=list)
    domains: list[DomainFacts] = field(default_factory=list)
    providers: list[ProviderFacts] = field(default_factory=list)
    findings: list[FindingFacts] = field(default_factory=list)
    settings: dict[str, Attribute] = field(default_factory=dict)
    parts: dict[str, Attribute] = field(default_factory=dict)
    blind_spots: list[str] = field(default_factory=list)


class SolarisDriver(Driver):
    """Runs ldm, cryptoadm and their like; on a simulated host, the stand-ins of the simulator."""

    name: ClassVar[str] = "solaris"

    def __init__(
        self, tools: Tools, *, is_simulated: bool = False, state_dir: Path | None = None
    ) -> None:
        self._tools = tools
        self._state_dir = state_dir
        self.is_simulated = is_simulated

    @classmethod
    def from_config(cls, config: Config) -> "SolarisDriver":
        """Make the driver; for a simulated host, set its stand-ins up where they are not yet."""
        if not config.simulate:
            return cls(Tools(), state_dir=config.state_dir)
        directory = install(config.state_dir, config.simulate)
        tools = Tools(stand_ins=directory / "bin", root=directory / "root")
        return cls(tools, is_simulated=True, state_dir=config.state_dir)

    def probe(self) -> Applicability:
        if self.is_simulated or sys.platform.startswith("sunos"):
            return Applicability(applies=True)
        return Applicability(applies=False, reason=f"This is {sys.platform}, not Solaris.")

    def capabilities(self) -> list[str]:
        kinds = (ProviderKind.PKCS11_LIBRARY, ProviderKind.KERNEL_SOFTWARE)
        found = (UnitKind.MAU, UnitKind.CPU_INSTRUCTIONS, *kinds, ProviderKind.KERNEL_HARDWARE)
        return [kind.value for kind in found]

    def change_kinds(self) -> Sequence[ChangeKind[Any]]:
        return SOLARIS_KINDS

    def tools(self) -> Tools:
        return self._tools

    def inventory(self, scan: ScanContext) -> Inventory:
        found = _Found()
        for look in (self._ldm, self._instructions, self._cryptoadm, self._metaslot):
            _guarded(look, found)
        facts = Facts(
            host=self._host(found.blind_spots),
            units=found.units,
            domains=found.domains,
            providers=found.providers,
            findings=found.findings,
            settings=found.settings,
            parts=found.parts,
        )
        return Inventory(facts=facts, gauges=self.gauges())

    def gauges(self) -> list[Gauge]:
        return []

    def _host(self, blind_spots: list[str]) -> HostFacts:
        words = {
            flag: self._said("/usr/bin/uname", flag) for flag in ("-n", "-r", "-v", "-p", "-i")
        }
        return HostFacts(
            hostname=words["-n"],
            platform="solaris",
            os_name="SunOS",
            os_version=words["-r"],
            kernel=words["-v"],
            architecture=words["-p"],
            cpu_model=words["-i"],
            is_simulated=self.is_simulated,
            source="simulator" if self.is_simulated else "live",
            blind_spots=blind_spots,
        )

    def _said(self, program: str, *arguments: str) -> str:
        try:
            result = self._tools.run([program, *arguments])
        except CommandNotStarted:
            return ""
        return result.stdout.strip() if result.is_ok else ""

    def _ldm(self, found: _Found) -> None:
        look = Look(self._tools)
        ldm = look_through_ldm(look, "", self._state_dir)
        found.blind_spots += look.blind_spots
        found.findings += look.findings
        if ldm is None:
            return
        state = ldm.state
        found.domains += units.domain_facts(state, ldm.listed, ldm.wanted)
        found.units += units.unit_facts(state, "")
        found.parts |= units.ldm_parts(state, ldm.wanted)
        found.settings["ldm.version"] = ".".join(map(str, state.version))
        found.findings += findings.ldm_findings(ldm)

    def _instructions(self, found: _Found) -> None:
        found.units += units.instruction_units(self._said("/usr/bin/isainfo", "-v").split())

    def _cryptoadm(self, found: _Found) -> None:
        reason = cryptoadm_missing(self._tools)
        if reason:
            found.blind_spots.append(reason)
            return
        state = read_policies(self._tools, _KERNEL)
        found.providers += providers.provider_facts(state)
        found.parts |= providers.provider_parts(state)

    def _metaslot(self, found: _Found) -> None:
        if cryptoadm_missing(self._tools):
            return
        state = read_metaslot(self._tools, wants_tokens=False)
        found.parts |= providers.metaslot_parts(state)
        found.settings |= providers.metaslot_settings(state)


def _guarded(look: Callable[[_Found], None], found: _Found) -> None:
    """Look; what the host refuses becomes a finding, and the rest of the inventory goes on."""
    try:
        look(found)
    except ChangeRefused as error:
        found.findings.append(
            FindingFacts(
                code="host.unreadable",
                severity=Severity.WARNING.value,
                subject_kind="host",
                subject_key=error.refusal.subject,
                message=error.refusal.message,
                remedy="Run that command by hand on the host and look at what it says.",
            )
        )
