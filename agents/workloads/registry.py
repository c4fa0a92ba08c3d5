"""The workloads this agent knows: one explicit tuple."""

from agents.workloads.base import Workload, WorkloadRefused
from agents.workloads.openssl_speed import OpensslSpeed

WORKLOADS: tuple[Workload, ...] = (OpensslSpeed(),)


def get_workload(name: str) -> Workload:
    """Return the workload of that name. Raises WorkloadRefused for one that this agent lacks."""
    for workload in WORKLOADS:
        if workload.name == name:
            return workload
    known = ", ".join(sorted(workload.name for workload in WORKLOADS))
    raise WorkloadRefused(
        f"This agent does not know the workload {name!r} (it knows: {known}). "
        "Upgrade the agent on this host."
    )
