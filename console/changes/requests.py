"""Checks of what is asked for, before any agent is: the kind, its parameters, the host."""

from collections.abc import Mapping
from typing import Any

from agents.wire.changes import CHANGE_KINDS
from console.changes.kinds.registry import kind_get, kind_title
from console.core.errors import InvalidInput
from console.core.redaction import redact
from console.fleet.enums import SERVED
from console.fleet.models import Host

MAX_PARAMETER_CHARACTERS = 64_000


def request_check(kind: str, parameters: Any, reason: str) -> None:
    """Raise InvalidInput `change.kind`, `change.parameters`, `change.secret` or `change.reason`."""
    if kind not in CHANGE_KINDS:
        text = f"There is no change of the kind {kind!r:.80}; there are: {', '.join(CHANGE_KINDS)}."
        raise InvalidInput("change.kind", text, extra={"fields": {"kind": [text]}})
    if not isinstance(parameters, dict) or len(repr(parameters)) > MAX_PARAMETER_CHARACTERS:
        text = "The parameters must be an object of reasonable size."
        raise InvalidInput("change.parameters", text, extra={"fields": {"parameters": [text]}})
    if redact(parameters) != parameters:
        text = "A parameter looks like a secret. Secrets stay on their host: name a file there."
        raise InvalidInput("change.secret", text, extra={"fields": {"parameters": [text]}})
    kind_get(kind).check(parameters)
    if not reason.strip():
        text = "Say why: whoever approves it, and whoever reads the audit, wants to know."
        raise InvalidInput("change.reason", text, extra={"fields": {"reason": [text]}})


def host_check(host: Host, kind: str) -> str:
    """Return why this host cannot be asked for a change of that kind; empty where it can."""
    if host.state not in SERVED:
        return f"{host.name} is {host.state}."
    known = {entry["name"]: entry for entry in host.change_kinds}
    if not known:
        return f"{host.name} has not said yet which changes it takes."
    entry = known.get(kind)
    if entry is None:
        return _unknown_to(host, kind, known)
    return "" if entry["is_accepted"] else f"{host.name}: {entry['reason']}"


def _unknown_to(host: Host, kind: str, known: Mapping[str, Any]) -> str:
    words = kind_get(kind)
    act = words.act or f"{words.title[:1].lower()}{words.title[1:]}"
    able = ", ".join(kind_title(name) for name in known)
    return f"This host's driver cannot {act}: {host.name} knows no {kind}, but these: {able}."
