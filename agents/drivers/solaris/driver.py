"""The Solaris driver: domains and units through ldm, providers and metaslot through cryptoadm."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from agents.changes.base import ChangeKind
from agents.changes.tools import Tools
from agents.config import Config
from agents.drivers.base import Applicability, Driver, Inventory, ScanContext
from agents.drivers.simulator.install import install
from agents.drivers.solaris.kinds import SOLARIS_KINDS
from agents.drivers.solaris.look import Look
from agents.drivers.solaris.scan import Scan
from agents.drivers.solaris.tokens import probe_tokens
from agents.wire.inventory import Gauge, ProviderKind, UnitKind


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
        units = (UnitKind.MAU, UnitKind.HARDWARE_RNG, UnitKind.CPU_INSTRUCTIONS)
        libraries = (ProviderKind.PKCS11_LIBRARY,)
        kernel = (ProviderKind.KERNEL_SOFTWARE, ProviderKind.KERNEL_HARDWARE)
        return [kind.value for kind in (*units, *libraries, *kernel)]

    def change_kinds(self) -> Sequence[ChangeKind[Any]]:
        return SOLARIS_KINDS

    def tools(self) -> Tools:
        return self._tools

    def inventory(self, scan: ScanContext) -> Inventory:
        found = Scan(Look(self._tools), self._state_dir, self.is_simulated)
        # No libpkcs11 on a simulated host: nothing of the machine below may pass for its tokens.
        probed = [] if self.is_simulated else probe_tokens(scan)
        facts = found.run(probed)
        return Inventory(facts=facts, gauges=found.gauges)

    def gauges(self) -> list[Gauge]:
        """None: all figures of Solaris come from commands, so a scan has them."""
        return []
