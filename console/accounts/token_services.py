"""Writes to API tokens: create, revoke, remember the last use."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.enums import ActorType
from console.accounts.models import ApiToken, User
from console.accounts.policies import require
from console.audit.services import audit_record
from console.core import events
from console.core.credentials import credential_digest, credential_make
from console.core.errors import InvalidInput, StateConflict

PREFIX = "krk_"
HINT_CHARACTERS = 8
LAST_USED_EVERY = timedelta(minutes=1)
"""`last_used_at` is written at most this often, so that a busy token costs no write per call."""


@transaction.atomic
def api_token_create(
    *, actor: Actor, user: User, name: str, expires_at: datetime | None = None
) -> tuple[ApiToken, str]:
    """Make a token for `user`; return it with the secret, which is shown once and never stored.

    A token made with a token never outlives that one. Raise InvalidInput `api_token.expiry_past`,
    StateConflict `user.inactive`.
    """
    require(actor, "api_token.manage", user)
    if not user.is_active:
        raise StateConflict("user.inactive", f"{user.username} is not active.")
    if expires_at is not None and expires_at <= timezone.now():
        message = "The expiry lies in the past."
        raise InvalidInput(
            "api_token.expiry_past", message, extra={"fields": {"expires_at": [message]}}
        )
    secret = credential_make(PREFIX)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        hint=secret[:HINT_CHARACTERS],
        digest=credential_digest(secret),
        expires_at=_within_parents_life(actor, expires_at),
    )
    new = {"name": name, "user": user.username, "expires_at": token.expires_at}
    audit_record(actor=actor, verb="api_token.create", obj=token, new=new)
    events.publish("api_token", token.id, token.updated_at)
    return token, secret


@transaction.atomic
def api_token_revoke(*, actor: Actor, token: ApiToken) -> ApiToken:
    """End a token at once. Raise StateConflict `api_token.revoked` when it already is."""
    require(actor, "api_token.manage", token)
    now = timezone.now()
    rows = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    if not rows.update(revoked_at=now, updated_at=now):
        raise StateConflict("api_token.revoked", f"{token.name} was revoked before.")
    token.refresh_from_db()
    audit_record(actor=actor, verb="api_token.revoke", obj=token, old={"revoked_at": None})
    events.publish("api_token", token.id, token.updated_at)
    return token


def api_token_used(token: ApiToken) -> None:
    """Remember that the token was used now, at most once a minute."""
    now = timezone.now()
    stale = now - LAST_USED_EVERY
    if token.last_used_at is not None and token.last_used_at > stale:
        return
    due = Q(last_used_at=None) | Q(last_used_at__lte=stale)
    ApiToken.objects.filter(due, pk=token.pk).update(last_used_at=now)


def _within_parents_life(actor: Actor, expires_at: datetime | None) -> datetime | None:
    if actor.type is not ActorType.API_TOKEN:
        return expires_at
    parent = ApiToken.objects.values_list("expires_at", flat=True)
    limit = parent.get(pk=str(actor.id))
    if limit is None or (expires_at is not None and expires_at <= limit):
        return expires_at
    return limit
