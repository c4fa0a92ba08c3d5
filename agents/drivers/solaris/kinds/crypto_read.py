"""Reads the Cryptographic Framework through cryptoadm for the planners."""

from agents.changes.base import Reader
from agents.drivers.solaris.kinds.commands import CRYPTOADM, parsed
from agents.drivers.solaris.kinds.crypto_state import CryptoState, MetaslotState, Provider
from agents.drivers.solaris.kinds.cryptoadm_rows import (
    Listed,
    parse_list,
    parse_mechanisms,
    parse_metaslot,
    parse_operations,
    parse_policies,
    parse_tokens,
)
from agents.drivers.solaris.kinds.cryptofiles import (
    KERNEL_FILE,
    LIBRARIES_FILE,
    Policy,
    configured_policy,
)
from agents.executors.process import CommandNotStarted

KSTAT = "/usr/bin/kstat"
_BAD_LIBRARY = "failed to retrieve the mechanism list"
"""One library that does not load makes the whole listing end with 1; the rest is there [src]."""
_NO_POLICY = Listed(Policy(), "none")


def read_list(reader: Reader) -> CryptoState:
    """Read which providers there are (one command). Raises ChangeRefused."""
    listed = parsed(reader, [CRYPTOADM, "list"], parse_list)
    return CryptoState(
        providers={name: Provider(name=name, is_loaded=loaded) for name, loaded in listed.items()}
    )


def read_policies(reader: Reader, name: str) -> CryptoState:
    """Read all providers' mechanisms and policies, and what `name`'s file says of it.

    Two commands, and the kernel's counters for a kernel provider. Raises ChangeRefused.
    """
    mechanisms = parsed(reader, [CRYPTOADM, "list", "-m"], parse_mechanisms, tolerated=_BAD_LIBRARY)
    policies = parsed(reader, [CRYPTOADM, "list", "-p"], parse_policies)
    operations = {} if name.startswith("/") else _operations(reader)
    providers = {}
    for one in {**mechanisms, **policies}:
        is_loaded, offered = mechanisms.get(one, (True, frozenset[str]()))
        listed = policies.get(one, _NO_POLICY)
        providers[one] = Provider(
            name=one,
            is_loaded=is_loaded,
            mechanisms=offered | listed.policy.exceptions,
            policy=listed.policy,
            random=listed.random,
            operations=operations.get(one),
        )
    text = reader.read_text(LIBRARIES_FILE if name.startswith("/") else KERNEL_FILE)
    configured = None if text is None else configured_policy(text, name)
    return CryptoState(providers=providers, configured=configured)


def read_metaslot(reader: Reader, *, wants_tokens: bool) -> MetaslotState:
    """Read metaslot as configured and as it is (two or three commands). Raises ChangeRefused."""
    found = parsed(reader, [CRYPTOADM, "list", "-v", "metaslot"], parse_metaslot)
    policies = parsed(reader, [CRYPTOADM, "list", "-p", "metaslot"], parse_policies)
    tokens = (
        parsed(reader, [CRYPTOADM, "list", "-v"], parse_tokens, tolerated=_BAD_LIBRARY)
        if wants_tokens
        else []
    )
    return MetaslotState(
        is_enabled=found.is_enabled,
        is_actual=found.is_actual,
        is_migrating=found.is_migrating,
        token=found.token,
        slot=found.slot,
        policy=policies.get("metaslot", _NO_POLICY).policy,
        tokens=tuple(tokens),
    )


def _operations(reader: Reader) -> dict[str, int]:
    """The kernel's counters; empty where they cannot be had, which counts as in use."""
    argv = [KSTAT, "-p", "-m", "kcf", "-s", "kcf_ops_total"]
    try:
        result = reader.run(argv)
    except CommandNotStarted:
        return {}
    return parse_operations(result.stdout) if result.returncode == 0 else {}
