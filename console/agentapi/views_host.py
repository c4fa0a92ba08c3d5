"""What agents call about their host: enrol, heartbeat, snapshot."""

import hashlib
import json
import time
from datetime import UTC, datetime
from typing import Any

import redis
import structlog
from django.conf import settings
from django.db import IntegrityError
from django.http import HttpRequest

from agents.wire.codec import decode
from agents.wire.messages import (
    EnrolReply,
    EnrolRequest,
    HeartbeatReply,
    HeartbeatRequest,
    SnapshotReply,
    SnapshotRequest,
)
from console.agentapi.authentication import (
    AgentIdentity,
    agent_host,
    agent_identity,
    agent_identity_forget,
    is_local,
)
from console.agentapi.body import SMALL, SNAPSHOT, read_body
from console.agentapi.views_base import agent_view, read_message
from console.core.errors import InvalidInput, StateConflict
from console.fleet.broker import broker_url_for
from console.fleet.enrolment import host_enrol
from console.fleet.enums import HostState
from console.fleet.models import Host
from console.fleet.pulse import Brief, pulse_beat, pulse_store
from console.fleet.reachability import (
    Told,
    host_agent_changed,
    host_contact,
    host_contact_write,
    told_by,
)
from console.fleet.selectors import host_brief
from console.inventory.ingest import snapshot_ingest

log = structlog.get_logger(__name__)


@agent_view
def enrol(request: HttpRequest) -> EnrolReply:
    """Make the machine that shows an enrolment token a host."""
    message = read_message(request, EnrolRequest)
    try:
        enrolment = host_enrol(request=message)
    except IntegrityError:
        text = "Another enrolment of this machine or name came in between; try again."
        raise StateConflict("host.enrolled_meanwhile", text) from None
    host = enrolment.host
    return EnrolReply(
        host_id=str(host.pk),
        host_name=host.name,
        credential=enrolment.credential,
        broker_url=broker_url_for(host.pk, enrolment.broker_password, is_local=is_local(request)),
        is_reenrolment=enrolment.is_reenrolment,
        heartbeat_seconds=settings.HEARTBEAT_SECONDS,
        scan_seconds=settings.SCAN_SECONDS,
    )


@agent_view
def heartbeat(request: HttpRequest) -> HeartbeatReply:
    """Record contact; answer what the agent may not know yet.

    With nothing new: one round trip to Redis, no database. News, or a Redis that does not answer,
    lead to the database.
    """
    identity = agent_identity(request)
    body = read_body(request, SMALL)
    beat = decode(body, HeartbeatRequest)
    try:
        return _reply(beat, _brief(request, identity, beat, body))
    except redis.RedisError as error:
        log.warning("heartbeat.without_redis", reason=type(error).__name__)
        agent_identity_forget(request)
        host = agent_host(request)
        host_contact_write(host=host, at=datetime.now(UTC))
        return _reply(beat, host_brief(_apply_news(host, beat)))


def _brief(
    request: HttpRequest, identity: AgentIdentity, beat: HeartbeatRequest, body: bytes
) -> Brief:
    """Return the host's brief, from Redis where it is current and the beat tells nothing new."""
    host_id = str(identity.host_id)
    reading = pulse_beat(host_id, body, time.time(), has_gauges=bool(beat.gauges))
    if reading.generation != identity.generation:
        agent_identity_forget(request)
        agent_identity(request)
    if reading.brief is not None and not _is_news(reading.brief, beat):
        return reading.brief
    host = _apply_news(Host.objects.get(pk=identity.host_id), beat)
    brief = host_brief(host)
    pulse_store(host_id, reading.number, brief)
    return brief


def _is_news(known: Brief | Host, beat: HeartbeatRequest) -> bool:
    """Whether the heartbeat says something of the agent that the console does not know."""
    is_known = told_by(beat) == Told(known.agent_version, known.wire, known.allow)
    return not is_known or known.state != HostState.ACTIVE


def _apply_news(host: Host, beat: HeartbeatRequest) -> Host:
    """Write what the heartbeat tells anew, and return the host as it is then."""
    if not _is_news(host, beat):
        return host
    host_contact(host=host, at=datetime.now(UTC))
    host_agent_changed(host=host, beat=beat)
    host.refresh_from_db()
    return host


def _reply(beat: HeartbeatRequest, brief: Brief) -> HeartbeatReply:
    return HeartbeatReply(
        wants_snapshot=beat.snapshot_digest != brief.digest,
        due=brief.due,
        heartbeat_seconds=settings.HEARTBEAT_SECONDS,
        scan_seconds=settings.SCAN_SECONDS,
        acknowledged_seq=brief.acknowledged_seq,
    )


@agent_view
def snapshot(request: HttpRequest) -> SnapshotReply:
    """Make the facts in the body the host's current state."""
    host = agent_host(request)
    body = read_body(request, SNAPSHOT)
    message = decode(body, SnapshotRequest)
    canonical = _canonical_facts(body)
    digest = hashlib.sha256(canonical).hexdigest()
    if digest != message.digest:
        problem = f"digest: the facts' is {digest}"
        raise InvalidInput("wire.invalid", f"{problem}.", extra={"problems": [problem]})
    is_new = snapshot_ingest(host_id=host.pk, request=message, canonical=canonical)
    return SnapshotReply(digest=digest, is_new=is_new)


def _canonical_facts(body: bytes) -> bytes:
    """Return the facts as the digest is made of them: with fields that only newer agents know."""
    facts: Any = json.loads(body)["facts"]
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode()
