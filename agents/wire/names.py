"""Names both sides must spell alike: lanes, queues, Celery tasks, URL paths, broker keys."""

from enum import StrEnum

CONSOLE_QUEUE = "console"
"""Queue of the console's own Celery workers."""

TASK_RING = "keyrack.ring"
"""The doorbell: the one Celery task an agent serves. Arguments: one work id (a hint, never
authority).
"""

API_PREFIX = "/agent/v1"
PATH_ENROL = f"{API_PREFIX}/enrol/"
PATH_HEARTBEAT = f"{API_PREFIX}/heartbeat/"
PATH_SNAPSHOT = f"{API_PREFIX}/snapshot/"
PATH_CLAIM = f"{API_PREFIX}/claim/"
PATH_LEASE = f"{API_PREFIX}/lease/"
PATH_REPORTS = f"{API_PREFIX}/reports/"
PATH_INSTALL_SCRIPT = "/agent/install.sh"
PATH_WHEELS = "/agent/wheels/"


class Lane(StrEnum):
    """A host's two lanes. `work` runs one thing at a time; `quick` never waits behind it."""

    WORK = "work"
    QUICK = "quick"


class WorkKind(StrEnum):
    """What a work order asks for. The agent refuses kinds that its own `allow` list lacks."""

    JOB_RUN = "job.run"
    CHANGE_PLAN = "change.plan"
    CHANGE_APPLY = "change.apply"
    INVENTORY_SCAN = "inventory.scan"


def host_queue(host_id: str, lane: Lane) -> str:
    """Return the Celery queue on which a host's doorbell for `lane` is rung."""
    return f"host.{host_id}.{lane.value}"


def unacked_keys(host_id: str) -> dict[str, str]:
    """Return the per-agent broker keys (kombu transport options), so that an ACL can confine it."""
    return {
        "unacked_key": f"host.{host_id}.unacked",
        "unacked_index_key": f"host.{host_id}.unacked_index",
        "unacked_mutex_key": f"host.{host_id}.unacked_mutex",
    }
