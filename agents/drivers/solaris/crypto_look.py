"""What cryptoadm tells of the Cryptographic Framework, for the inventory."""

from dataclasses import dataclass

from agents.drivers.solaris.kinds.commands import CRYPTOADM, can_start
from agents.drivers.solaris.kinds.crypto_read import (
    BAD_LIBRARY,
    metaslot_of,
    parse_metaslot,
    providers_of,
)
from agents.drivers.solaris.kinds.crypto_state import CryptoState, MetaslotState
from agents.drivers.solaris.look import Look
from agents.executors.process import CommandNotStarted
from agents.parsers.solaris.cryptoadm import parse_cryptoadm
from agents.parsers.solaris.cryptoadm_facts import CryptoListing, CryptoMetaslot, CryptoProvider

_ALL = (
    (("list", "-mv"), "mechanisms with key sizes, and slots"),
    (("list", "-m"), "mechanisms"),
    (("list",), "names of providers"),
)
"""What tells providers, the most telling first; a later one stands in where one gives nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CryptoFound:
    """The framework as cryptoadm lists it. `fips`: name of a driver (empty: all) and its mode."""

    state: CryptoState
    listed: dict[str, CryptoProvider]
    metaslot: MetaslotState | None
    metaslot_listed: CryptoMetaslot | None
    fips: list[tuple[str, bool]]


def look_through_cryptoadm(look: Look) -> CryptoFound | None:
    """Return what cryptoadm tells; None where it is not there or lists nothing, which is said."""
    reason = can_start(look.tools, [CRYPTOADM, "--help"])
    if reason:
        look.blind(f"{reason} Providers, mechanisms and metaslot do not show.")
        return None
    offered = _offered(look)
    allowed = look.read([CRYPTOADM, "list", "-p"], parse_cryptoadm) or CryptoListing()
    if not (offered.providers or allowed.providers):
        return None
    metaslot, listed = _metaslot(look)
    return CryptoFound(
        state=CryptoState(providers=providers_of(offered.providers, allowed.providers, {})),
        listed={provider.name: provider for provider in offered.providers},
        metaslot=metaslot,
        metaslot_listed=listed,
        fips=_fips(look),
    )


def _offered(look: Look) -> CryptoListing:
    for words, _what in _ALL:
        found = look.read([CRYPTOADM, *words], parse_cryptoadm, tolerated=BAD_LIBRARY)
        if found is not None and found.providers:
            return found
    return CryptoListing()


def _metaslot(look: Look) -> tuple[MetaslotState | None, CryptoMetaslot | None]:
    found = look.read([CRYPTOADM, "list", "-v", "metaslot"], parse_metaslot)
    if found is None or found.metaslot is None:
        return None, None
    policies = look.read([CRYPTOADM, "list", "-p", "metaslot"], parse_cryptoadm)
    state = metaslot_of(found.metaslot, policies or CryptoListing(), CryptoListing())
    return state, found.metaslot


def _fips(look: Look) -> list[tuple[str, bool]]:
    """Return the modes. illumos prints nothing and exits 0; older releases do not know the word."""
    argv = [CRYPTOADM, "list", "fips-140"]
    try:
        result = look.tools.run(argv)
    except CommandNotStarted:
        return []
    if not result.is_ok or not result.stdout.strip():
        return []
    found = look.understood(argv, result.stdout, parse_cryptoadm)
    return [(one.name, one.is_enabled) for one in found.fips] if found else []
