"""Findings appear, persist, resolve and come back as snapshots say; people acknowledge them."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.utils import timezone

from console.accounts.actors import Actor
from console.advice.models import Finding
from console.audit.services import audit_record
from console.core import events
from console.core.errors import InvalidInput, StateConflict
from console.fleet.models import Host

MAX_COMMENT = 2000
_TOLD = ("code", "severity", "subject_kind", "subject_key", "message", "remedy", "evidence")
_WRITTEN = [
    *_TOLD,
    "appearance_count",
    "appeared_at",
    "last_seen_at",
    "resolved_at",
    "acknowledged_at",
    "acknowledged_by",
    "comment",
    "updated_at",
]


def findings_sync(*, host: Host, findings: list[dict[str, Any]], now: datetime) -> list[UUID]:
    """Make the open findings of `host` those that its newest snapshot tells; return what changed.

    `findings` are cleaned facts (`agents.wire.inventory.FindingFacts` as plain data). At most one
    SELECT and one INSERT … ON CONFLICT UPDATE, whatever their number. Part of the caller's
    transaction, under its lock on the host.
    """
    known = {finding.pk: finding for finding in Finding.objects.filter(host=host)}
    told = {finding_id(host.pk, facts): facts for facts in reversed(findings)}
    changed = [
        finding
        for pk, facts in told.items()
        if (finding := _told_again(host, pk, known.get(pk), facts, now)) is not None
    ]
    for pk, finding in known.items():
        if pk not in told and finding.resolved_at is None:
            finding.resolved_at = now
            finding.last_seen_at = host.inventory_at or now
            changed.append(finding)
    Finding.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["id"], update_fields=_WRITTEN
    )
    for finding in changed:
        events.publish("finding", finding.pk, now)
    return [finding.pk for finding in changed]


def finding_id(host_id: UUID, facts: dict[str, Any]) -> UUID:
    """Return the id of the finding with this code about this subject: the same when it returns."""
    parts = [facts["code"], facts["subject_kind"], facts["subject_key"]]
    return uuid5(host_id, json.dumps(["finding", *parts]))


def _told_again(
    host: Host, pk: UUID, finding: Finding | None, facts: dict[str, Any], now: datetime
) -> Finding | None:
    """Return the finding as it must be written now, or None when nothing about it is news."""
    told = {name: facts[name] for name in _TOLD}
    if finding is None:
        return Finding(pk=pk, host=host, first_seen_at=now, appeared_at=now, **told)
    is_open = finding.resolved_at is None
    if is_open and all(getattr(finding, name) == value for name, value in told.items()):
        return None
    for name, value in told.items():
        setattr(finding, name, value)
    if not is_open:
        finding.appearance_count += 1
        finding.appeared_at = now
        finding.resolved_at = finding.last_seen_at = None
        finding.acknowledged_at = finding.acknowledged_by = None
        finding.comment = ""
    return finding


@transaction.atomic
def finding_acknowledge(*, finding: Finding, comment: str, actor: Actor) -> Finding:
    """Note that `actor` knows of an open finding, and why it may stand.

    Raises InvalidInput `finding.comment_too_long` and StateConflict `finding.resolved` or
    `finding.acknowledged`.
    """
    text = comment.strip()
    if len(text) > MAX_COMMENT:
        message = f"A comment has at most {MAX_COMMENT} characters."
        raise InvalidInput("finding.comment_too_long", message)
    now = timezone.now()
    fields = {"acknowledged_at": now, "acknowledged_by_id": actor.user_id, "comment": text}
    open_rows = Finding.objects.filter(pk=finding.pk, resolved_at=None, acknowledged_at=None)
    if not open_rows.update(**fields, updated_at=now):
        finding.refresh_from_db()
        raise _acknowledge_conflict(finding)
    finding.refresh_from_db()
    events.publish("finding", finding.pk, now)
    audit_record(
        actor=actor,
        verb="finding.acknowledge",
        obj=finding,
        host=finding.host,
        new={"code": finding.code, "subject": finding.subject_key, "comment": text},
    )
    return finding


def _acknowledge_conflict(finding: Finding) -> StateConflict:
    if finding.resolved_at is not None:
        return StateConflict("finding.resolved", "This finding is resolved already.")
    return StateConflict("finding.acknowledged", "Somebody acknowledged this finding already.")
