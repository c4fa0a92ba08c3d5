"""`provider.install`, `provider.uninstall`, `provider.unload`: which providers there are."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds import crypto_read
from agents.drivers.solaris.kinds.commands import (
    CRYPTOADM,
    concerns_a_library,
    cryptoadm_missing,
)
from agents.drivers.solaris.kinds.crypto_state import CryptoState, Provider, installed_parts
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.kinds.last_provider import orphans, require_force
from agents.drivers.solaris.kinds.policy_steps import shown
from agents.drivers.solaris.validation import ProviderType
from agents.wire.changes import (
    ChangeRequest,
    Consequence,
    ConsequenceKind,
    Phase,
    Plan,
    Risk,
    StepPlan,
)

_FORCE_KEYS = ("force", "force_reason")
_LOADS_NO_MORE = "cryptoadm has no command that loads it again (what does is not verified)."


class ProviderInstall(ChangeKind[CryptoState]):
    """Adds a user-level library, or a kernel software provider with its mechanisms."""

    name: ClassVar[str] = "provider.install"

    def applies(self, reader: Reader) -> str:
        return cryptoadm_missing(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[CryptoState]:
        return _listed(reader, validation.provider_name(parameters.get("provider")))

    def is_proved_by_reading(self, step: StepPlan) -> bool:
        return concerns_a_library(step.argv)

    def plan(self, parameters: Mapping[str, Any], seen: Seen[CryptoState]) -> Plan:
        validation.only_keys(parameters, ("provider", "mechanisms"))
        name = validation.provider_name(parameters.get("provider"))
        words = _install_words(name, parameters)
        part = parts.provider_installed(name)
        step = StepPlan(
            title=f"Install {name}",
            argv=[CRYPTOADM, "install", *words],
            undo_argv=[CRYPTOADM, "uninstall", f"provider={name}"],
            before={part: False},
            after={part: True},
        )
        return _plan(
            ChangeRequest(kind=self.name, parameters=dict(parameters)),
            {part: seen.parts[part]},
            [] if name in seen.state.providers else [step],
            ends={part: True},
            consequences=[_loaded_by_all(name)] if name.startswith("/") else [],
            rollback=ChangeRequest(
                kind=ProviderUninstall.name,
                parameters={
                    "provider": name,
                    "force": True,
                    "force_reason": "Undoes its installation.",
                },
            ),
        )


class ProviderUninstall(ChangeKind[CryptoState]):
    """Takes a provider out of the framework; its files stay on the disk."""

    name: ClassVar[str] = "provider.uninstall"

    def applies(self, reader: Reader) -> str:
        return cryptoadm_missing(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[CryptoState]:
        name = validation.provider_name(parameters.get("provider"))
        state = crypto_read.read_policies(reader, name)
        return Seen(state, installed_parts(state, name))

    def is_proved_by_reading(self, step: StepPlan) -> bool:
        return concerns_a_library(step.argv)

    def plan(self, parameters: Mapping[str, Any], seen: Seen[CryptoState]) -> Plan:
        validation.only_keys(parameters, ("provider", *_FORCE_KEYS))
        name = validation.provider_name(parameters.get("provider"))
        _not_hardware(name, "uninstalled")
        part = parts.provider_installed(name)
        request = ChangeRequest(kind=self.name, parameters=dict(parameters))
        provider = seen.state.providers.get(name)
        if provider is None:
            return _plan(request, {part: False}, [], ends={part: False})
        needs_force = require_force(_why(seen.state, provider), name, parameters)
        step, rollback = _uninstall(provider, part)
        return _plan(
            request,
            {part: seen.parts[part]},
            [step],
            ends={part: False},
            rollback=rollback,
            needs_force=needs_force,
            warnings=_lost_policy(provider),
        )


class ProviderUnload(ChangeKind[CryptoState]):
    """Unloads a kernel software provider; cryptoadm then lists it as inactive."""

    name: ClassVar[str] = "provider.unload"

    def applies(self, reader: Reader) -> str:
        return cryptoadm_missing(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[CryptoState]:
        name = validation.provider_name(parameters.get("provider"))
        state = crypto_read.read_policies(reader, name)
        return Seen(state, installed_parts(state, name))

    def plan(self, parameters: Mapping[str, Any], seen: Seen[CryptoState]) -> Plan:
        validation.only_keys(parameters, ("provider", *_FORCE_KEYS))
        name = validation.provider_name(parameters.get("provider"))
        if validation.provider_type(name) is not ProviderType.KERNEL_SOFTWARE:
            raise ChangeRefused(
                "provider.not_unloadable",
                f"{name} cannot be unloaded: only kernel software providers can.",
                "",
                name,
            )
        provider = seen.state.known(name)
        part = parts.provider_loaded(name)
        request = ChangeRequest(kind=self.name, parameters=dict(parameters))
        if not provider.is_loaded:
            return _plan(request, {part: False}, [], ends={part: False})
        needs_force = require_force(_why(seen.state, provider), name, parameters)
        step = StepPlan(
            title=f"Unload {name}",
            argv=[CRYPTOADM, "unload", f"provider={name}"],
            undo_reason=_LOADS_NO_MORE,
            before={part: True},
            after={part: False},
        )
        return _plan(request, {part: True}, [step], ends={part: False}, needs_force=needs_force)


def _listed(reader: Reader, name: str) -> Seen[CryptoState]:
    state = crypto_read.read_list(reader)
    return Seen(state, installed_parts(state, name))


def _install_words(name: str, parameters: Mapping[str, Any]) -> list[str]:
    _not_hardware(name, "installed")
    mechanisms = validation.mechanism_names(parameters.get("mechanisms", []), "mechanisms")
    if name.startswith("/"):
        if mechanisms:
            raise validation.invalid("mechanisms", "are asked of the library itself")
        if "/libpkcs11.so" in name:
            raise validation.invalid("provider", "libpkcs11 is the framework, no provider")
        return [f"provider={name}"]
    if not mechanisms or mechanisms == [parts.ALL]:
        raise validation.invalid("mechanisms", "a kernel provider needs the names of its own")
    return [f"provider={name}", validation.joined(mechanisms)]


def _not_hardware(name: str, verb: str) -> None:
    if validation.provider_type(name) is ProviderType.KERNEL_HARDWARE:
        raise ChangeRefused(
            "provider.is_hardware",
            f"{name} is a hardware provider; its driver brings it, and it cannot be {verb}.",
            "Disable its mechanisms instead (mechanism.policy).",
            name,
        )


def _why(state: CryptoState, provider: Provider) -> str:
    if validation.SOFTTOKEN in provider.name:
        return (
            f"{provider.name} is a required part of Oracle Solaris and must not be disabled, says "
            "its manual page."
        )
    lost = [] if provider.operations == 0 else orphans(state, provider, provider.policy or Policy())
    return f"Nothing else provides {shown(lost)}: what uses it fails from then on." if lost else ""


def _uninstall(provider: Provider, part: str) -> tuple[StepPlan, ChangeRequest | None]:
    name, mechanisms = provider.name, sorted(provider.mechanisms)
    words = [f"provider={name}"]
    back: dict[str, Any] = {"provider": name}
    if not provider.is_library:
        words.append(validation.joined(mechanisms))
        back["mechanisms"] = mechanisms
    can_return = provider.is_library or bool(mechanisms)
    step = StepPlan(
        title=f"Uninstall {name}",
        argv=[CRYPTOADM, "uninstall", f"provider={name}"],
        undo_argv=[CRYPTOADM, "install", *words] if can_return else [],
        undo_reason="" if can_return else "Which mechanisms it had is not known.",
        before={part: True},
        after={part: False},
    )
    rollback = ChangeRequest(kind=ProviderInstall.name, parameters=back) if can_return else None
    return step, rollback


def _lost_policy(provider: Provider) -> list[str]:
    policy = provider.policy or Policy()
    if policy == Policy() and provider.random != parts.DISABLED:
        return []
    return [f"{provider.name} has a policy of its own, which is lost; undoing brings none back."]


def _loaded_by_all(name: str) -> Consequence:
    return Consequence(
        kind=ConsequenceKind.RESTART_NEEDED.value,
        subject=name,
        text="Every program that initialises PKCS#11 from now on loads it; running ones do not.",
    )


def _plan(
    request: ChangeRequest,
    looked_at: dict[str, Any],
    steps: list[StepPlan],
    *,
    ends: dict[str, Any],
    consequences: list[Consequence] | None = None,
    rollback: ChangeRequest | None = None,
    needs_force: str = "",
    warnings: list[str] | None = None,
) -> Plan:
    no_rollback = steps[0].undo_reason if steps else "There is nothing to undo."
    is_way_back = bool(steps) and rollback is not None
    risk = Risk.HIGH if needs_force else Risk.MEDIUM if steps else Risk.LOW
    return Plan(
        request=request,
        sentence=f"{steps[0].title}." if steps else "Nothing to do: it is so already.",
        parts=looked_at,
        phases=[Phase(title=steps[0].title, steps=steps)] if steps else [],
        ends=ends,
        consequences=(consequences or []) if steps else [],
        risk=risk.value,
        is_noop=not steps,
        warnings=(warnings or []) if steps else [],
        needs_force=needs_force,
        rollback=rollback if is_way_back else None,
        rollback_reason="" if is_way_back else no_rollback,
    )
