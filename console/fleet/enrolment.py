"""Enrolment: tokens that let machines in, and the one service that makes a machine a host."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from agents.wire.messages import EnrolRequest
from console.accounts.actors import SYSTEM, Actor
from console.accounts.enums import ActorType
from console.audit.services import audit_record
from console.core import events
from console.core.credentials import credential_digest, credential_make
from console.core.errors import InvalidInput, NotAuthenticated, StateConflict
from console.core.transitions import transition_or_conflict
from console.fleet.broker import broker_password_make, broker_user_set
from console.fleet.enums import DISMISSED, HOST_TRANSITIONS, HostState
from console.fleet.models import AgentCredential, EnrolmentToken, Host
from console.fleet.pulse import credentials_changed, pulse_invalidate
from console.fleet.services import MAX_NAME, checked_labels, credentials_revoke

ENROLMENT_PREFIX = "kre_"
CREDENTIAL_PREFIX = "kra_"
MAX_LIFETIME = timedelta(days=90)
MAX_USES = 10_000
_HINT_LENGTH = 10
_MAX_WORD = 200

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class NewEnrolmentToken:
    """A token just made; `secret` is shown this once."""

    row: EnrolmentToken
    secret: str


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What a machine got: its host, and credential and broker password, shown this once."""

    host: Host
    credential: str
    broker_password: str
    is_reenrolment: bool


@transaction.atomic
def enrolment_token_create(
    *,
    name: str,
    actor: Actor,
    lifetime: timedelta = timedelta(hours=1),
    max_uses: int = 1,
    labels: dict[str, str] | None = None,
) -> NewEnrolmentToken:
    """Make a token good for `max_uses` enrolments within `lifetime`; its hosts get `labels`.

    Raises InvalidInput `enrolment_token.invalid` or `label.invalid`.
    """
    if not timedelta() < lifetime <= MAX_LIFETIME or not 1 <= max_uses <= MAX_USES:
        message = (
            f"A token lives at most {MAX_LIFETIME.days} days and enrols 1 to {MAX_USES} hosts."
        )
        raise InvalidInput("enrolment_token.invalid", message)
    secret = credential_make(ENROLMENT_PREFIX)
    row = EnrolmentToken.objects.create(
        name=name.strip()[:100] or "enrolment",
        hint=secret[:_HINT_LENGTH],
        digest=credential_digest(secret),
        labels=checked_labels(labels or {}),
        max_uses=max_uses,
        expires_at=timezone.now() + lifetime,
        created_by_id=actor.user_id,
    )
    new = {"name": row.name, "max_uses": max_uses, "expires_at": row.expires_at}
    events.publish("enrolment_token", row.pk, row.updated_at)
    audit_record(
        actor=actor, verb="enrolment_token.create", obj=row, new=new | {"labels": row.labels}
    )
    return NewEnrolmentToken(row, secret)


@transaction.atomic
def enrolment_token_revoke(*, token: EnrolmentToken, actor: Actor) -> EnrolmentToken:
    """Make `token` useless from now on. Raises StateConflict `enrolment_token.revoked`."""
    now = timezone.now()
    fields = {"revoked_at": now, "updated_at": now}
    if not EnrolmentToken.objects.filter(pk=token.pk, revoked_at=None).update(**fields):
        raise StateConflict("enrolment_token.revoked", f"{token.name} was revoked before.")
    token.refresh_from_db()
    events.publish("enrolment_token", token.pk, now)
    audit_record(actor=actor, verb="enrolment_token.revoke", obj=token, new={"revoked_at": now})
    return token


