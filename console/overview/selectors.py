"""What needs a person now, and the fleet in one strip: counts, each with the list behind it.

Reads through the other apps' selectors; owns no rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from agents.wire.inventory import PinState
from console.accounts.actors import Actor
from console.advice.selectors import finding_list
from console.changes.drift import drift_list
from console.changes.selectors import NEEDS, change_list, pause_get
from console.fleet.enums import HostState, WorkState
from console.fleet.selectors import host_list
from console.inventory.models import PRESENT
from console.inventory.selectors import certificate_list, token_list, unit_list
from console.jobs.models import Comparison, Job
from console.jobs.selectors import job_list, run_list

PIN_TROUBLE = (PinState.LOCKED, PinState.FINAL_TRY, PinState.COUNT_LOW)
EXPIRY_DAYS = (30, 90)
FAILED_DAYS = 7
FAILED_STATES = (WorkState.FAILED, WorkState.ERRORED, WorkState.LOST)
RECENT_JOBS = 5
_CELLS_PER_JOB = 8


@dataclass(frozen=True, slots=True)
class FigureCount:
    """A number with the list behind it: GET /api/v1/`list`/?`query`."""

    key: str
    count: int
    list: str
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitStrip:
    """Units of one kind."""

    kind: str
    total: FigureCount
    assigned: FigureCount
    free: FigureCount
    faulty: FigureCount
    simulated: FigureCount


@dataclass(frozen=True, slots=True)
class RecentJob:
    """One of the last jobs with its speed-ups, a few cells of them."""

    job: Job
    comparisons: list[Comparison]


def host_figures(*, actor: Actor) -> list[FigureCount]:
    """Return hosts by state, in the order of the states, zeros included."""
    counts = _counted(host_list(actor=actor), "state")
    return [
        FigureCount(state, counts.get(state, 0), "hosts", {"state": state})
        for state in HostState.values
    ]


def simulated_hosts(*, actor: Actor) -> FigureCount:
    """Return the number of simulated hosts that are still served."""
    number = host_list(actor=actor).filter(is_simulated=True).count()
    return FigureCount("simulated", number, "hosts", {"is_simulated": "true"})


def unit_figures(*, actor: Actor) -> list[UnitStrip]:
    """Return present units by kind: assigned, free (assignable, not assigned), faulty."""
    assigned = Q(domain_key__isnull=False)
    rows = (
        unit_list(actor=actor)
        .filter(PRESENT)
        .order_by()
        .values("kind")
        .annotate(
            total=Count("pk"),
            assigned=Count("pk", filter=assigned),
            free=Count("pk", filter=Q(is_assignable=True) & ~assigned),
            faulty=Count("pk", filter=Q(state="faulty")),
            simulated=Count("pk", filter=Q(host__is_simulated=True)),
        )
    )
    return [_strip(row) for row in sorted(rows, key=lambda row: row["kind"])]


def _strip(row: Mapping[str, Any]) -> UnitStrip:
    queries = {
        "total": {},
        "assigned": {"is_assigned": "true"},
        "free": {"is_assignable": "true", "is_assigned": "false"},
        "faulty": {"state": "faulty"},
        "simulated": {"is_simulated": "true"},
    }
    figures = {
        key: FigureCount(key, row[key], "units", {"kind": row["kind"]} | query)
        for key, query in queries.items()
    }
    return UnitStrip(kind=row["kind"], **figures)


def pin_figures(*, actor: Actor) -> list[FigureCount]:
    """Return initialised tokens whose user PIN is locked or nearly so, worst first."""
    tokens = token_list(actor=actor).filter(PRESENT, is_initialised=True)
    counts = _counted(tokens, "user_pin_state")
    return [
        FigureCount(
            state.value,
            counts.get(state.value, 0),
            "tokens",
            {"user_pin_state": state.value, "is_initialised": "true"},
        )
        for state in PIN_TROUBLE
    ]


def certificate_figures(*, actor: Actor, now: datetime) -> list[FigureCount]:
    """Return certificates that have expired, and that expire within 30 and 90 days from now."""
    ends = {"expired": (None, now)} | {
        f"within_{days}_days": (now, now + timedelta(days=days)) for days in EXPIRY_DAYS
    }
    within = {
        key: Q(not_after__lt=end) & (Q(not_after__gte=start) if start else Q())
        for key, (start, end) in ends.items()
    }
    rows = certificate_list(actor=actor).filter(PRESENT)
    counts = rows.aggregate(**{key: Count("pk", filter=q) for key, q in within.items()})
    return [
        FigureCount(key, counts[key], "certificates", _between(start, end))
        for key, (start, end) in ends.items()
    ]


def _between(start: datetime | None, end: datetime) -> dict[str, str]:
    query = {"expires_before": _iso(end)}
    return query | {"expires_after": _iso(start)} if start else query


def finding_figures(*, actor: Actor) -> list[FigureCount]:
    """Return open findings that nobody acknowledged, by severity; words unknown here come last."""
    rows = finding_list(actor=actor).filter(resolved_at=None, acknowledged_at=None)
    counts = {"critical": 0, "warning": 0, "notice": 0} | _counted(rows, "severity")
    return [
        FigureCount(severity, number, "findings", {"severity": severity, "state": "open"})
        for severity, number in counts.items()
    ]


def failed_runs(*, actor: Actor, now: datetime) -> FigureCount:
    """Return how many runs queued within FAILED_DAYS failed, errored or lost contact."""
    since = now - timedelta(days=FAILED_DAYS)
    states = [state.value for state in FAILED_STATES]
    rows = run_list(actor=actor).filter(state__in=states, queued_at__gte=since)
    query = {"state": ",".join(states), "queued_after": _iso(since)}
    return FigureCount("failed", rows.count(), "runs", query)


def change_figures(*, actor: Actor) -> list[FigureCount]:
    """Return what changes need of a person: an approval, an apply, a reboot, attention."""
    counts = change_list(actor=actor).aggregate(
        **{need: Count("pk", filter=condition) for need, condition in NEEDS.items()}
    )
    return [FigureCount(need, counts[need], "changes", {"needs": need}) for need in NEEDS]


def drift_figures(*, actor: Actor) -> list[FigureCount]:
    """Return how many parts are not as a change last left them, and on how many hosts."""
    rows = drift_list(actor=actor).order_by()
    counts = rows.aggregate(parts=Count("pk"), hosts=Count("host", distinct=True))
    return [
        FigureCount("hosts", counts["hosts"], "hosts", {"is_drifted": "true"}),
        FigureCount("parts", counts["parts"], "drifts"),
    ]


def recent_jobs(*, actor: Actor) -> list[RecentJob]:
    """Return the last jobs, newest first, with up to a few measured cells each (two queries)."""
    jobs = list(job_list(actor=actor).order_by("-created_at", "-id")[:RECENT_JOBS])
    cells: dict[Any, list[Comparison]] = {job.pk: [] for job in jobs}
    rows = Comparison.objects.filter(run__job__in=jobs, ratio__isnull=False).select_related("run")
    for comparison in rows.order_by("run__host__name", "position"):
        found = cells[comparison.run.job_id]
        if len(found) < _CELLS_PER_JOB:
            found.append(comparison)
    return [RecentJob(job, cells[job.pk]) for job in jobs]


def overview(*, actor: Actor) -> dict[str, Any]:
    """Return everything that the Overview page shows, in a constant number of queries."""
    now = timezone.now().replace(microsecond=0)
    return {
        "at": now,
        "hosts": host_figures(actor=actor),
        "simulated_hosts": simulated_hosts(actor=actor),
        "units": unit_figures(actor=actor),
        "token_pins": pin_figures(actor=actor),
        "certificates": certificate_figures(actor=actor, now=now),
        "findings": finding_figures(actor=actor),
        "changes": change_figures(actor=actor),
        "drift": drift_figures(actor=actor),
        "change_pause": pause_get(),
        "failed_runs": failed_runs(actor=actor, now=now),
        "recent_jobs": recent_jobs(actor=actor),
    }


def _counted(rows: QuerySet[Any], name: str) -> dict[str, int]:
    counted = rows.order_by().values_list(name).annotate(number=Count("pk"))
    return dict(sorted(counted))


def _iso(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
