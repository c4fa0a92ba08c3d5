"""Reads the Cryptographic Framework through cryptoadm for the planners."""

from collections.abc import Iterable

from agents.changes.base import Reader
from agents.drivers.solaris.counters import kernel_provider
from agents.drivers.solaris.kinds.commands import CRYPTOADM, parsed
from agents.drivers.solaris.kinds.crypto_state import CryptoState, MetaslotState, Provider
from agents.drivers.solaris.kinds.cryptofiles import (
    KERNEL_FILE,
    LIBRARIES_FILE,
    Policy,
    configured_policy,
)
from agents.executors.process import CommandNotStarted
from agents.parsers.base import UnexpectedOutput
from agents.parsers.solaris.cryptoadm import parse_cryptoadm
from agents.parsers.solaris.cryptoadm_facts import CryptoListing, CryptoMetaslot, CryptoProvider
from agents.parsers.solaris.kstat import parse_kstat

KSTAT = "/usr/bin/kstat"
BAD_LIBRARY = "failed to retrieve the mechanism list"
"""One library that does not load makes the whole listing end with 1; the rest is there [src]."""
_NONE = "none"


def read_list(reader: Reader) -> CryptoState:
    """Read which providers there are (one command). Raises ChangeRefused."""
    listed = parsed(reader, [CRYPTOADM, "list"], parse_cryptoadm).providers
    return CryptoState(
        providers={one.name: Provider(name=one.name, is_loaded=one.is_loaded) for one in listed}
    )


def read_policies(reader: Reader, name: str) -> CryptoState:
    """Read all providers' mechanisms and policies, and what `name`'s file says of it.

    Two commands, and the kernel's counters for a kernel provider. Raises ChangeRefused.
    """
    offered = parsed(reader, [CRYPTOADM, "list", "-m"], parse_cryptoadm, tolerated=BAD_LIBRARY)
    allowed = parsed(reader, [CRYPTOADM, "list", "-p"], parse_cryptoadm)
    operations = {} if name.startswith("/") else _operations(reader)
    text = reader.read_text(LIBRARIES_FILE if name.startswith("/") else KERNEL_FILE)
    configured = None if text is None else configured_policy(text, name)
    providers = providers_of(offered.providers, allowed.providers, operations)
    return CryptoState(providers=providers, configured=configured)


def providers_of(
    offered: Iterable[CryptoProvider],
    allowed: Iterable[CryptoProvider],
    operations: dict[str, int],
) -> dict[str, Provider]:
    """Put together what providers offer, what the policy allows, and what the kernel counted.

    A disabled mechanism of the policy counts as offered: whether `list -m` leaves it out is not
    verified.
    """
    mechanisms = {one.name: one for one in offered}
    policies = {one.name: one for one in allowed}
    found = {}
    for name in {**mechanisms, **policies}:
        listed = mechanisms.get(name)
        policy = policy_of(policies.get(name))
        names = frozenset(one.name for one in (listed.mechanisms or ())) if listed else frozenset()
        found[name] = Provider(
            name=name,
            is_loaded=listed.is_loaded if listed else True,
            mechanisms=names | policy.exceptions,
            policy=policy,
            random=(policies[name].random or _NONE) if name in policies else _NONE,
            operations=operations.get(name),
        )
    return found


def policy_of(listed: CryptoProvider | None) -> Policy:
    """Return a listed policy; without one everything is enabled."""
    if listed is None or listed.policy is None:
        return Policy()
    return Policy(listed.policy.is_all_disabled, frozenset(listed.policy.exceptions))


def read_metaslot(reader: Reader, *, wants_tokens: bool) -> MetaslotState:
    """Read metaslot as configured and as it is (two or three commands). Raises ChangeRefused."""
    found = parsed(reader, [CRYPTOADM, "list", "-v", "metaslot"], parse_metaslot)
    policies = parsed(reader, [CRYPTOADM, "list", "-p", "metaslot"], parse_cryptoadm)
    tokens = (
        parsed(reader, [CRYPTOADM, "list", "-v"], parse_cryptoadm, tolerated=BAD_LIBRARY)
        if wants_tokens
        else CryptoListing()
    )
    return metaslot_of(found.metaslot or CryptoMetaslot(), policies, tokens)


def parse_metaslot(text: str) -> CryptoListing:
    """Parse `cryptoadm list [-v] metaslot`, which has to say whether it is enabled.

    Raises UnexpectedOutput.
    """
    found = parse_cryptoadm(text)
    if found.metaslot is None or found.metaslot.is_enabled is None:
        raise UnexpectedOutput(1, text.partition("\n")[0])
    return found


def metaslot_of(
    found: CryptoMetaslot, policies: CryptoListing, tokens: CryptoListing
) -> MetaslotState:
    """Put metaslot, its policy and the tokens that it could use together."""
    listed = (one for one in policies.providers if one.name == "metaslot")
    return MetaslotState(
        is_enabled=bool(found.is_enabled),
        is_actual=found.is_actual,
        is_migrating=bool(found.is_migrating),
        token=found.token,
        slot=found.slot,
        policy=policy_of(next(listed, None)),
        tokens=tuple(
            (slot.token.label, slot.description)
            for provider in tokens.providers
            for slot in provider.slots
            if slot.token is not None
        ),
    )


def _operations(reader: Reader) -> dict[str, int]:
    """The kernel's counters; empty where they cannot be had, which counts as in use."""
    argv = [KSTAT, "-p", "-m", "kcf", "-s", "kcf_ops_total"]
    try:
        result = reader.run(argv)
        stats = parse_kstat(result.stdout).stats if result.returncode == 0 else ()
    except (CommandNotStarted, UnexpectedOutput):
        return {}
    named = ((kernel_provider(stat.name), stat) for stat in stats)
    return {
        name: int(stat.number)
        for name, stat in named
        if name and stat.statistic == "kcf_ops_total" and stat.number is not None
    }
