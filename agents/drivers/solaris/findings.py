"""What a person should know about a Solaris host, in words. A module of sentences, no reading.

Findings are facts: none holds a figure that changes by itself, or every scan would differ.
"""

from collections.abc import Iterable, Iterator, Mapping

from agents.drivers.solaris.counters import Totals
from agents.drivers.solaris.kinds.crypto_state import CryptoState, MetaslotState
from agents.drivers.solaris.kinds.ldm_state import LdmState
from agents.drivers.solaris.ldm_look import LdmFound
from agents.drivers.solaris.validation import ProviderType
from agents.wire.inventory import FindingFacts, Severity

_FULL_SHARE = 0.01
"""From which share of submissions on full queues are worth a word."""
_NAMED = 6


def ldm_findings(found: LdmFound) -> Iterator[FindingFacts]:
    """Yield what waits for a reboot, is not saved, or lies idle."""
    state = found.state
    for domain in state.domains.values():
        if domain.is_pending:
            yield _pending(domain.name)
    if found.is_unsaved and found.spconfig is not None:
        yield _unsaved(found.spconfig.newest)
    yield from _free(state)


def metaslot_findings(state: MetaslotState) -> Iterator[FindingFacts]:
    """Yield that metaslot is off, or that programs do not find it although it is on."""
    if not state.is_enabled:
        yield _finding(
            "metaslot.disabled",
            "provider",
            "metaslot",
            "Metaslot is disabled: programs find no combined token, each chooses a slot itself.",
            "Enable it unless it is off on purpose; on Solaris 10 that is the way round bug "
            "6507464 of the SSL proxy, for the moment in which its keys load.",
        )
    elif state.is_actual is False:
        yield _finding(
            "metaslot.not_offered",
            "provider",
            "metaslot",
            "Metaslot is enabled, but libpkcs11 does not offer it: as far as is known it needs two "
            "slots that can be used.",
            "Look which libraries and tokens are installed and enabled.",
            Severity.WARNING,
        )


def policy_findings(state: CryptoState) -> Iterator[FindingFacts]:
    """Yield mechanisms that hardware offers and the policy disables."""
    for provider in state.providers.values():
        if provider.type is not ProviderType.KERNEL_HARDWARE or provider.policy is None:
            continue
        policy = provider.policy
        names = sorted(name for name in provider.mechanisms if policy.is_disabled(name))
        if names:
            yield _finding(
                "mechanism.disabled_in_hardware",
                "provider",
                provider.name,
                f"The policy disables {_some(names)} of {provider.name}, which it would do in "
                "hardware: software does that work instead, or nothing does.",
                "Enable them unless they were disabled on purpose.",
            )


def counter_findings(totals: Totals) -> Iterator[FindingFacts]:
    """Yield what the counters since boot say."""
    if totals.has_units and totals.software > totals.hardware:
        never = not totals.hardware
        how = "has not been used since boot" if never else "did less than software since boot"
        yield _finding(
            "unit.unused",
            "host",
            "host",
            f"The crypto hardware {how}, while the kernel's software providers worked.",
            "Look at the policy of n2cp/0 and ncp/0, and at their drivers' patches: in a wrong "
            "order they turned hardware off for IPsec on the T5120 (Sun Alert 233281).",
            Severity.WARNING if never else Severity.NOTICE,
        )
    if totals.hardware and totals.queue_full > _FULL_SHARE * totals.hardware:
        yield _finding(
            "unit.queue_full",
            "host",
            "host",
            "The queues of the crypto units were often full since boot: requests waited or went "
            "to software.",
            "More units or fewer threads that submit at once help; a job measures the gain.",
        )
    for unit in totals.offline:
        yield _finding(
            "unit.offline",
            "unit",
            unit,
            f"The driver says that {unit} is not online.",
            "Look at what the driver says in the domain's system log.",
            Severity.WARNING,
        )


def fips_findings(modes: Mapping[str, bool]) -> Iterator[FindingFacts]:
    """Yield that parts of the host are in FIPS-140 mode and others are not."""
    on = sorted(name for name, is_on in modes.items() if is_on)
    off = sorted(name for name, is_on in modes.items() if not is_on)
    if on and off:
        yield _finding(
            "fips.differs",
            "host",
            "fips-140",
            f"FIPS-140 mode is enabled for {_some(on)} and disabled for {_some(off)}.",
            "Set both alike, then reboot: the self-tests run at power-up.",
            Severity.WARNING,
        )


def _pending(domain: str) -> FindingFacts:
    return _finding(
        "domain.reconfiguration_pending",
        "domain",
        domain,
        f"A delayed reconfiguration of {domain} waits for its reboot.",
        f"Reboot {domain}, or cancel the reconfiguration.",
    )


def _unsaved(newest: str) -> FindingFacts:
    return _finding(
        "spconfig.unsaved",
        "host",
        "spconfig",
        f"The domains changed since their configuration was saved: a power cycle brings back "
        f"{newest or 'what was saved'}.",
        "Save the configuration under a new name (spconfig.save).",
    )


def _free(state: LdmState) -> Iterator[FindingFacts]:
    free = [unit for unit in state.units if not unit.owner]
    without = [d for d in state.domains.values() if d.strands and not state.count(d.name)]
    if not free or not without:
        return
    near = sorted(d.name for d in without if any(d.strands & set(u.cpuset) for u in free))
    names = near or sorted(domain.name for domain in without)
    count = "A crypto unit is free" if len(free) == 1 else f"{len(free)} crypto units are free"
    yield _finding(
        "unit.free",
        "host",
        "host",
        f"{count} while {_some(names)} {'has' if len(names) == 1 else 'have'} none.",
        "Assign one: it is on a core that the domain has strands of."
        if near
        else "A domain needs a virtual CPU on the unit's core before it can have the unit.",
    )


def _some(names: Iterable[str]) -> str:
    found = list(names)
    more = len(found) - _NAMED
    return ", ".join(found[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _finding(
    code: str,
    kind: str,
    key: str,
    message: str,
    remedy: str,
    severity: Severity = Severity.NOTICE,
) -> FindingFacts:
    return FindingFacts(
        code=code,
        severity=severity.value,
        subject_kind=kind,
        subject_key=key,
        message=message,
        remedy=remedy,
    )
