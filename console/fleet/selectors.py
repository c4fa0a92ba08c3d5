"""Reads of hosts and enrolment tokens, narrowed to what the actor may see."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.policies import can
from console.fleet.enums import SERVED
from console.fleet.models import AgentCredential, EnrolmentToken, GaugeSeries, Host, HostGroup
from console.fleet.pulse import Brief, pulse_gauges
from console.fleet.work import work_due

HOST_HEAVY = (
    "workloads",
    "change_kinds",
    "parts",
    "settings",
    "counts",
    "blind_spots",
    "allow",
    "labels",
)
"""Columns of a host that a row about something on it does not show."""


def host_list(*, actor: Actor) -> QuerySet[Host]:
    """Return the hosts that `actor` may see, retired and revoked ones included."""
    rows = Host.objects.all()
    return rows if can(actor, "host.read") else rows.none()


def host_group_list(*, actor: Actor) -> QuerySet[HostGroup]:
    """Return the groups of hosts that `actor` may see, with `host_count`."""
    rows = HostGroup.objects.annotate(host_count=Count("hosts"))
    return rows if can(actor, "host.read") else rows.none()


def enrolment_token_list(*, actor: Actor) -> QuerySet[EnrolmentToken]:
    """Return the enrolment tokens that `actor` may see: all of them for administrators."""
    rows = EnrolmentToken.objects.select_related("created_by")
    return rows if can(actor, "enrolment_token.manage") else rows.none()


def enrolment_token_usable() -> Q:
    """Return the condition under which a token still enrols."""
    return Q(revoked_at=None, expires_at__gt=timezone.now(), use_count__lt=F("max_uses"))


def gauge_list(*, host: Host) -> QuerySet[GaugeSeries]:
    """Return the gauge series of `host`, by name and subject."""
    return GaugeSeries.objects.filter(host=host)


def gauges_now(host_ids: Iterable[UUID]) -> dict[tuple[str, str], dict[str, float]]:
    """Return the newest gauges as `{(host id, subject key): {name: value}}`, from Redis alone."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for host_id, beat in pulse_gauges(set(host_ids)).items():
        for gauge in beat.get("gauges", []):
            subject = found.setdefault((host_id, gauge["subject_key"]), {})
            subject[gauge["name"]] = float(gauge["value"])
    return found


def broker_users_wanted() -> dict[str, str]:
    """Return `{host id: SHA-256 of its broker password}` of all hosts that are served."""
    rows: Iterable[tuple[Any, str]] = (
        AgentCredential.objects.filter(revoked_at=None, host__state__in=SERVED)
        .exclude(broker_password_sha256="")
        .values_list("host_id", "broker_password_sha256")
    )
    return {str(host_id): sha256 for host_id, sha256 in rows}


def host_brief(host: Host) -> Brief:
    """Return what the console would answer the heartbeat of `host` now."""
    return Brief(
        state=host.state,
        digest=host.snapshot_digest,
        agent_version=host.agent_version,
        wire=host.wire,
        allow=host.allow,
        due=work_due(host),
        acknowledged_seq=host.acknowledged_seq,
    )
