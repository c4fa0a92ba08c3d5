"""The workloads of the catalogue: one explicit tuple."""

from console.core.errors import NotFound
from console.jobs.workloads.base import CatalogueWorkload
from console.jobs.workloads.openssl_speed import OpensslSpeed

WORKLOADS: tuple[CatalogueWorkload, ...] = (OpensslSpeed(),)


def workload_get(name: str) -> CatalogueWorkload:
    """Return the workload of that name. Raise NotFound `workload.not_found`."""
    for workload in WORKLOADS:
        if workload.name == name:
            return workload
    known = ", ".join(workload.name for workload in WORKLOADS)
    raise NotFound("workload.not_found", f"There is no workload {name!r}; there are: {known}.")


def workload_title(name: str) -> str:
    """Return the title of a workload; its name where the catalogue no longer has it."""
    return next((workload.title for workload in WORKLOADS if workload.name == name), name)
