"""One process of a race for work: reads acts (JSON lists) from standard input, prints results."""

import json
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import django

django.setup()

from django.utils import timezone  # noqa: E402

from agents.wire.names import Lane  # noqa: E402
from console.fleet.models import Host  # noqa: E402
from console.fleet.work import work_cancel, work_claim, work_reap, work_renew  # noqa: E402
from console.inventory.models import InventoryScan  # noqa: E402
from console.jobs.models import JobRun  # noqa: E402
from tests.console.jobs.cast import job_made  # noqa: E402
from tests.support.hosts import host_enrolled  # noqa: E402


def make(jobs: str, scans: str) -> dict[str, Any]:
    """Enrol a host with so many queued jobs and scans; return its id and theirs."""
    host = host_enrolled(f"host-{uuid4().hex[:8]}").row
    for _ in range(int(jobs)):
        job_made(host)
    now = timezone.now()
    for number in range(int(scans)):
        InventoryScan.objects.create(
            host=host,
            lane=Lane.QUICK.value,
            queued_at=now + timedelta(milliseconds=number),
            expires_at=now + timedelta(hours=1),
        )
    return {"host": str(host.pk)}


def claim(host_id: str, lane: str, nonce: str = "") -> list[str]:
    """Claim until nothing is due (once, with a given nonce); return the ids got."""
    host = Host.objects.get(pk=host_id)
    got: list[str] = []
    while order := work_claim(host=host, lane=Lane(lane), nonce=nonce or uuid4().hex):
        got.append(order.work_id)
        if nonce:
            break
    return got


def cancel(host_id: str) -> int:
    """Cancel the host's scans one by one, newest first; return how many were cancelled at once."""
    scans = InventoryScan.objects.filter(host=host_id).order_by("-queued_at")
    return sum(work_cancel(rows=InventoryScan.objects.filter(pk=scan.pk))[0] for scan in scans)


def renew(host_id: str) -> bool:
    """Renew the lease of the host's one claimed job; return whether it is held."""
    run = JobRun.objects.get(host=host_id)
    host = Host.objects.get(pk=host_id)
    return work_renew(host=host, work_id=str(run.pk), nonce=run.nonce).is_held


def reap() -> dict[str, int]:
    """Reap."""
    return work_reap()


def expire_lease(host_id: str) -> int:
    """Claim the host's one job and let its lease be over."""
    claim(host_id, "work")
    return JobRun.objects.filter(host=host_id).update(lease_expires_at=timezone.now())


def states(host_id: str) -> dict[str, Any]:
    """Return the state of each of the host's scans and jobs, and whether its lane is closed."""
    rows = [*InventoryScan.objects.filter(host=host_id), *JobRun.objects.filter(host=host_id)]
    host = Host.objects.get(pk=host_id)
    return {
        "states": {str(row.pk): row.state for row in rows},
        "asked": [str(row.pk) for row in rows if row.cancel_requested_at is not None],
        "is_closed": host.work_lane_closed_at is not None,
    }


_ACTS: dict[str, Callable[..., Any]] = {
    act.__name__: act for act in (make, claim, cancel, renew, reap, expire_lease, states)
}

if __name__ == "__main__":
    for line in sys.stdin:
        act, *arguments = json.loads(line)
        print(json.dumps(_ACTS[act](*arguments)), flush=True)
