"""Requests and replies of the agent API. Every message carries `wire`."""

from dataclasses import dataclass, field

from agents.wire import WIRE_VERSION
from agents.wire.inventory import Facts, Gauge
from agents.wire.work import Report, WorkOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolRequest:
    """Asks to become a host. Sent with an enrolment token instead of a credential."""

    token: str
    machine_id: str
    """A hash that stays the same for this machine and agent instance, so that re-enrolment keeps
    history.
    """
    hostname: str
    platform: str
    agent_version: str
    name: str = ""
    """Wanted display name; empty: the host name."""
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolReply:
    """The new host's identity. The credential is shown once; the console keeps only its hash."""

    host_id: str
    host_name: str
    credential: str
    broker_url: str
    """Where doorbells come from; empty: heartbeats only."""
    is_reenrolment: bool = False
    heartbeat_seconds: int = 15
    scan_seconds: int = 300
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartbeatRequest:
    """Says the agent lives, which snapshot it last had acknowledged, and the gauges since the last
    one.
    """

    snapshot_digest: str
    """Digest of the facts as last scanned; empty before the first scan."""
    agent_version: str
    allow: list[str] = field(default_factory=list)
    """Kinds of work the host's own admin accepts."""
    boot_id: str = ""
    uptime_seconds: float = 0.0
    gauges: list[Gauge] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    """Ids of the work orders the agent now holds."""
    broker_ok: bool = True
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartbeatReply:
    """What the agent may not know yet. `due` is how many orders wait in each lane."""

    wants_snapshot: bool = False
    """True when the console's digest differs: send the facts."""
    due: dict[str, int] = field(default_factory=dict)
    heartbeat_seconds: int = 15
    scan_seconds: int = 300
    acknowledged_seq: int = 0
    """The highest report number the console holds; reports up to it may be dropped."""
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRequest:
    """One inventory. The body is sent gzip-compressed (Content-Encoding: gzip)."""

    taken_at: str
    digest: str
    """sha256 of the canonical JSON of `facts` (`codec.facts_digest`)."""
    facts: Facts
    duration_seconds: float = 0.0
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotReply:
    """What the console now holds."""

    digest: str
    is_new: bool
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """Claims the next due order of a lane. The nonce is journaled before this is sent."""

    lane: str
    nonce: str
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReply:
    """The order, or None when nothing is due."""

    order: WorkOrder | None = None
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseRequest:
    """Renews the lease of an order the agent holds."""

    work_id: str
    nonce: str
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseReply:
    """Whether to go on. `is_held` False: the console no longer counts on this agent for it: stop
    the work.
    """

    is_held: bool
    cancel_requested: bool = False
    lease_seconds: int = 60
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportsRequest:
    """Reports in ascending `seq`, at most 500 or 1 MiB; replayed until acknowledged."""

    reports: list[Report]
    wire: str = WIRE_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportsReply:
    """`acknowledged_seq`: all reports up to it are stored; `cancel` lists runs that should stop."""

    acknowledged_seq: int
    cancel: list[str] = field(default_factory=list)
    wire: str = WIRE_VERSION
