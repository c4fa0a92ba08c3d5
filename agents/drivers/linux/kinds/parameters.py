"""What may be asked of the Linux kinds: checked again here, because the agent trusts nobody."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from agents.changes.base import ChangeRefused

_MODULE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]*(?:\.[A-Za-z0-9_+-]+)*")
_MECHANISM = re.compile(r"CKM_[A-Z0-9_]{1,60}")


def invalid(path: str, fault: str, remedy: str = "") -> ChangeRefused:
    """Return the refusal of a parameter."""
    return ChangeRefused("parameters.invalid", f"{path}: {fault}", remedy, path)


def only_keys(parameters: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse keys that nothing reads."""
    allowed = sorted(known)
    for key in parameters:
        if key not in allowed:
            raise invalid(str(key), "no such parameter", f"Known: {', '.join(allowed)}.")


def module_name(parameters: Mapping[str, Any]) -> str:
    """Return a p11-kit module's name: a file name of its directory, never a path out of it."""
    name = parameters.get("module")
    if not isinstance(name, str) or not _MODULE.fullmatch(name) or len(name) > 200:
        raise invalid("module", "must be a module's name as p11-kit lists it")
    return name


def mechanism_names(parameters: Mapping[str, Any], key: str) -> list[str]:
    """Return mechanisms, sorted and each once; `["*"]` means all.

    A `,`, a blank, `#` or a line break would make another setting of the line.
    """
    value = parameters.get(key, [])
    if not isinstance(value, list):
        raise invalid(key, "must be a list of mechanism names")
    if value == ["*"]:
        return ["*"]
    for index, name in enumerate(value):
        if not isinstance(name, str) or not _MECHANISM.fullmatch(name):
            raise invalid(f"{key}[{index}]", f"{name!r} is no mechanism name (CKM_…)")
    return sorted(set(value))


def force_reason(parameters: Mapping[str, Any]) -> str:
    """Return the reason of a forced request, empty where it is not forced."""
    force = parameters.get("force", False)
    reason = parameters.get("force_reason", "")
    if not isinstance(force, bool):
        raise invalid("force", "must be true or false")
    if not isinstance(reason, str) or (force and not reason.strip()):
        raise invalid("force_reason", "is missing", "Say why it has to be forced.")
    return reason.strip() if force else ""
