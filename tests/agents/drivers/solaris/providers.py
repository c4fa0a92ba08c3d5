"""A T2's providers in memory and a model of cryptoadm that does what its sources say it does."""

from collections.abc import Mapping
from dataclasses import replace

from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.crypto_state import CryptoState, MetaslotState, Provider
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.wire.changes import StepPlan

SOFTTOKEN = "/usr/lib/security/$ISA/pkcs11_softtoken.so"
KERNEL = "/usr/lib/security/$ISA/pkcs11_kernel.so"
AES = frozenset({"CKM_AES_ECB", "CKM_AES_CBC", "CKM_AES_CTR"})


def host() -> CryptoState:
    """Return two libraries, three software providers and the cipher unit's hardware provider."""
    offers: Mapping[str, frozenset[str]] = {
        SOFTTOKEN: AES | {"CKM_RSA_PKCS", "CKM_SHA256"},
        KERNEL: AES,
        "aes": AES,
        "md4": frozenset({"CKM_MD4"}),
        "swrand": frozenset(),
        "n2cp/0": AES - {"CKM_AES_CTR"} | {"CKM_RC4"},
    }
    providers = {
        name: Provider(name=name, mechanisms=mechanisms, policy=Policy(), operations=7)
        for name, mechanisms in offers.items()
    }
    for name in (SOFTTOKEN, "swrand"):
        providers[name] = replace(providers[name], random=parts.ENABLED)
    return CryptoState(providers=providers, configured=Policy())


def after_step(state: CryptoState, step: StepPlan) -> CryptoState:
    """Run one cryptoadm command on the model."""
    _, verb, operand, *rest = step.argv
    provider = state.providers[operand.removeprefix("provider=")]
    if rest == ["random"]:
        provider = replace(provider, random=f"{verb}d")
    elif verb in ("enable", "disable"):
        policy = provider.policy or Policy()
        provider = replace(provider, policy=policy_after(policy, verb, rest[0], provider))
    elif verb == "unload":
        provider = replace(provider, is_loaded=False)
    providers = {**state.providers, provider.name: provider}
    if verb == "uninstall":
        del providers[provider.name]
    configured = provider.policy if verb in ("enable", "disable") else state.configured
    return CryptoState(providers=providers, configured=configured)


def policy_after(policy: Policy, verb: str, operand: str, provider: Provider | None) -> Policy:
    """Return what one call leaves: `mechanism=all` empties the list, but for kernel providers."""
    names = operand.removeprefix("mechanism=").split(",")
    if names != ["all"]:
        chosen = frozenset(names)
        return policy.disabling(chosen) if verb == "disable" else policy.enabling(chosen)
    if verb == "disable" and provider is not None and not provider.is_library:
        return Policy(False, provider.mechanisms)
    return Policy(verb == "disable")


def metaslot_after_step(state: MetaslotState, step: StepPlan) -> MetaslotState:
    """Run one `cryptoadm … metaslot …` on the model (illumos adm_metaslot.c)."""
    _, verb, _, *options = step.argv
    is_enable = verb == "enable"
    if is_enable or not options:
        state = replace(state, is_enabled=is_enable, is_actual=is_enable)
    given = dict(option.partition("=")[::2] for option in options)
    if {"token", "slot"} & set(given):
        state = replace(state, token=given.get("token", ""), slot=given.get("slot", ""))
    if "default-keystore" in given:
        state = replace(state, token="Sun Software PKCS#11 softtoken", slot="Sun Crypto Softtoken")
    if "auto-key-migrate" in given:
        state = replace(state, is_migrating=is_enable)
    if "mechanism" in given:
        policy = policy_after(state.policy, verb, f"mechanism={given['mechanism']}", None)
        is_off = verb == "disable" and policy == Policy(True)
        state = replace(state, policy=policy, is_enabled=state.is_enabled and not is_off)
    return state
