"""`mechanism.policy`: which mechanisms of a provider may be used.

cryptoadm exits 0 on several failures, applies the good names of a bad list, cuts values at `=`,
does not wait for its lock, and may change the file while the kernel does not. So: names are checked
against the provider's own first, one call at a time, both the listing and the file are read, and
for the kernel's providers the exit code counts as well.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds import crypto_read
from agents.drivers.solaris.kinds.commands import CRYPTOADM, concerns_a_library, cryptoadm_missing
from agents.drivers.solaris.kinds.crypto_state import CryptoState, Provider, policy_parts
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.kinds.last_provider import force_needed
from agents.drivers.solaris.kinds.policy_steps import PolicyTarget, policy_steps, restoring, shown
from agents.wire.changes import (
    ChangeRequest,
    Consequence,
    ConsequenceKind,
    Phase,
    Plan,
    Risk,
    StepPlan,
)
from agents.wire.inventory import Attribute

_KEYS = ("provider", "enable", "disable", "random", "force", "force_reason")


class MechanismPolicy(ChangeKind[CryptoState]):
    """Enables and disables mechanisms and the random feature of one provider."""

    name: ClassVar[str] = "mechanism.policy"

    def applies(self, reader: Reader) -> str:
        return cryptoadm_missing(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[CryptoState]:
        name = validation.provider_name(parameters.get("provider"))
        state = crypto_read.read_policies(reader, name)
        return Seen(state, policy_parts(state, name))

    def is_proved_by_reading(self, step: StepPlan) -> bool:
        return concerns_a_library(step.argv)

    def plan(self, parameters: Mapping[str, Any], seen: Seen[CryptoState]) -> Plan:
        validation.only_keys(parameters, _KEYS)
        name = validation.provider_name(parameters.get("provider"))
        provider = seen.state.known(name)
        enable = validation.mechanism_names(parameters.get("enable", []), "enable")
        disable = validation.mechanism_names(parameters.get("disable", []), "disable")
        _check_known(provider, enable, disable)
        now = provider.policy or Policy()
        # 1. What is asked for, in calls that can each be undone.
        _check_agreement(seen.state, provider)
        goal, steps = policy_steps(_target(seen, provider), now, enable, disable)
        random, random_steps = _random(provider, parameters.get("random"))
        # 2. What must not be taken away without a second person.
        needs_force = force_needed(seen.state, provider, now, goal, random, parameters)
        return _plan(
            parameters, seen, provider, (goal, random), [*steps, *random_steps], needs_force
        )


def _check_agreement(state: CryptoState, provider: Provider) -> None:
    """Refuse while file and running system differ: no single call would bring both along."""
    if state.configured in (None, provider.policy or Policy()):
        return
    raise ChangeRefused(
        "mechanism.file_differs",
        f"The configuration file and the running system differ about {provider.name}: an earlier "
        "call wrote the file and could not tell the kernel.",
        "Bring the kernel along first: `svcadm refresh system/cryptosvc`.",
        provider.name,
    )


def _target(seen: Seen[CryptoState], provider: Provider) -> PolicyTarget:
    def values(policy: Policy) -> dict[str, Attribute]:
        value = parts.policy_value(policy.is_all_disabled, policy.exceptions)
        listed: dict[str, Attribute] = {parts.mechanism_policy(provider.name): value}
        if parts.mechanism_configured(provider.name) in seen.parts:
            listed[parts.mechanism_configured(provider.name)] = list(value)
        return listed

    return PolicyTarget(
        operand=f"provider={provider.name}",
        label=provider.name,
        has_all_switch=provider.is_library,
        mechanisms=provider.mechanisms,
        part_values=values,
    )


def _check_known(provider: Provider, enable: list[str], disable: list[str]) -> None:
    policy = provider.policy or Policy()
    known = provider.mechanisms | policy.exceptions
    unknown = [name for name in (*enable, *disable) if name != parts.ALL and name not in known]
    if unknown:
        raise ChangeRefused(
            "mechanism.unknown",
            f"{provider.name} offers no {shown(unknown)}.",
            f"It offers {shown(sorted(known)) or 'nothing'}. (cryptoadm would apply the rest.)",
            provider.name,
        )


def _random(provider: Provider, wanted: Any) -> tuple[str, list[StepPlan]]:
    if wanted is None:
        return provider.random, []
    if wanted not in ("enable", "disable"):
        raise validation.invalid("random", "must be enable or disable")
    if provider.random == parts.NONE:
        raise ChangeRefused(
            "mechanism.no_random", f"{provider.name} has no random feature.", "", provider.name
        )
    goal = f"{wanted}d"
    if goal == provider.random:
        return goal, []
    part = parts.mechanism_random(provider.name)
    opposite = "disable" if wanted == "enable" else "enable"
    step = StepPlan(
        title=f"{str(wanted).capitalize()} random numbers from {provider.name}",
        argv=[CRYPTOADM, wanted, f"provider={provider.name}", "random"],
        undo_argv=[CRYPTOADM, opposite, f"provider={provider.name}", "random"],
        before={part: provider.random},
        after={part: goal},
    )
    return goal, [step]


def _plan(
    parameters: Mapping[str, Any],
    seen: Seen[CryptoState],
    provider: Provider,
    goal: tuple[Policy, str],
    steps: list[StepPlan],
    needs_force: str,
) -> Plan:
    policy, random = goal
    ends = dict(_target(seen, provider).part_values(policy))
    ends[parts.mechanism_random(provider.name)] = random
    titles = "; ".join(step.title for step in steps)
    return Plan(
        request=ChangeRequest(kind=MechanismPolicy.name, parameters=dict(parameters)),
        sentence=f"{titles}." if steps else f"Nothing to do: {provider.name} is as asked for.",
        parts={part: seen.parts[part] for part in ends},
        phases=[Phase(title=titles, steps=steps)] if steps else [],
        ends=ends,
        consequences=_consequences(provider) if steps else [],
        risk=(Risk.HIGH if needs_force else Risk.MEDIUM if _takes(steps) else Risk.LOW).value,
        is_noop=not steps,
        needs_force=needs_force,
        rollback=_rollback(provider, policy, random) if steps else None,
        rollback_reason="" if steps else "There is nothing to undo.",
    )


def _takes(steps: list[StepPlan]) -> bool:
    return any(step.argv[1] == "disable" for step in steps)


def _rollback(provider: Provider, goal: Policy, random: str) -> ChangeRequest:
    back: dict[str, Any] = {"provider": provider.name}
    back |= restoring(provider.policy or Policy(), goal)
    if random != provider.random:
        back["random"] = "enable" if provider.random == parts.ENABLED else "disable"
    return ChangeRequest(kind=MechanismPolicy.name, parameters=back)


def _consequences(provider: Provider) -> list[Consequence]:
    if not provider.is_library:
        return []
    return [
        Consequence(
            kind=ConsequenceKind.RESTART_NEEDED.value,
            subject=provider.name,
            text="Running programs keep the list of mechanisms that they loaded; those that "
            "initialise PKCS#11 from now on get the new one.",
        )
    ]
