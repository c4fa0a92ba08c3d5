"""Takes in batches of reports: idempotent, in any order, in a bounded number of queries."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone

from agents.wire.messages import ReportsReply
from agents.wire.names import WorkKind
from agents.wire.work import Report, ReportKind
from console.changes.following import planning_finished, run_finished
from console.changes.reports import change_reports_store
from console.core import events
from console.core.clean import clean, clean_text
from console.fleet.claimable import ClaimableWork, claimable_models, is_uuid
from console.fleet.enums import WorkState
from console.fleet.models import Host
from console.fleet.pulse import pulse_invalidate
from console.fleet.work import host_lock, work_finish, work_heard
from console.fleet.work_states import ACTIVE, FINAL_BY_AGENT, TERMINAL
from console.jobs.run_reports import run_reports_store, time_of
from console.jobs.tasks import run_compare_on_commit

DATA_HANDLERS: Mapping[WorkKind, Callable[[Any, Sequence[Report]], bool]] = {
    WorkKind.JOB_RUN: run_reports_store,
    WorkKind.CHANGE_APPLY: change_reports_store,
}
"""What stores the data of reports, by kind of work; returns whether something is new."""

AFTER_FINISH: Mapping[WorkKind, Callable[[Any], None]] = {
    WorkKind.JOB_RUN: run_compare_on_commit,
    WorkKind.CHANGE_PLAN: planning_finished,
    WorkKind.CHANGE_APPLY: run_finished,
}
"""What follows when work is over, or when late data of it came, by kind of work."""

log = structlog.get_logger(__name__)


def reports_store(*, host: Host, reports: Sequence[Report]) -> ReportsReply:
    """Store a batch of reports of one host; the reply acknowledges all of it.

    Which reports are new is decided by natural keys and states, so a replay changes nothing and a
    batch that comes late, or under numbers that began anew, loses nothing. Reports about unknown
    work or under another nonce are logged and acknowledged: they would never become welcome.
    """
    with transaction.atomic():
        locked = host_lock(host)
        works = _works(locked, reports)
        for work_id, group in _by_work(reports).items():
            _take(locked, works.get(work_id), group)
        _acknowledge(locked, max((report.seq for report in reports), default=0))
        cancel = _to_cancel(locked)
    return ReportsReply(acknowledged_seq=locked.acknowledged_seq, cancel=cancel)


def _by_work(reports: Sequence[Report]) -> dict[str, list[Report]]:
    groups: dict[str, list[Report]] = {}
    for report in sorted(reports, key=lambda report: report.seq):
        groups.setdefault(report.work_id, []).append(report)
    return groups


def _works(host: Host, reports: Sequence[Report]) -> dict[str, ClaimableWork]:
    ids = {report.work_id for report in reports if is_uuid(report.work_id)}
    if not ids:
        return {}
    return {
        str(work.pk): work
        for model in claimable_models()
        for work in model._default_manager.filter(host=host, pk__in=ids)
    }


def _take(host: Host, work: ClaimableWork | None, reports: Sequence[Report]) -> None:
    """Take in what is said of one piece of work: data first, then its state."""
    fitting = [report for report in reports if work and report.nonce == work.nonce != ""]
    if len(fitting) < len(reports):
        log.warning("report.refused", work=reports[0].work_id, number=len(reports) - len(fitting))
    if work is None or not fitting:
        return
    store = DATA_HANDLERS.get(work.kind)
    is_new = store(work, fitting) if store else False
    if work.state in TERMINAL:
        if is_new:
            _after_finish(work)
        return
    finished = next((r for r in reversed(fitting) if r.kind == ReportKind.FINISHED), None)
    _note_progress(host, work, fitting, finished)
    if is_new and finished is None:
        events.publish("run", work.pk, timezone.now())


def _note_progress(
    host: Host, work: ClaimableWork, reports: Sequence[Report], finished: Report | None
) -> None:
    now = timezone.now()
    has_started = any(report.kind != ReportKind.FINISHED for report in reports)
    if has_started or finished is None:
        at = time_of(reports[0].at, now)
        work_heard(host=host, work=work, at=at, has_started=has_started)
    if finished is not None and _finish(host, work, finished):
        _after_finish(work)


def _finish(host: Host, work: ClaimableWork, report: Report) -> bool:
    state, message = outcome_of(report)
    return work_finish(
        host=host,
        work=work,
        to=state,
        message=message,
        at=time_of(report.at, timezone.now()),
        **work.finish_fields(clean(report.result)),
    )


def outcome_of(report: Report) -> tuple[WorkState, str]:
    """Return the final state and message that a FINISHED report stands for.

    An outcome that this console does not know (a newer agent's) counts as `errored` and is named.
    """
    message = clean_text(report.message)
    if report.outcome in {state.value for state in FINAL_BY_AGENT}:
        return WorkState(report.outcome), message
    unknown = clean_text(report.outcome, 40) or "none"
    return (
        WorkState.ERRORED,
        f"The agent reported an unknown outcome ({unknown}). {message}".strip(),
    )


def _after_finish(work: ClaimableWork) -> None:
    follow = AFTER_FINISH.get(work.kind)
    if follow is not None:
        follow(work)


def _acknowledge(host: Host, seq: int) -> None:
    if seq > host.acknowledged_seq:
        host.acknowledged_seq = seq
        Host.objects.filter(pk=host.pk).update(acknowledged_seq=seq)
        pulse_invalidate([host.pk])


def _to_cancel(host: Host) -> list[str]:
    """Return the ids of all work that this host's agent holds and should stop."""
    return [
        str(pk)
        for model in claimable_models()
        for pk in model._default_manager.filter(
            host=host, state__in=ACTIVE, cancel_requested_at__isnull=False
        ).values_list("pk", flat=True)
    ]
