"""The audit of logins and logouts."""

import structlog
from django.db import transaction

from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.audit.services import audit_record

log = structlog.get_logger(__name__)


@transaction.atomic
def session_started(*, actor: Actor, user: User) -> None:
    """Record a login."""
    audit_record(actor=actor, verb="session.start", obj=user)


@transaction.atomic
def session_refused(*, username: str, address: str) -> None:
    """Record a login with a wrong password; one with an unknown name goes to the log alone.

    Otherwise anybody could fill the audit with names of their own.
    """
    log.warning("session.refused", username=username[:64], address=address)
    user = User.objects.filter(username__iexact=username).first()
    if user is not None:
        audit_record(actor=SYSTEM, verb="session.refuse", obj=user, new={"address": address})


@transaction.atomic
def session_ended(*, actor: Actor, user: User) -> None:
    """Record a logout."""
    audit_record(actor=actor, verb="session.end", obj=user)
