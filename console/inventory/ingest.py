"""Turns a snapshot into rows, in a number of queries that does not depend on its size.

Only rows whose facts changed are written. One host's snapshots are ingested one after the other,
under a lock on the host's row.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import OuterRef, Value
from django.utils import timezone

from agents.wire.codec import to_plain
from agents.wire.messages import SnapshotRequest
from console.advice.services import findings_sync
from console.changes.drift import drift_observe, has_desired_parts
from console.changes.following import changes_follow_inventory, is_awaiting_reboot
from console.core import events
from console.core.clean import clean
from console.core.errors import TooLarge
from console.fleet.enums import HostState
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate
from console.fleet.reachability import host_contact
from console.inventory.models import ROW_MODELS, InventoryRow, Snapshot
from console.inventory.rows import ObservedRow, certificate_time, counts_of, rows_of

MAX_ROWS = 20_000
"""Rows that one host may amount to; the agent is told `wire.too_large` beyond it."""

_HOST_COLUMNS = (
    "hostname",
    "platform",
    "os_name",
    "os_version",
    "kernel",
    "architecture",
    "cpu_model",
    "cpu_count",
    "memory_bytes",
    "is_virtual",
    "is_simulated",
    "source",
    "runs_as",
    "blind_spots",
)
_BOOKKEEPING = ("facts_hash", "gone_at", "last_seen_at", "updated_at")
_CLOCK_TOLERANCE = timedelta(minutes=5)

log = structlog.get_logger(__name__)


@transaction.atomic
def snapshot_ingest(*, host_id: UUID, request: SnapshotRequest, canonical: bytes) -> bool:
    """Make `request.facts` the current state of the host; return whether they were news.

    `canonical` is the canonical JSON of the facts as they came (unknown fields included), of which
    `request.digest` is the SHA-256. The same digest again changes nothing but `inventory_at`.
    Raises TooLarge `wire.too_large` for more than MAX_ROWS rows.
    """
    now = timezone.now()
    facts = clean(to_plain(request.facts))
    rows = rows_of(host_id, facts)
    if len(rows) > MAX_ROWS:
        message = f"These facts amount to {len(rows)} rows; at most {MAX_ROWS} are accepted."
        raise TooLarge("wire.too_large", message)
    hosts = Host.objects.select_for_update(no_key=True)
    host = hosts.annotate(
        awaits_reboot=is_awaiting_reboot(OuterRef("pk")),
        has_desired_parts=has_desired_parts(OuterRef("pk")),
    ).get(pk=host_id)
    if host.snapshot_digest == request.digest:
        Host.objects.filter(pk=host.pk).update(inventory_at=now)
        return False
    taken_at = _taken_at(request.taken_at, now)
    _write_rows(host, rows, now)
    findings_sync(host=host, findings=_findings(host, facts, now), now=now)
    counts = counts_of(facts)
    snapshot = Snapshot.objects.create(
        host=host,
        digest=request.digest,
        taken_at=taken_at,
        received_at=now,
        duration_seconds=max(0.0, clean(request.duration_seconds) or 0.0),
        counts=counts,
        facts_gzip=gzip.compress(canonical, 6, mtime=0),
    )
    _write_host(host, facts, counts, request.digest, now)
    if host.awaits_reboot:
        changes_follow_inventory(host, facts["parts"])
    if host.state != HostState.ACTIVE:
        host_contact(host=host, at=now)
    events.publish("inventory", host.pk, now)
    events.publish("host", host.pk, now)
    pulse_invalidate([host.pk])
    log.info("snapshot.ingested", host=host.name, snapshot=str(snapshot.pk), rows=len(rows))
    return True


def _findings(host: Any, facts: dict[str, Any], now: datetime) -> list[dict[str, Any]]:
    """Return what the agent found, and what is not as the last changes left it."""
    found: list[dict[str, Any]] = facts["findings"]
    if not host.has_desired_parts:
        return found
    return [*found, *drift_observe(host=host, parts=facts["parts"], now=now)]


def _taken_at(text: str, now: datetime) -> datetime:
    """Return the agent's own time, or ours where its clock is plainly ahead or says nothing."""
    at = certificate_time(text)
    return now if at is None or at > now + _CLOCK_TOLERANCE else at


def _write_host(
    host: Host, facts: dict[str, Any], counts: dict[str, int], digest: str, now: datetime
) -> None:
    columns = {name: facts["host"][name] for name in _HOST_COLUMNS}
    Host.objects.filter(pk=host.pk).update(
        **columns,
        settings=facts["settings"],
        workloads=facts["workloads"],
        change_kinds=facts["changes"],
        parts=facts["parts"],
        counts=counts,
        snapshot_digest=digest,
        inventory_at=now,
        first_inventory_at=host.first_inventory_at or now,
        updated_at=now,
    )


def _write_rows(host: Host, rows: list[ObservedRow], now: datetime) -> None:
    """Insert what is new, update what changed or came back, mark what is gone; nothing else."""
    known = _known_rows(host.pk)
    written: dict[type[InventoryRow], list[ObservedRow]] = defaultdict(list)
    for row in rows:
        before = known.pop(row.id, None)
        if before is None or before.is_gone or before.facts_hash != row.facts_hash:
            written[row.model].append(row)
    gone: dict[type[InventoryRow], list[UUID]] = defaultdict(list)
    for pk, before in known.items():
        if not before.is_gone:
            gone[before.model].append(pk)
    for model in ROW_MODELS:
        if written[model]:
            _upsert(model, host, written[model], now)
        if gone[model]:
            _mark_gone(model, host, gone[model], now)


@dataclass(frozen=True, slots=True)
class _KnownRow:
    model: type[InventoryRow]
    facts_hash: str
    is_gone: bool


def _known_rows(host_id: UUID) -> dict[UUID, _KnownRow]:
    """Return what the database holds of the host, by id, in one query."""
    parts = [
        model._default_manager.filter(host_id=host_id)
        .order_by()
        .values_list(Value(number), "id", "facts_hash", "gone_at")
        for number, model in enumerate(ROW_MODELS)
    ]
    return {
        pk: _KnownRow(ROW_MODELS[number], facts_hash, gone_at is not None)
        for number, pk, facts_hash, gone_at in parts[0].union(*parts[1:], all=True)
    }


def _upsert(model: type[InventoryRow], host: Host, rows: list[ObservedRow], now: datetime) -> None:
    objects = [
        model(id=row.id, host=host, first_seen_at=now, facts_hash=row.facts_hash, **row.values)
        for row in rows
    ]
    fields = [model._meta.get_field(name).name for name in _columns(model, rows[0])]
    model._default_manager.bulk_create(
        objects,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*fields, *_BOOKKEEPING],
    )


def _columns(model: type[InventoryRow], row: ObservedRow) -> Iterable[str]:
    by_attname = {field.attname: field.name for field in model._meta.concrete_fields}
    return (by_attname[name] for name in row.values)


def _mark_gone(model: type[InventoryRow], host: Host, ids: list[UUID], now: datetime) -> None:
    model._default_manager.filter(id__in=ids).update(
        gone_at=now, last_seen_at=host.inventory_at or now, updated_at=now
    )


def snapshot_facts(snapshot: Snapshot) -> dict[str, Any]:
    """Return the facts of a stored snapshot as they came, but for what no reply could carry."""
    facts: dict[str, Any] = clean(json.loads(gzip.decompress(bytes(snapshot.facts_gzip))))
    return facts
