"""The one way to write the audit."""

import re
from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from console.accounts.actors import Actor
from console.audit.chain import GENESIS, digest_of, plain
from console.audit.models import AuditEvent
from console.core import events
from console.core.redaction import redact
from console.core.request_ids import current_request_id

_ADVISORY_LOCK = 0x4B6579726163
"""PostgreSQL advisory lock under which the next link is made ("Keyrac" in ASCII)."""


@transaction.atomic
def audit_record(
    *,
    actor: Actor,
    verb: str,
    obj: Model | None,
    old: Mapping[str, Any] | None = None,
    new: Mapping[str, Any] | None = None,
    host: Any = None,
) -> AuditEvent:
    """Append one row and announce it on topic `audit`; return it.

    Call it inside the transaction of the change and after the change's own row writes: until that
    transaction ends no other one can append. `old` and `new` hold only what changed, never a
    secret. `host` is the host concerned, if any (it has `id` and `name`).
    """
    _lock_chain()
    last = AuditEvent.objects.order_by("-seq").values("seq", "digest").first()
    previous_digest = last["digest"] if last else GENESIS
    event = AuditEvent(
        seq=last["seq"] + 1 if last else 1,
        at=timezone.now(),
        actor_type=actor.type.value,
        actor_id=actor.id,
        actor_name=plain(actor.name)[:200],
        verb=verb,
        object_type=_type_of(obj),
        object_id=str(obj.pk) if obj is not None else "",
        object_name=_name_of(obj),
        host_id=host.id if host is not None else None,
        host_name=_name_of(host),
        old=plain(redact(old)),
        new=plain(redact(new)),
        request_id=current_request_id()[:64],
        previous_digest=previous_digest,
    )
    event.digest = digest_of(event, previous_digest)
    event.save(force_insert=True)
    events.publish("audit", event.id, event.seq)
    return event


def _lock_chain() -> None:
    """Let one transaction at a time append; SQLite's IMMEDIATE transactions already do."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ADVISORY_LOCK])


def _type_of(obj: Model | None) -> str:
    """Return the model's word as the API spells it: ApiToken → api_token.

    `__class__` and not type(): `request.user` is a lazy stand-in that only the former sees through.
    """
    return "" if obj is None else re.sub(r"(?<!^)(?=[A-Z])", "_", obj.__class__.__name__).lower()


def _name_of(obj: Any) -> str:
    if obj is None:
        return ""
    name = getattr(obj, "name", None) or getattr(obj, "username", None) or str(obj)
    return str(plain(str(name)))[:255]
