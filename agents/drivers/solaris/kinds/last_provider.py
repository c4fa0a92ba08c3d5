"""What a policy may only take away with force: a mechanism's last provider, and the softtoken."""

from collections.abc import Mapping
from typing import Any

from agents.changes.base import ChangeRefused
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds.crypto_state import CryptoState, Provider
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.kinds.policy_steps import shown

_OF_ALL = Policy(True)


def force_needed(
    state: CryptoState,
    provider: Provider,
    now: Policy,
    goal: Policy,
    random: str,
    parameters: Mapping[str, Any],
) -> str:
    """Return why a second person has to agree, empty where nobody need.

    Raises ChangeRefused where that is so and the request is not forced with a reason.
    """
    why = _why(state, provider, now, goal, random)
    return require_force(why, provider.name, parameters)


def require_force(why: str, subject: str, parameters: Mapping[str, Any]) -> str:
    """Return `why` with the reason of a forced request; raise ChangeRefused for one that is not."""
    reason = validation.force(parameters)
    if not why:
        return ""
    if not reason:
        raise ChangeRefused(
            "mechanism.last_provider",
            why,
            "Force it with a reason (force, force_reason); a second person then has to agree.",
            subject,
        )
    return f"{why} Reason given: {reason}"


def orphans(
    state: CryptoState, provider: Provider, now: Policy, goal: Policy = _OF_ALL
) -> list[str]:
    """Return the mechanisms that nothing would provide any more on that level, sorted."""
    lost = {m for m in provider.mechanisms if not now.is_disabled(m) and goal.is_disabled(m)}
    for other in state.others(provider):
        if other.is_loaded:
            policy = other.policy or Policy()
            lost -= {m for m in other.mechanisms if not policy.is_disabled(m)}
    return sorted(lost)


def _why(state: CryptoState, provider: Provider, now: Policy, goal: Policy, random: str) -> str:
    # 1. The softtoken as a whole.
    left = {m for m in provider.mechanisms if not goal.is_disabled(m)}
    had = {m for m in provider.mechanisms if not now.is_disabled(m)}
    if validation.SOFTTOKEN in provider.name and had and not left:
        return (
            f"{provider.name} is a required part of Oracle Solaris and must not be disabled, says "
            "its manual page."
        )
    # 2. Mechanisms that something uses. The kernel counts operations per provider, not per
    #    mechanism; a provider that has never been asked since boot has none in use.
    lost = [] if provider.operations == 0 else orphans(state, provider, now, goal)
    if lost:
        return f"Nothing else provides {shown(lost)}: what uses it fails from then on."
    # 3. Random numbers.
    is_taken = provider.random == parts.ENABLED and random == parts.DISABLED
    if is_taken and all(other.random != parts.ENABLED for other in state.others(provider)):
        return f"{provider.name} is the last source of random numbers on its level."
    return ""
