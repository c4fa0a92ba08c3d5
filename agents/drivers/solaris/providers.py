"""Providers, mechanisms and metaslot as cryptoadm lists them, as facts, settings and parts."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.crypto_state import CryptoState, MetaslotState, Provider
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.slots import Listed, listed_mechanisms, slot_facts
from agents.drivers.solaris.validation import ProviderType
from agents.parsers.solaris.cryptoadm_facts import CryptoMetaslot, CryptoProvider
from agents.wire.inventory import Attribute, MechanismFacts, ProviderFacts, ProviderKind

_KINDS = {
    ProviderType.LIBRARY: ProviderKind.PKCS11_LIBRARY,
    ProviderType.KERNEL_SOFTWARE: ProviderKind.KERNEL_SOFTWARE,
    ProviderType.KERNEL_HARDWARE: ProviderKind.KERNEL_HARDWARE,
}
_NO_SLOTS = "no slots presented"
"""Normal for pkcs11_kernel.so where there is no hardware."""


def provider_facts(state: CryptoState, listed: Mapping[str, CryptoProvider]) -> list[ProviderFacts]:
    """Return the providers with what they offer and what the policy allows.

    `listed`: the same providers as `cryptoadm list -mv` prints them, with slots and key sizes.
    """
    found = sorted(state.providers.values(), key=lambda one: (one.type.value, one.name))
    return [_provider(provider, listed.get(provider.name)) for provider in found]


def _provider(provider: Provider, listed: CryptoProvider | None) -> ProviderFacts:
    slots = slot_facts(provider.name, listed.slots) if listed else []
    return ProviderFacts(
        key=provider.name,
        kind=_KINDS[provider.type].value,
        name=provider.name,
        path=provider.name if provider.is_library else "",
        state=_state(provider, listed),
        error=listed.problem if listed and _has_failed(listed) else "",
        attributes={"random": provider.random, **_problem(listed)},
        slots=slots,
        mechanisms=_mechanisms(provider, listed, [slot.key for slot in slots]),
    )


def _state(provider: Provider, listed: CryptoProvider | None) -> str:
    if listed and _has_failed(listed):
        return "failed"
    return "ok" if provider.is_loaded else "inactive"


def _has_failed(listed: CryptoProvider) -> bool:
    return listed.problem.lower().startswith("failed")


def _problem(listed: CryptoProvider | None) -> dict[str, Attribute]:
    if listed is None or not listed.problem or _has_failed(listed):
        return {}
    return {"says": listed.problem}


def _mechanisms(
    provider: Provider, listed: CryptoProvider | None, slot_keys: list[str]
) -> list[MechanismFacts]:
    """Return what is offered, disabled or not: policy and offer are separate facts.

    What the policy alone names is offered as well: `list -m` may leave disabled ones out.
    """
    policy = provider.policy or Policy()
    found = listed_mechanisms(listed, slot_keys) if listed else []
    names = {one.mechanism.name for one in found}
    found += [Listed.named(name) for name in provider.mechanisms if name not in names]
    is_hardware = provider.type is ProviderType.KERNEL_HARDWARE
    facts = (
        replace(
            one.facts(),
            is_offered=provider.is_loaded,
            is_allowed=not policy.is_disabled(one.mechanism.name),
        )
        for one in found
    )
    return sorted(
        (replace(one, is_hardware=True) if is_hardware else one for one in facts),
        key=lambda one: (one.name, one.slot_key),
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


def metaslot_settings(state: MetaslotState, listed: CryptoMetaslot) -> dict[str, Attribute]:
    """Return metaslot as configured and as libpkcs11 really offers it, with its own token."""
    actual = (
        None if state.is_actual is None else (parts.ENABLED if state.is_actual else parts.DISABLED)
    )
    found = {**metaslot_parts(state), parts.METASLOT_ACTUAL: actual}
    details = listed.details
    if details is not None and details.token is not None:
        flags = [flag.removeprefix("CKF_") for flag in details.token.flags]
        found |= {"metaslot.actual_token": details.token.label, "metaslot.actual_flags": flags}
    return found


def fips_settings(modes: Iterable[tuple[str, bool]]) -> dict[str, Attribute]:
    """Return FIPS-140 mode by driver or framework, and `fips.kernel` for all of them."""
    found = {name.rpartition("/")[2] or "framework": is_on for name, is_on in modes}
    words = {True: parts.ENABLED, False: parts.DISABLED}
    said = {words[is_on] for is_on in found.values()}
    whole = said.pop() if len(said) == 1 else ("differs" if said else "not available")
    return {"fips.kernel": whole, **{f"fips.{name}": words[on] for name, on in found.items()}}
