"""Providers, mechanisms and metaslot as cryptoadm lists them, as facts, settings and parts."""

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.crypto_state import CryptoState, MetaslotState, Provider
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.validation import ProviderType
from agents.wire.inventory import Attribute, MechanismFacts, ProviderFacts, ProviderKind

_KINDS = {
    ProviderType.LIBRARY: ProviderKind.PKCS11_LIBRARY,
    ProviderType.KERNEL_SOFTWARE: ProviderKind.KERNEL_SOFTWARE,
    ProviderType.KERNEL_HARDWARE: ProviderKind.KERNEL_HARDWARE,
}


def provider_facts(state: CryptoState) -> list[ProviderFacts]:
    """Return the providers with what they offer and what the policy allows."""
    return [_provider(provider) for provider in state.providers.values()]


def _provider(provider: Provider) -> ProviderFacts:
    policy = provider.policy or Policy()
    return ProviderFacts(
        key=provider.name,
        kind=_KINDS[provider.type].value,
        name=provider.name,
        path=provider.name if provider.is_library else "",
        state="ok" if provider.is_loaded else "inactive",
        attributes={"random": provider.random},
        mechanisms=[
            MechanismFacts(
                name=name,
                is_hardware=provider.type is ProviderType.KERNEL_HARDWARE,
                is_offered=provider.is_loaded and not policy.is_disabled(name),
                is_allowed=not policy.is_disabled(name),
            )
            for name in sorted(provider.mechanisms)
        ],
    )


def provider_parts(state: CryptoState) -> dict[str, Attribute]:
    """Return what the kinds of mechanisms and providers set, as it is now."""
    found: dict[str, Attribute] = {}
    for name, provider in state.providers.items():
        policy = provider.policy or Policy()
        value = parts.policy_value(policy.is_all_disabled, policy.exceptions)
        found[parts.mechanism_policy(name)] = value
        found[parts.mechanism_random(name)] = provider.random
        found[parts.provider_installed(name)] = True
        found[parts.provider_loaded(name)] = provider.is_loaded
    return found


def metaslot_parts(state: MetaslotState) -> dict[str, Attribute]:
    """Return metaslot as it is configured; the same serve as the host's settings."""
    policy = state.policy
    return {
        parts.METASLOT_STATUS: parts.ENABLED if state.is_enabled else parts.DISABLED,
        parts.METASLOT_TOKEN: state.token,
        parts.METASLOT_SLOT: state.slot,
        parts.METASLOT_AUTO_KEY_MIGRATE: parts.ENABLED if state.is_migrating else parts.DISABLED,
        parts.METASLOT_MECHANISMS: parts.metaslot_mechanisms_value(
            policy.is_all_disabled, policy.exceptions
        ),
    }


def metaslot_settings(state: MetaslotState) -> dict[str, Attribute]:
    """Return metaslot as configured and as libpkcs11 really offers it."""
    actual = (
        None if state.is_actual is None else (parts.ENABLED if state.is_actual else parts.DISABLED)
    )
    return {**metaslot_parts(state), parts.METASLOT_ACTUAL: actual}
