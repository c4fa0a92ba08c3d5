"""Reachability, derived from last contact: heartbeats in Redis, flushed in batches."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from agents.wire.messages import HeartbeatRequest
from console.accounts.actors import actor_of_host
from console.audit.services import audit_record
from console.core import events
from console.core.clean import clean_text
from console.core.transitions import compare_and_set
from console.fleet.enums import HOST_TRANSITIONS, SERVED, HostState
from console.fleet.models import Host
from console.fleet.pulse import pulse_beats, pulse_invalidate, pulse_seen, watch_since

_BATCH = 500
_MAX_KINDS = 100
_MAX_KIND = 100

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Flushed:
    """What a flush did."""

    seen: int = 0
    online: int = 0
    offline: int = 0


@transaction.atomic
def host_contact(*, host: Host, at: datetime) -> bool:
    """Note contact with a host that was pending or offline: it is active. Returns whether it was.

    Contact alone is derived state and not audited.
    """
    sources = HOST_TRANSITIONS.sources(HostState.ACTIVE)
    if not compare_and_set(Host, host.pk, sources, HostState.ACTIVE, last_seen_at=at):
        return False
    events.publish("host", host.pk, at)
    pulse_invalidate([host.pk])
    log.info("host.online", host=host.name)
    return True


def host_contact_write(*, host: Host, at: datetime) -> None:
    """Write last contact at once: what a heartbeat does while Redis does not answer."""
    Host.objects.filter(pk=host.pk).update(last_seen_at=at)


@transaction.atomic
def host_lose(*, host: Host) -> bool:
    """Call a silent host offline. Returns whether it was active."""
    now = timezone.now()
    if not compare_and_set(Host, host.pk, {HostState.ACTIVE}, HostState.OFFLINE):
        return False
    events.publish("host", host.pk, now)
    pulse_invalidate([host.pk])
    log.info("host.offline", host=host.name, last_seen_at=host.last_seen_at)
    return True


@dataclass(frozen=True, slots=True)
class Told:
    """What a heartbeat says of the agent itself, storable and within bounds."""

    agent_version: str
    wire: str
    allow: list[str]


def told_by(beat: HeartbeatRequest) -> Told:
    """Return what `beat` says of the agent."""
    allow = [clean_text(kind, _MAX_KIND) for kind in beat.allow[:_MAX_KINDS]]
    return Told(clean_text(beat.agent_version, 200), clean_text(beat.wire, 16), allow)


@transaction.atomic
def host_agent_changed(*, host: Host, beat: HeartbeatRequest) -> None:
    """Write what a heartbeat says of the agent itself; what it accepts is audited."""
    told = told_by(beat)
    old = {"allow": host.allow, "agent_version": host.agent_version}
    new = {"allow": told.allow, "agent_version": told.agent_version}
    now = timezone.now()
    if old == new and host.wire == told.wire:
        return
    Host.objects.filter(pk=host.pk).update(**new, wire=told.wire, updated_at=now)
    events.publish("host", host.pk, now)
    pulse_invalidate([host.pk])
    if old != new:
        audit_record(
            actor=actor_of_host(host),
            verb="host.agent_change",
            obj=host,
            host=host,
            old=old,
            new=new,
        )


def hosts_flush() -> Flushed:
    """Write last contact to the database and derive who is active and who is offline.

    A host is offline when it has been silent for OFFLINE_AFTER_SECONDS since its last contact and
    since the watch began (`watch_since`): an empty Redis or a fresh start gives one grace period.
    Raises redis.RedisError: without Redis nothing is known and nothing changes.
    """
    began = watch_since()
    seen = pulse_seen()
    beats = pulse_beats()
    hosts = list(
        Host.objects.filter(state__in=SERVED).only(
            "name", "state", "last_seen_at", "inventory_at", "snapshot_digest"
        )
    )
    flushed = Flushed(seen=_write_contact(hosts, seen, beats))
    limit = time.time() - settings.OFFLINE_AFTER_SECONDS
    for host in hosts:
        last = max(seen.get(str(host.pk), 0.0), _epoch(host.last_seen_at))
        if host.state == HostState.ACTIVE and max(last, began) < limit:
            flushed.offline += host_lose(host=host)
        elif host.state != HostState.ACTIVE and last >= limit and host.last_seen_at is not None:
            flushed.online += host_contact(host=host, at=host.last_seen_at)
    return flushed


def _write_contact(
    hosts: Iterable[Host], seen: dict[str, float], beats: dict[str, dict[str, Any]]
) -> int:
    """Write newer contact; where the agent's digest is ours, the inventory is confirmed with it."""
    changed = []
    for host in hosts:
        at = seen.get(str(host.pk), 0.0)
        if at <= _epoch(host.last_seen_at):
            continue
        host.last_seen_at = datetime.fromtimestamp(at, UTC)
        beat = beats.get(str(host.pk), {})
        if host.inventory_at and beat.get("snapshot_digest") == host.snapshot_digest:
            host.inventory_at = max(host.inventory_at, host.last_seen_at)
        changed.append(host)
    Host.objects.bulk_update(changed, ["last_seen_at", "inventory_at"], batch_size=_BATCH)
    return len(changed)


def _epoch(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0
