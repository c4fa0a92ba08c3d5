"""Scans on request: claimable work in lane `quick`."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from agents.wire.names import Lane, WorkKind
from console.accounts.actors import Actor
from console.audit.services import audit_record
from console.core.errors import StateConflict
from console.fleet.doorbell import Ring, ring_on_commit
from console.fleet.enums import SERVED, WorkState
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate
from console.inventory.models import InventoryScan


@transaction.atomic
def scan_request(*, host: Host, actor: Actor) -> InventoryScan:
    """Ask for a scan of `host` now and return it; one that waits already is returned instead.

    Raises StateConflict `host.state` for a retired or revoked host and `host.kind_refused` where
    the agent's own configuration does not allow scans on request.
    """
    locked = Host.objects.select_for_update(no_key=True).get(pk=host.pk)
    if locked.state not in SERVED:
        raise StateConflict("host.state", f"{locked.name} is {locked.state}; enrol it again first.")
    if locked.allow and WorkKind.INVENTORY_SCAN.value not in locked.allow:
        message = f"The agent on {locked.name} does not allow scans on request (`allow`)."
        raise StateConflict("host.kind_refused", message)
    now = timezone.now()
    waiting = InventoryScan.objects.filter(
        host=locked, state=WorkState.QUEUED, expires_at__gt=now
    ).first()
    if waiting is not None:
        return waiting
    scan: InventoryScan = InventoryScan.objects.create(
        host=locked,
        lane=Lane.QUICK.value,
        queued_at=now,
        expires_at=now + timedelta(seconds=settings.WORK_QUEUE_SECONDS),
        requested_by_id=actor.user_id,
    )
    scan.announce(now)
    pulse_invalidate([locked.pk])
    ring_on_commit([Ring.of(locked, Lane.QUICK, scan.pk)])
    audit_record(actor=actor, verb="inventory.scan", obj=scan, host=locked)
    return scan
