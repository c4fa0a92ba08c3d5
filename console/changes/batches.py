"""Batches: the same change asked of many hosts, and what is done to all of them at once."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from agents.wire.names import Lane
from console.accounts.actors import Actor
from console.accounts.policies import require
from console.audit.services import audit_record
from console.changes.enums import HELD, READY, ChangeState
from console.changes.models import Change, ChangeBatch, ChangePlanning
from console.changes.requests import host_check, request_check
from console.changes.services import change_apply, change_approve, change_cancel
from console.core import events
from console.core.errors import InvalidInput, KeyrackError
from console.fleet import doorbell
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate

MAX_HOSTS = 1_000
ACT_SECONDS = 1.2
"""So long an action on a batch goes on within one request; it is called again for the rest."""
_AT_ONCE = 50
_NAMED = 20


def batch_create(
    *,
    actor: Actor,
    host_ids: Sequence[UUID],
    kind: str,
    parameters: Mapping[str, Any],
    reason: str,
    skip_refused: bool = False,
    request_key: str = "",
) -> ChangeBatch:
    """Ask for the same change of many hosts, in a constant number of queries.

    Raise InvalidInput as change_create does; `change.host_refused` names the hosts that do not take
    it, which `skip_refused` leaves out as long as one is left.
    """
    require(actor, "change.request")
    request_check(kind, parameters, reason)
    hosts = _chosen(_known(host_ids), kind, skip_refused=skip_refused)
    with transaction.atomic():
        batch: ChangeBatch = ChangeBatch.objects.create(
            kind=kind,
            parameters=dict(parameters),
            reason=reason,
            total=len(hosts),
            requested_by_id=actor.user_id,
            requested_by_name=actor.name,
            request_key=request_key,
        )
        changes = _changes_create(batch, hosts)
        _ring(hosts, _plannings_create(changes))
        events.publish("batch", batch.pk, batch.created_at)
        new = {
            "kind": kind,
            "parameters": dict(parameters),
            "reason": reason,
            "hosts": [host.name for host in hosts[:_NAMED]],
            "hosts_total": len(hosts),
        }
        audit_record(actor=actor, verb="change.request", obj=batch, new=new)
    return batch


def _known(host_ids: Sequence[UUID]) -> list[Host]:
    wanted = set(host_ids)
    if not 0 < len(wanted) <= MAX_HOSTS:
        raise _bad_hosts(f"Choose 1 to {MAX_HOSTS} hosts.")
    hosts = list(Host.objects.filter(pk__in=wanted).order_by("name"))
    unknown = sorted(str(pk) for pk in wanted - {host.pk for host in hosts})
    if unknown:
        raise _bad_hosts(f"There is no host {', '.join(unknown[:_NAMED])}.")
    return hosts


def _bad_hosts(message: str) -> InvalidInput:
    return InvalidInput("change.hosts", message, extra={"fields": {"hosts": [message]}})


def _chosen(hosts: list[Host], kind: str, *, skip_refused: bool) -> list[Host]:
    refused = [(host, why) for host in hosts if (why := host_check(host, kind))]
    if refused and (not skip_refused or len(refused) == len(hosts)):
        text = f"Not every host takes this. {' '.join(why for _, why in refused[:_NAMED])}"
        listed = [{"id": str(host.pk), "name": host.name, "reason": why} for host, why in refused]
        raise InvalidInput("change.host_refused", text, extra={"hosts": listed})
    out = {host.pk for host, _ in refused}
    return [host for host in hosts if host.pk not in out]


def _changes_create(batch: ChangeBatch, hosts: list[Host]) -> list[Change]:
    return Change.objects.bulk_create(
        Change(
            host=host,
            kind=batch.kind,
            parameters=batch.parameters,
            reason=batch.reason,
            state=ChangeState.PLANNING,
            requested_by_id=batch.requested_by_id,
            requested_by_name=batch.requested_by_name,
            batch=batch,
            batch_position=position,
        )
        for position, host in enumerate(hosts, 1)
    )


def _plannings_create(changes: Iterable[Change]) -> list[ChangePlanning]:
    now = timezone.now()
    return ChangePlanning.objects.bulk_create(
        ChangePlanning(
            change=change,
            host=change.host,
            lane=Lane.QUICK.value,
            queued_at=now,
            expires_at=now + timedelta(seconds=settings.WORK_QUEUE_SECONDS),
        )
        for change in changes
    )


def _ring(hosts: list[Host], plannings: list[ChangePlanning]) -> None:
    pairs = zip(hosts, plannings, strict=True)
    doorbell.ring_on_commit([doorbell.Ring.of(host, Lane.QUICK, one.pk) for host, one in pairs])
    pulse_invalidate([host.pk for host in hosts])


@dataclass(kw_only=True)
class BatchDone:
    """To how many changes it was done, to which it could not be, and how many were not reached.

    A call ends after ACT_SECONDS; `last` is the position in the batch from which the next goes on.
    """

    done: int = 0
    refused: list[dict[str, str]] = field(default_factory=list)
    left: int = 0
    last: int = 0


def batch_approve(
    *, actor: Actor, batch: ChangeBatch, comment: str = "", after: int = 0
) -> BatchDone:
    """Approve the plans of the batch that wait for it after position `after`, each by digest."""

    def approve(change: Change) -> None:
        change_approve(actor=actor, change=change, plan_digest=_digest(change), comment=comment)

    return _each(batch, [ChangeState.AWAITING_APPROVAL], approve, after)


def batch_apply(*, actor: Actor, batch: ChangeBatch, after: int = 0) -> BatchDone:
    """Apply what is ready beyond position `after`; those that need a typed name are refused."""

    def apply(change: Change) -> None:
        change_apply(actor=actor, change=change, plan_digest=_digest(change))

    return _each(batch, [ChangeState.PLANNED], apply, after)


def batch_cancel(*, actor: Actor, batch: ChangeBatch, after: int = 0) -> BatchDone:
    """Cancel what is not begun beyond position `after`, and ask the agents to stop what is."""

    def cancel(change: Change) -> None:
        change_cancel(actor=actor, change=change)

    states = [ChangeState.DRAFT, ChangeState.PLANNING, *READY, ChangeState.QUEUED, *HELD]
    return _each(batch, states, cancel, after)


def _digest(change: Change) -> str:
    return change.plan.digest if change.plan else ""


def _each(
    batch: ChangeBatch,
    states: Sequence[ChangeState],
    act: Callable[[Change], None],
    after: int,
) -> BatchDone:
    """Do it to each change in a transaction of its own: one refusal does not hold up the others."""
    ends = time.monotonic() + ACT_SECONDS
    wanted = batch.changes.filter(state__in=states, batch_position__gt=after)
    positions = list(wanted.order_by("batch_position").values_list("batch_position", flat=True))
    result = BatchDone(left=len(positions), last=after)
    for start in range(0, len(positions), _AT_ONCE):
        some = batch.changes.filter(batch_position__in=positions[start : start + _AT_ONCE])
        for change in some.select_related("host", "plan").order_by("batch_position"):
            # At least one: whoever asks again and again comes to the end.
            if result.last > after and time.monotonic() >= ends:
                return result
            _act(act, change, result)
            result.left -= 1
            result.last = change.batch_position
    return result


def _act(act: Callable[[Change], None], change: Change, result: BatchDone) -> None:
    try:
        act(change)
        result.done += 1
    except KeyrackError as error:
        result.refused.append(
            {
                "change": str(change.pk),
                "host": change.host.name,
                "code": error.code,
                "message": error.message,
            }
        )
