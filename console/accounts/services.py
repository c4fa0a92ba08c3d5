"""Writes to users: create, change, deactivate, passwords. API tokens: see token_services.py."""

from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.enums import Role, Theme
from console.accounts.models import ApiToken, User
from console.accounts.policies import require
from console.audit.services import audit_record
from console.core import events
from console.core.credentials import password_make
from console.core.errors import InvalidInput, StateConflict


@transaction.atomic
def user_create(
    *, actor: Actor, username: str, role: Role, email: str = "", password: str | None = None
) -> tuple[User, str]:
    """Make a user; return it with its password, which is generated unless given.

    Raise InvalidInput `user.username_taken` or `user.password_weak`.
    """
    require(actor, "user.manage")
    user = User(username=username, email=email, role=role)
    chosen = password or password_make()
    _check_password(chosen, user)
    user.set_password(chosen)
    if User.objects.filter(username__iexact=username).exists():
        raise _taken(username)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        raise _taken(username) from None
    new = {"username": username, "email": email, "role": role.value}
    audit_record(actor=actor, verb="user.create", obj=user, new=new)
    _announce(user)
    return user, chosen


@transaction.atomic
def user_update(
    *, actor: Actor, user: User, role: Role | None = None, email: str | None = None
) -> User:
    """Set role or e-mail address. Raise StateConflict `user.last_administrator`."""
    require(actor, "user.manage", user)
    wanted: dict[str, Any] = {}
    if role is not None and role != user.role:
        if role is not Role.ADMINISTRATOR:
            _keep_one_administrator(user)
        wanted["role"] = role.value
    if email is not None and email != user.email:
        wanted["email"] = email
    return _apply(actor, user, "user.update", wanted)


@transaction.atomic
def user_deactivate(*, actor: Actor, user: User) -> User:
    """Take a user's access away: sessions and event streams end, API tokens are revoked.

    Raise StateConflict `user.last_administrator`.
    """
    require(actor, "user.manage", user)
    if not user.is_active:
        return user
    _keep_one_administrator(user)
    ApiToken.objects.filter(user=user, revoked_at=None).update(
        revoked_at=timezone.now(), updated_at=timezone.now()
    )
    return _apply(actor, user, "user.deactivate", {"is_active": False})


@transaction.atomic
def user_activate(*, actor: Actor, user: User) -> User:
    """Let a deactivated user in again. API tokens stay revoked."""
    require(actor, "user.manage", user)
    if user.is_active:
        return user
    return _apply(actor, user, "user.activate", {"is_active": True})


@transaction.atomic
def user_password_reset(*, actor: Actor, user: User) -> str:
    """Give a user a new generated password and return it; all sessions of the user end."""
    require(actor, "user.manage", user)
    password = password_make()
    _set_password(user, password)
    audit_record(actor=actor, verb="user.password_reset", obj=user)
    _announce(user)
    return password


@transaction.atomic
def user_password_change(*, actor: Actor, user: User, old: str, new: str) -> None:
    """Let a user choose a password. Raise InvalidInput `user.password_wrong` or `…_weak`."""
    if not user.check_password(old):
        raise InvalidInput(
            "user.password_wrong",
            "That is not your present password.",
            extra={"fields": {"old_password": ["That is not your present password."]}},
        )
    _check_password(new, user, field="new_password")
    _set_password(user, new)
    audit_record(actor=actor, verb="user.password_change", obj=user)
    _announce(user)


@transaction.atomic
def user_theme_set(*, user: User, theme: Theme) -> User:
    """Remember how the dashboard looks for this user (a preference: not audited)."""
    user.theme = theme
    user.save(update_fields=["theme", "updated_at"])
    _announce(user)
    return user


def _apply(actor: Actor, user: User, verb: str, wanted: dict[str, Any]) -> User:
    """Write `wanted` fields that differ, with audit and event; no change writes nothing."""
    if not wanted:
        return user
    old = {name: getattr(user, name) for name in wanted}
    for name, value in wanted.items():
        setattr(user, name, value)
    user.save(update_fields=[*wanted, "updated_at"])
    audit_record(actor=actor, verb=verb, obj=user, old=old, new=wanted)
    _announce(user)
    return user


def _keep_one_administrator(user: User) -> None:
    """Refuse to take the last active administrator away; concurrent callers wait for each other.

    Every caller locks in the order of the keys, and the user itself in the same query: it may
    have stopped being an administrator since it was read, and locking it later would deadlock.
    """
    administrator = Q(role=Role.ADMINISTRATOR, is_active=True)
    locked = User.objects.select_for_update().filter(administrator | Q(pk=user.pk)).order_by("pk")
    administrators = [row.pk for row in locked if row.is_active and row.role == Role.ADMINISTRATOR]
    if administrators == [user.pk]:
        raise StateConflict(
            "user.last_administrator",
            f"{user.username} is the last active administrator. Make another user one first.",
        )


def _set_password(user: User, password: str) -> None:
    user.set_password(password)
    user.save(update_fields=["password", "updated_at"])


def _check_password(password: str, user: User, field: str = "password") -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidInput(
            "user.password_weak",
            " ".join(error.messages),
            extra={"fields": {field: error.messages}},
        ) from None


def _taken(username: str) -> InvalidInput:
    message = f"There is already a user named {username}."
    return InvalidInput("user.username_taken", message, extra={"fields": {"username": [message]}})


def _announce(user: User) -> None:
    events.publish("user", user.id, user.updated_at)
