"""What the planners know of the Cryptographic Framework: providers, mechanisms, policies."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.changes.base import ChangeRefused
from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.validation import ProviderType, provider_type
from agents.wire.inventory import Attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One provider as cryptoadm lists it."""

    name: str
    is_loaded: bool = True
    """False: a kernel software provider that is `(inactive)`."""
    mechanisms: frozenset[str] = frozenset()
    """What it offers, disabled or not; empty where nothing was asked or none is presented."""
    policy: Policy | None = None
    random: str = "none"
    """`enabled`, `disabled`, or `none` where it has no random feature."""
    operations: int | None = None
    """Operations since boot by the kernel's counters; None: not known."""

    @property
    def type(self) -> ProviderType:
        """What cryptoadm takes it for."""
        return provider_type(self.name)

    @property
    def is_library(self) -> bool:
        """Whether it is a user-level library; the others work inside the kernel."""
        return self.type is ProviderType.LIBRARY


@dataclass(frozen=True, slots=True, kw_only=True)
class CryptoState:
    """One fresh look at the providers."""

    providers: Mapping[str, Provider]
    configured: Policy | None = None
    """The asked provider's policy in its configuration file; None: the file is not there."""

    def known(self, name: str) -> Provider:
        """Return a provider. Raises ChangeRefused where cryptoadm lists none of that name."""
        provider = self.providers.get(name)
        if provider is None:
            raise ChangeRefused(
                "provider.unknown",
                f"cryptoadm lists no provider {name}.",
                "An entry for hardware that is not there would be taken without complaint.",
                name,
            )
        return provider

    def others(self, provider: Provider) -> list[Provider]:
        """Return the other providers on the same level: libraries, or those of the kernel."""
        return [
            other
            for other in self.providers.values()
            if other.name != provider.name and other.is_library == provider.is_library
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaslotState:
    """Metaslot as configured (`is_enabled`) and as libpkcs11 really offers it (`is_actual`)."""

    is_enabled: bool
    is_actual: bool | None
    is_migrating: bool
    token: str = ""
    slot: str = ""
    policy: Policy = field(default_factory=Policy)
    tokens: tuple[tuple[str, str], ...] = ()
    """Label and slot description of each token, where a token is asked for."""


def policy_parts(state: CryptoState, name: str) -> dict[str, Attribute]:
    """Return the parts of one provider's policy: as listed, and as its file has it."""
    provider = state.providers.get(name)
    if provider is None:
        return {}
    policy = provider.policy or Policy()
    seen: dict[str, Attribute] = {
        parts.mechanism_policy(name): parts.policy_value(policy.is_all_disabled, policy.exceptions),
        parts.mechanism_random(name): provider.random,
    }
    if state.configured is not None:
        filed = state.configured
        value = parts.policy_value(filed.is_all_disabled, filed.exceptions)
        seen[parts.mechanism_configured(name)] = value
    return seen


def installed_parts(state: CryptoState, name: str) -> dict[str, Attribute]:
    """Return whether a provider is installed and loaded."""
    provider = state.providers.get(name)
    return {
        parts.provider_installed(name): provider is not None,
        parts.provider_loaded(name): provider is not None and provider.is_loaded,
    }


def metaslot_parts(state: MetaslotState) -> dict[str, Attribute]:
    """Return metaslot's parts, configured and actual."""
    words = {True: parts.ENABLED, False: parts.DISABLED}
    actual = parts.NONE if state.is_actual is None else words[state.is_actual]
    policy = state.policy
    return {
        parts.METASLOT_STATUS: words[state.is_enabled],
        parts.METASLOT_ACTUAL: actual,
        parts.METASLOT_TOKEN: state.token,
        parts.METASLOT_SLOT: state.slot,
        parts.METASLOT_AUTO_KEY_MIGRATE: words[state.is_migrating],
        parts.METASLOT_MECHANISMS: parts.metaslot_mechanisms_value(
            policy.is_all_disabled, policy.exceptions
        ),
    }
