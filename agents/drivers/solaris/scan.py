"""One inventory of a Solaris host: each part is looked at by itself, so none hides another."""

import os
import pwd
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.drivers.solaris import counters, findings, parts, processors, providers, units
from agents.drivers.solaris.crypto_look import CryptoFound, look_through_cryptoadm
from agents.drivers.solaris.kinds.crypto_read import KSTAT
from agents.drivers.solaris.kinds.ldm_read import SpconfigState
from agents.drivers.solaris.ldm_look import LdmFound, look_through_ldm
from agents.drivers.solaris.look import Look
from agents.drivers.solaris.processors import Machine
from agents.drivers.solaris.tokens import library_path
from agents.executors.process import CommandNotStarted
from agents.parsers.solaris.kstat import parse_kstat
from agents.pkcs11.report import ModuleReport
from agents.wire.inventory import (
    COUNTERS_READ_AT,
    Attribute,
    DomainFacts,
    Facts,
    Gauge,
    HostFacts,
    ProviderFacts,
    UnitFacts,
)

_NO_COUNTERS = (
    "The drivers of the crypto units tell no counters (`nostats` in their .conf files, or kstat "
    "does not answer): what single units do is not known; the kernel may count their providers."
)


@dataclass(slots=True)
class Scan:
    """What a scan has found so far."""

    look: Look
    state_dir: Path | None
    is_simulated: bool
    units: list[UnitFacts] = field(default_factory=list)
    domains: list[DomainFacts] = field(default_factory=list)
    providers: list[ProviderFacts] = field(default_factory=list)
    settings: dict[str, Attribute] = field(default_factory=dict)
    parts: dict[str, Attribute] = field(default_factory=dict)
    gauges: list[Gauge] = field(default_factory=list)

    def run(self, probed: Iterable[ModuleReport] = ()) -> Facts:
        """Look at everything once; never raises for what the host says.

        `probed`: what the PKCS#11 probe found of libpkcs11 and configured modules.
        """
        machine = processors.look_at_processors(self.look)
        ldm = look_through_ldm(self.look, machine.node, self.state_dir)
        if ldm is not None:
            self._add_ldm(ldm, machine)
        crypto = look_through_cryptoadm(self.look)
        if crypto is not None:
            self._add_crypto(crypto)
        for report in probed:
            self._add_tokens(report)
        self.units += units.instruction_units(machine.words)
        self.settings |= processors.processor_settings(machine)
        self._count(ldm)
        return self._facts(machine, ldm)

    def _add_ldm(self, found: LdmFound, machine: Machine) -> None:
        state = found.state
        self.domains += units.domain_facts(state, found.listed, found.wanted)
        self.units += units.unit_facts(state, machine.chip)
        self.parts |= units.ldm_parts(state, found.wanted)
        self.gauges += units.domain_gauges(found.listed.values())
        self.settings |= {
            "ldm.version": found.version_text,
            "machine.strands": state.strand_count,
        }
        if state.core_count is not None:
            self.settings["machine.cores"] = state.core_count
            # psrinfo of older releases counts no cores; ldm names those of this domain.
            here = (domain for domain in state.domains.values() if domain.is_control)
            self.settings["cpu.cores"] = len({core for domain in here for core in domain.cores})
        if found.spconfig is not None:
            self._add_spconfig(found.spconfig, found.is_unsaved)
        self.look.findings += findings.ldm_findings(found)

    def _add_spconfig(self, found: SpconfigState, is_unsaved: bool | None) -> None:
        seen: dict[str, Attribute] = {
            parts.SPCONFIG_CURRENT: found.current,
            parts.SPCONFIG_NAMES: sorted(found.names),
        }
        self.parts |= seen
        self.settings |= seen | {"spconfig.next_poweron": found.newest}
        self.settings[parts.SPCONFIG_UNSAVED] = is_unsaved
        if is_unsaved is not None:
            self.parts[parts.SPCONFIG_UNSAVED] = is_unsaved

    def _add_crypto(self, found: CryptoFound) -> None:
        state = found.state
        self.providers += providers.provider_facts(state, found.listed)
        self.units += units.rng_units(state.providers)
        self.parts |= providers.provider_parts(state)
        self.look.findings += findings.policy_findings(state)
        if found.metaslot is not None and found.metaslot_listed is not None:
            self.parts |= providers.metaslot_parts(found.metaslot)
            self.settings |= providers.metaslot_settings(found.metaslot, found.metaslot_listed)
            self.look.findings += findings.metaslot_findings(found.metaslot)
        self.settings |= providers.fips_settings(found.fips)
        self.look.findings += findings.fips_findings(dict(found.fips))

    def _add_tokens(self, probed: ModuleReport) -> None:
        """Take what libpkcs11 really showed; it has the tokens of all libraries then."""
        self.look.findings += probed.findings
        self.gauges += probed.gauges
        if probed.provider.path == library_path() and probed.provider.state == "ok":
            # Each token would show twice: through its library, and through libpkcs11.
            self.providers = [replace(one, slots=[]) for one in self.providers]
        self.providers.append(probed.provider)

    def _count(self, ldm: LdmFound | None) -> None:
        read_at = Gauge(name=COUNTERS_READ_AT, subject_key="host", value=time.time())
        found = counters.counter_gauges(_stats(self.look))
        self.gauges += [read_at, *found]
        totals = counters.totals_of(found)
        control = [d.name for d in ldm.state.domains.values() if d.is_control] if ldm else []
        here = sum(ldm.state.count(name) for name in control) if ldm else 0
        has_hardware = any(one.name.startswith(counters.DRIVERS) for one in self.providers)
        if not totals.has_units and (here or (ldm is None and has_hardware)):
            self.look.blind(_NO_COUNTERS)
        self.look.findings += findings.counter_findings(totals)

    def _facts(self, machine: Machine, ldm: LdmFound | None) -> Facts:
        domains = ldm.state.domains.values() if ldm else ()
        memory = next((d.memory_bytes for d in domains if d.is_control), None)
        return Facts(
            host=HostFacts(
                hostname=machine.node,
                platform=machine.platform,
                os_name=machine.system,
                os_version=machine.release,
                kernel=machine.kernel,
                architecture=machine.architecture,
                cpu_model=machine.chip or machine.model,
                cpu_count=machine.strands,
                memory_bytes=memory or processors.memory_bytes(self.look),
                is_simulated=self.is_simulated,
                source="simulator" if self.is_simulated else "live",
                runs_as=_user_name(),
                blind_spots=self.look.blind_spots,
            ),
            units=self.units,
            domains=self.domains,
            providers=self.providers,
            findings=self.look.findings,
            settings=self.settings,
            parts=self.parts,
        )


def _stats(look: Look) -> list[counters.Stat]:
    """Return kstat's rows of the crypto modules; one that is not there says nothing, exit 1."""
    found = []
    for module in counters.MODULES:
        argv = [KSTAT, "-p", "-m", module]
        try:
            result = look.tools.run(argv)
        except CommandNotStarted as error:
            look.blind(f"{KSTAT} could not be started: {error.reason}. No counters are read.")
            return []
        if result.stdout.strip():
            stats = look.understood(argv, result.stdout, parse_kstat)
            found += [
                counters.Stat(one.module, one.instance, one.name, one.statistic, one.value)
                for one in (stats.stats if stats else ())
            ]
        elif result.stderr.strip():
            look.unreadable(argv, f"`{' '.join(argv)}` says: {result.stderr.strip()[:400]}")
    return found


def _user_name() -> str:
    uid = os.geteuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"
