"""What people change of a host: name, labels, retire, revoke. Contact is in reachability."""

import re
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from console.accounts.actors import Actor
from console.audit.services import audit_record
from console.core import events
from console.core.errors import InvalidInput, StateConflict
from console.core.transitions import transition_or_conflict
from console.fleet.broker import broker_user_remove
from console.fleet.enums import HOST_TRANSITIONS, HostState
from console.fleet.models import AgentCredential, Host
from console.fleet.pulse import credentials_changed, pulse_invalidate

MAX_NAME = 120
MAX_LABELS = 50
LABEL_KEY = re.compile(r"[a-z0-9](?:[a-z0-9_.-]{0,61}[a-z0-9])?")
MAX_LABEL_VALUE = 200


@transaction.atomic
def host_rename(*, host: Host, name: str, actor: Actor) -> Host:
    """Give `host` another display name. Raises InvalidInput and StateConflict `host.name_taken`."""
    wanted = checked_name(name)
    if wanted == host.name:
        return host
    old = host.name
    try:
        with transaction.atomic():
            _write(host, name=wanted)
    except IntegrityError:
        message = f"Another host is called {wanted}; choose a name of its own."
        raise StateConflict("host.name_taken", message) from None
    audit_record(
        actor=actor,
        verb="host.rename",
        obj=host,
        host=host,
        old={"name": old},
        new={"name": wanted},
    )
    return host


@transaction.atomic
def host_labels_set(*, host: Host, labels: dict[str, str], actor: Actor) -> Host:
    """Replace all labels of `host`. Raises InvalidInput `label.invalid`."""
    wanted = checked_labels(labels)
    if wanted == host.labels:
        return host
    old = host.labels
    _write(host, labels=wanted)
    audit_record(
        actor=actor,
        verb="host.label",
        obj=host,
        host=host,
        old={"labels": old},
        new={"labels": wanted},
    )
    return host


@transaction.atomic
def host_retire(*, host: Host, actor: Actor) -> Host:
    """End the service of a machine that is going away; its history stays.

    Raises StateConflict `host.state`.
    """
    return _dismiss(host, HostState.RETIRED, "host.retire", actor)


@transaction.atomic
def host_revoke(*, host: Host, actor: Actor) -> Host:
    """Stop trusting an agent at once, as when its credential may be in wrong hands.

    Raises StateConflict `host.state`.
    """
    return _dismiss(host, HostState.REVOKED, "host.revoke", actor)


def _dismiss(host: Host, to: HostState, verb: str, actor: Actor) -> Host:
    old = host.state
    transition_or_conflict(HOST_TRANSITIONS, Host, host.pk, to)
    credentials_revoke(host)
    host.refresh_from_db()
    events.publish("host", host.pk, host.updated_at)
    credentials_changed(dismissed=[host.pk])
    pulse_invalidate([host.pk])
    transaction.on_commit(lambda: broker_user_remove(host.pk), robust=True)
    audit_record(
        actor=actor, verb=verb, obj=host, host=host, old={"state": old}, new={"state": to.value}
    )
    return host


def credentials_revoke(host: Host) -> int:
    """Revoke the active credential of `host`, if any; the caller audits it. Returns how many."""
    now = timezone.now()
    active: QuerySet[AgentCredential] = host.credentials.filter(revoked_at=None)
    return active.update(revoked_at=now, updated_at=now)


def checked_name(name: str) -> str:
    """Return `name` stripped. Raises InvalidInput `host.name_invalid`."""
    wanted = name.strip()
    if not wanted or len(wanted) > MAX_NAME or not wanted.isprintable():
        message = f"A host's name has 1 to {MAX_NAME} printable characters."
        raise InvalidInput("host.name_invalid", message, extra={"fields": {"name": [message]}})
    return wanted


def checked_labels(labels: dict[str, str]) -> dict[str, str]:
    """Return `labels`, values stripped, in order of key. Raises InvalidInput `label.invalid`."""
    problems = [
        f"{key}: {problem}" for key, value in labels.items() if (problem := _fault(key, value))
    ]
    if len(labels) > MAX_LABELS:
        problems.append(f"A host has at most {MAX_LABELS} labels.")
    if problems:
        raise InvalidInput(
            "label.invalid", " ".join(problems), extra={"fields": {"labels": problems}}
        )
    return {key: labels[key].strip() for key in sorted(labels)}


def _fault(key: str, value: str) -> str:
    if not LABEL_KEY.fullmatch(key):
        return "a key has 1 to 63 small letters, digits and inner _ . -"
    if len(value) > MAX_LABEL_VALUE or (value and not value.isprintable()):
        return f"a value has at most {MAX_LABEL_VALUE} printable characters"
    return ""


def _write(host: Host, **fields: Any) -> None:
    """Write `fields` of `host` and announce it."""
    fields["updated_at"] = timezone.now()
    Host.objects.filter(pk=host.pk).update(**fields)
    for name, value in fields.items():
        setattr(host, name, value)
    events.publish("host", host.pk, host.updated_at)
