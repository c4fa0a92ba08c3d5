"""The names of the parts that Solaris kinds look at and set, and how their values are written.

The one place of these names: plans, read-back, `Facts.parts` and drift all spell them from here.
"""

from collections.abc import Iterable

METASLOT_STATUS = "metaslot.status"
METASLOT_ACTUAL = "metaslot.actual"
METASLOT_TOKEN = "metaslot.token"  # noqa: S105 (a part's name, no secret)
METASLOT_SLOT = "metaslot.slot"
METASLOT_AUTO_KEY_MIGRATE = "metaslot.auto_key_migrate"
METASLOT_MECHANISMS = "metaslot.mechanisms"
SPCONFIG_CURRENT = "spconfig.current"
SPCONFIG_NAMES = "spconfig.names"
SPCONFIG_UNSAVED = "spconfig.unsaved"
SYNC_THREADS = "driver.n2cp-sync-threads"

ENABLED, DISABLED, NONE = "enabled", "disabled", "none"
PENDING = "pending"
ALL = "*"
"""In a mechanism policy: every mechanism is disabled, but for those written with a leading `!`."""


def unit_count(domain: str) -> str:
    """Units bound to a domain; int."""
    return f"unit.count/{domain}"


def unit_wanted(domain: str) -> str:
    """Units that the domain's constraints ask for; int. Differs from the count while delayed."""
    return f"unit.wanted/{domain}"


def unit_owner(key: str) -> str:
    """The domain that a unit is bound to; empty: free."""
    return f"unit.owner/{key}"


def domain_state(domain: str) -> str:
    """`active`, `bound`, `inactive`, … as ldm says it."""
    return f"domain.state/{domain}"


def domain_reconfiguration(domain: str) -> str:
    """`pending` while a delayed reconfiguration of the domain waits for its reboot, or `none`."""
    return f"domain.reconfiguration/{domain}"


def domain_vcpu(domain: str) -> str:
    """Virtual CPUs of a domain; int."""
    return f"domain.vcpu/{domain}"


def mechanism_policy(provider: str) -> str:
    """Disabled mechanisms, sorted, as `cryptoadm list -p` says; see `policy_value`."""
    return f"mechanism.policy/{provider}"


def mechanism_configured(provider: str) -> str:
    """The same as the configuration file has it; it may differ from what the kernel does."""
    return f"mechanism.configured/{provider}"


def mechanism_random(provider: str) -> str:
    """`enabled`, `disabled`, or `none` where the provider has no random feature."""
    return f"mechanism.random/{provider}"


def provider_installed(provider: str) -> str:
    """Whether cryptoadm lists the provider; bool."""
    return f"provider.installed/{provider}"


def provider_loaded(provider: str) -> str:
    """False for a kernel software provider that cryptoadm marks `(inactive)`; bool."""
    return f"provider.loaded/{provider}"


def provider_enabled(module: str) -> str:
    """Whether p11-kit offers a module to programs (Linux); bool."""
    return f"provider.enabled/{module}"


def unit_key(cpuset: Iterable[int]) -> str:
    """Return the key of an MAU: its strands, which outlive ids and which every ldm version prints.

    `mau:8-15`; gaps give `mau:0-3,8-11`.
    """
    ranges: list[list[int]] = []
    for strand in sorted(set(cpuset)):
        if ranges and strand == ranges[-1][1] + 1:
            ranges[-1][1] = strand
        else:
            ranges.append([strand, strand])
    words = [str(low) if low == high else f"{low}-{high}" for low, high in ranges]
    return f"mau:{','.join(words)}"


def policy_value(is_all_disabled: bool, exceptions: Iterable[str]) -> list[str]:
    """Return a mechanism policy as a part's value.

    All enabled except some: those, sorted. All disabled: `*`, and each exception as `!CKM_…`.
    """
    names = sorted(set(exceptions))
    return [ALL, *(f"!{name}" for name in names)] if is_all_disabled else names


def metaslot_mechanisms_value(is_all_disabled: bool, exceptions: Iterable[str]) -> list[str]:
    """Return metaslot's policy as a list: `all`, or what is disabled with a leading `-`.

    All disabled is `none`, followed by what is enabled nevertheless.
    """
    names = sorted(set(exceptions))
    if is_all_disabled:
        return [NONE, *names]
    return [f"-{name}" for name in names] or ["all"]
