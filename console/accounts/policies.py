"""Who may do what: one table of verbs by role, one question, one guard."""

from typing import Any

from console.accounts.actors import Actor
from console.accounts.enums import ActorType, Role
from console.core.errors import NotAuthenticated, PermissionDenied

READ_VERBS = frozenset(
    {"host.read", "inventory.read", "job.read", "finding.read", "audit.read"}
)
OPERATOR_VERBS = READ_VERBS | {"job.run", "job.cancel", "inventory.scan", "finding.acknowledge"}
ADMINISTRATOR_VERBS = OPERATOR_VERBS | {
    "host.enrol",
    "host.update",
    "host.retire",
    "enrolment_token.manage",
    "api_token.manage",
    "user.manage",
}

VERBS_BY_ROLE: dict[Role, frozenset[str]] = {
    Role.VIEWER: READ_VERBS,
    Role.OPERATOR: OPERATOR_VERBS,
    Role.APPROVER: OPERATOR_VERBS,
    Role.ADMINISTRATOR: ADMINISTRATOR_VERBS,
}
ALL_VERBS = ADMINISTRATOR_VERBS


def can(actor: Actor | None, verb: str, obj: Any = None) -> bool:
    """Return whether `actor` may do `verb` (to `obj`, where it matters). Unknown verb: KeyError."""
    if verb not in ALL_VERBS:
        raise KeyError(f"unknown verb {verb}")
    if actor is None:
        return False
    if actor.type is ActorType.SYSTEM:
        return True
    return actor.role is not None and verb in VERBS_BY_ROLE[actor.role]


def require(actor: Actor | None, verb: str, obj: Any = None) -> None:
    """Raise NotAuthenticated or PermissionDenied unless `actor` may do `verb`."""
    if actor is None:
        raise NotAuthenticated("session.unauthenticated", "Log in first.")
    if not can(actor, verb, obj):
        raise PermissionDenied(
            "permission.denied", f"{actor.name} may not do {verb}.", extra={"verb": verb}
        )
