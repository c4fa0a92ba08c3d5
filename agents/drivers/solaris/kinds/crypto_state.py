"""What the planners know of the Cryptographic Framework: providers, mechanisms, policies."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.changes.base import ChangeRefused
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.validation import ProviderType, provider_type


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
