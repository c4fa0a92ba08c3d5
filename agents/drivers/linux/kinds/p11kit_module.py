"""`provider.enable`, `provider.disable` on Linux: whether p11-kit offers a module to programs.

A file in /etc/pkcs11/modules overrides the package's of the same name field by field; an empty
`module:` in it disables the module for all that use p11-kit (pkcs11.conf(5), tried with 0.24).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.drivers.linux.kinds import parameters as check
from agents.drivers.linux.p11kit import registered_modules
from agents.drivers.linux.tree import Tree
from agents.drivers.solaris import parts
from agents.parsers.base import UnexpectedOutput
from agents.parsers.linux.p11kit import parse_p11_kit_config
from agents.wire.changes import (
    ChangeRequest,
    Consequence,
    ConsequenceKind,
    FileEdit,
    Phase,
    Plan,
    Risk,
    StepPlan,
)

DIRECTORY = "/etc/pkcs11/modules"
HEADER = "# Disabled by Keyrack: an empty module field hides it from all that use p11-kit.\n"
KEPT = "# Keyrack kept: "
"""Before a line of the admin's own that disabling had to take out; enabling puts it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleState:
    """One module of the registry. `text`: the admin's file, None where there is none."""

    name: str
    path: str
    """The admin's file; where it is a link, what it leads to."""
    is_known: bool
    is_enabled: bool
    text: str | None


class _ModuleKind(ChangeKind[ModuleState]):
    """What enabling and disabling have in common."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def applies(self, reader: Reader) -> str:
        if registered_modules(self._tree):
            return ""
        return "p11-kit has no modules registered here."

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[ModuleState]:
        name = check.module_name(parameters)
        modules = {module.name: module for module in registered_modules(self._tree)}
        module = modules.get(name)
        path = self._tree.resolve(f"{DIRECTORY}/{name}.module")
        state = ModuleState(
            name=name,
            path=path,
            is_known=module is not None,
            is_enabled=module is not None and _is_enabled(module.path, module.attributes),
            text=reader.read_text(path),
        )
        return Seen(state, {parts.provider_enabled(name): state.is_enabled})


class ProviderEnable(_ModuleKind):
    """Takes back what disabled the module in the admin's directory."""

    name: ClassVar[str] = "provider.enable"

    def plan(self, parameters: Mapping[str, Any], seen: Seen[ModuleState]) -> Plan:
        return _plan(parameters, seen, True, enabled_text(seen.state.text))


class ProviderDisable(_ModuleKind):
    """Hides the module from all that use p11-kit; programs that load its path are unaffected."""

    name: ClassVar[str] = "provider.disable"

    def plan(self, parameters: Mapping[str, Any], seen: Seen[ModuleState]) -> Plan:
        return _plan(parameters, seen, False, disabled_text(seen.state.text))


def disabled_text(text: str | None) -> str:
    """Return the admin's file with an empty `module:`; a line with a path is kept as a comment."""
    lines = (text or "").splitlines()
    kept = [f"{KEPT}{line}" if _is_module_line(line) else line for line in lines]
    return HEADER + "module:\n" + "".join(f"{line}\n" for line in kept)


def enabled_text(text: str | None) -> str | None:
    """Return the admin's file without what disables; None where nothing is left of it."""
    lines = [
        line.removeprefix(KEPT)
        for line in (text or "").splitlines()
        if line != HEADER.rstrip("\n") and line.replace(" ", "") != "module:"
    ]
    return "".join(f"{line}\n" for line in lines) or None


def _is_module_line(line: str) -> bool:
    return line.partition(":")[0].strip() == "module"


def _is_enabled(path: str, attributes: Mapping[str, Any]) -> bool:
    return bool(path or attributes.get("remote"))


def _plan(
    parameters: Mapping[str, Any], seen: Seen[ModuleState], wanted: bool, after: str | None
) -> Plan:
    check.only_keys(parameters, ("module",))
    state = seen.state
    if not state.is_known:
        raise ChangeRefused(
            "provider.unknown", f"p11-kit has no module {state.name} here.", "", state.name
        )
    is_noop = state.is_enabled == wanted
    if not is_noop:
        _check_file(state, after, wanted)
    part = parts.provider_enabled(state.name)
    verb, opposite = ("Enable", ProviderDisable) if wanted else ("Disable", ProviderEnable)
    step = StepPlan(
        title=f"{verb} the module {state.name} in p11-kit",
        edit=FileEdit(path=state.path, before=state.text, after=after),
        before={part: state.is_enabled},
        after={part: wanted},
    )
    return Plan(
        request=ChangeRequest(
            kind=(ProviderEnable if wanted else ProviderDisable).name, parameters=dict(parameters)
        ),
        sentence="Nothing to do: it is so already." if is_noop else f"{step.title}.",
        parts={part: state.is_enabled},
        phases=[] if is_noop else [Phase(title=step.title, steps=[step])],
        ends={part: wanted},
        consequences=[] if is_noop else [_restart_needed(state.name)],
        risk=(Risk.LOW if wanted or is_noop else Risk.MEDIUM).value,
        is_noop=is_noop,
        warnings=[] if wanted or is_noop else [_BYPASS],
        rollback=None
        if is_noop
        else ChangeRequest(kind=opposite.name, parameters={"module": state.name}),
        rollback_reason="There is nothing to undo." if is_noop else "",
    )


def _check_file(state: ModuleState, after: str | None, wanted: bool) -> None:
    """Refuse files that p11-kit does not read, and modules that something else disables."""
    try:
        parse_p11_kit_config(state.text or "")
    except UnexpectedOutput as error:
        raise ChangeRefused(
            "provider.file_unknown",
            f"{state.path} cannot be read by p11-kit, {error}.",
            "Correct the file by hand first.",
            state.name,
        ) from error
    if wanted and after == state.text:
        raise ChangeRefused(
            "provider.not_disabled_here",
            f"What disables {state.name} is not in {state.path}.",
            "Look for its file in the package's and the user's p11-kit directories.",
            state.name,
        )


_BYPASS = "Programs that load the library by its path, without p11-kit, go on as before."


def _restart_needed(name: str) -> Consequence:
    return Consequence(
        kind=ConsequenceKind.RESTART_NEEDED.value,
        subject=name,
        text="p11-kit reads this when a program initialises it: running programs keep the modules "
        "that they loaded.",
    )