@transaction.atomic
def host_enrol(*, request: EnrolRequest) -> Enrolment:
    """Make the machine that shows an enrolment token a host, or give it its old host back.

    Re-enrolment of a `machine_id` keeps the host, its history and name; its old credential ends.
    Raises NotAuthenticated `enrolment_token.invalid` and InvalidInput `host.machine_id_invalid`.
    """
    if not 8 <= len(request.machine_id) <= 128 or not request.machine_id.isascii():
        raise InvalidInput("host.machine_id_invalid", "A machine id has 8 to 128 ASCII characters.")
    token = _use_token(request.token)
    now = timezone.now()
    host = Host.objects.select_for_update().filter(machine_id=request.machine_id).first()
    is_reenrolment = host is not None
    if host is None:
        host = _create(request, token, now)
    else:
        _readmit(host, request, now)
    enrolment = _credential_give(host, is_reenrolment)
    events.publish("host", host.pk, now)
    events.publish("enrolment_token", token.pk, now)
    pulse_invalidate([host.pk])
    credentials_changed()
    audit_record(
        actor=_actor_of(token),
        verb="host.enrol",
        obj=host,
        host=host,
        new={"machine_id": host.machine_id, "is_reenrolment": is_reenrolment, "token": token.name},
    )
    log.info("host.enrolled", host=host.name, is_reenrolment=is_reenrolment)
    return enrolment


def _use_token(secret: str) -> EnrolmentToken:
    """Count one use by one conditional UPDATE: two machines never share the last one."""
    now = timezone.now()
    digest = credential_digest(secret[:_MAX_WORD])
    usable = Q(digest=digest, revoked_at=None, expires_at__gt=now, use_count__lt=F("max_uses"))
    fields: dict[str, Any] = {"use_count": F("use_count") + 1}
    if not EnrolmentToken.objects.filter(usable).update(**fields, last_used_at=now, updated_at=now):
        raise NotAuthenticated(
            "enrolment_token.invalid",
            "This enrolment token is unknown, expired, revoked or used up; make a new one.",
        )
    return EnrolmentToken.objects.get(digest=digest)


def _actor_of(token: EnrolmentToken) -> Actor:
    """Enrolment is recorded as the act of whoever made the token."""
    owner = token.created_by
    if owner is None:
        return SYSTEM
    return Actor(ActorType.USER, owner.pk, owner.username, None, owner.pk)


def _create(request: EnrolRequest, token: EnrolmentToken, now: datetime) -> Host:
    host: Host = Host.objects.create(
        name=_free_name(request.name or request.hostname),
        machine_id=request.machine_id,
        labels=token.labels,
        hostname=_word(request.hostname),
        platform=_word(request.platform),
        agent_version=_word(request.agent_version),
        wire=request.wire[:16],
        enrolled_at=now,
    )
    return host


def _readmit(host: Host, request: EnrolRequest, now: datetime) -> None:
    """Let a known machine in again; a retired or revoked one starts as pending."""
    if host.state in DISMISSED:
        transition_or_conflict(HOST_TRANSITIONS, Host, host.pk, HostState.PENDING)
    Host.objects.filter(pk=host.pk).update(
        hostname=_word(request.hostname),
        platform=_word(request.platform),
        agent_version=_word(request.agent_version),
        wire=request.wire[:16],
        enrolled_at=now,
        updated_at=now,
        # An agent that lost its state counts its reports from 1 again: they are not known.
        acknowledged_seq=0,
    )
    host.refresh_from_db()


def _credential_give(host: Host, is_reenrolment: bool) -> Enrolment:
    credentials_revoke(host)
    secret, password = credential_make(CREDENTIAL_PREFIX), broker_password_make()
    AgentCredential.objects.create(
        host=host,
        hint=secret[:_HINT_LENGTH],
        digest=credential_digest(secret),
        broker_password_sha256=password.sha256,
    )
    transaction.on_commit(lambda: broker_user_set(host.pk, password.sha256), robust=True)
    return Enrolment(host, secret, password.text, is_reenrolment)


def _free_name(wanted: str) -> str:
    """Return `wanted`, or `wanted-2`, `wanted-3` … where other hosts have it already."""
    base = "".join(c for c in wanted.strip() if c.isprintable())[: MAX_NAME - 6] or "host"
    taken = set(Host.objects.filter(name__startswith=base).values_list("name", flat=True))
    names = (base if number == 1 else f"{base}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _word(text: str) -> str:
    return "".join(c for c in text if c.isprintable())[:_MAX_WORD]
