"""Who may do what: one table of verbs by role, one question, one guard."""

from typing import Any

from console.accounts.actors import Actor
from console.accounts.enums import ActorType, Role
from console.accounts.models import ApiToken, User
from console.core.errors import NotAuthenticated, PermissionDenied

READ_VERBS = frozenset(
    {"host.read", "inventory.read", "job.read", "change.read", "finding.read", "audit.read"}
)
OWN_VERBS = frozenset({"api_token.manage"})
"""Everybody has these for what is their own; administrators for everything."""

VIEWER_VERBS = READ_VERBS | OWN_VERBS
OPERATOR_VERBS = VIEWER_VERBS | {
    "job.run",
    "job.cancel",
    "inventory.scan",
    "finding.acknowledge",
    "change.request",
    "change.apply",
    "change.cancel",
    "change.rollback",
}
APPROVER_VERBS = OPERATOR_VERBS | {"change.approve"}
ADMINISTRATOR_VERBS = APPROVER_VERBS | {
    "change.pause",
    "approval_rule.manage",
    "host_group.manage",
    "maintenance_window.manage",
    "host.enrol",
    "host.update",
    "host.retire",
    "enrolment_token.manage",
    "user.manage",
}
ALL_VERBS = ADMINISTRATOR_VERBS

VERBS_BY_ROLE: dict[Role, frozenset[str]] = {
    Role.VIEWER: VIEWER_VERBS,
    Role.OPERATOR: OPERATOR_VERBS,
    Role.APPROVER: APPROVER_VERBS,
    Role.ADMINISTRATOR: ADMINISTRATOR_VERBS,
}


def can(actor: Actor | None, verb: str, obj: Any = None) -> bool:
    """Return whether `actor` may do `verb` (to `obj`, where it matters). Unknown verb: KeyError."""
    if verb not in ALL_VERBS:
        raise KeyError(f"unknown verb {verb}")
    if actor is None:
        return False
    if actor.type is ActorType.SYSTEM:
        return True
    if actor.role is None or verb not in VERBS_BY_ROLE[actor.role]:
        return False
    if verb in OWN_VERBS and obj is not None and actor.role is not Role.ADMINISTRATOR:
        return bool(_owner_of(obj) == actor.user_id)
    return True


def require(actor: Actor | None, verb: str, obj: Any = None) -> None:
    """Raise NotAuthenticated or PermissionDenied unless `actor` may do `verb`."""
    if actor is None:
        raise NotAuthenticated("session.unauthenticated", "Log in first.")
    if not can(actor, verb, obj):
        raise PermissionDenied(
            "permission.denied", f"{actor.name} may not do {verb}.", extra={"verb": verb}
        )


def capabilities_of(actor: Actor | None) -> dict[str, bool]:
    """Return what `actor` may do somewhere, by verb."""
    return {verb: can(actor, verb) for verb in sorted(ALL_VERBS)}


def _owner_of(obj: Any) -> Any:
    if isinstance(obj, User):
        return obj.pk
    return obj.user_id if isinstance(obj, ApiToken) else None
