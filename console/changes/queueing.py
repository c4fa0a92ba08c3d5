"""Orders that wait in the queue: how long they may, and whether they may still be handed out.

While the pause or a maintenance window holds an order back its time stands still; it is given its
whole time anew when nothing holds it any more.
"""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.audit.services import audit_record
from console.changes.approvals import approval_gap
from console.changes.enums import ChangeState
from console.changes.models import Change, ChangeRun
from console.changes.states import change_move
from console.fleet.enums import WorkState
from console.fleet.pulse import pulse_invalidate

PLAN_LIFE = timedelta(days=7)
"""A plan that nobody applied for so long expires; so does one that is held back for so long."""


def queue_time_end(now: datetime) -> datetime:
    """Return until when an order that is queued now, or held back no longer, waits to be taken."""
    return now + timedelta(seconds=settings.WORK_QUEUE_SECONDS)


def queue_time_restart(runs: QuerySet[Any], now: datetime) -> int:
    """Give the queued of `runs` their whole time in the queue anew; return how many."""
    return runs.filter(state=WorkState.QUEUED).update(expires_at=queue_time_end(now))


def queue_time_hold(now: datetime) -> int:
    """Let the time of orders stand still that may not be handed out now; return how many."""
    return queue_time_restart(runs_held(), now)


def runs_held() -> QuerySet[ChangeRun]:
    """Return the queued orders that the pause or their hosts' windows hold back now."""
    queued = ChangeRun.objects.filter(state=WorkState.QUEUED)
    return queued.exclude(pk__in=ChangeRun.due_rows(queued).values("pk"))


def run_admit(run: ChangeRun) -> bool:
    """Return whether the order may be claimed: the first phase only while its plan is approved.

    Otherwise its change waits for approval again. What has begun goes on: half of a change is no
    better for an approval that has expired meanwhile.
    """
    if run.phase > 0:
        return True
    code, text = approval_gap(run.plan)
    if code:
        change = Change.objects.select_related("host").get(pk=run.change_id)
        change_unqueue(change, ChangeState.AWAITING_APPROVAL, f"It was not run in time. {text}")
    return not code


def change_unqueue(change: Change, to: ChangeState, text: str) -> bool:
    """Take what was applied, and of which nothing was run, out of the queue; say why in words.

    Part of the caller's transaction, under the host's lock.
    """
    now = timezone.now()
    fields: dict[str, Any] = {"message": text}
    if to == ChangeState.AWAITING_APPROVAL:
        fields["expires_at"] = now + PLAN_LIFE
    ChangeRun.objects.filter(change=change, state=WorkState.QUEUED).update(
        state=WorkState.CANCELLED, message=text, finished_at=now, updated_at=now
    )
    old = {"state": change.state}
    if not change_move(change, to, **fields):
        return False
    pulse_invalidate([change.host_id])
    is_end = to != ChangeState.AWAITING_APPROVAL
    audit_record(
        actor=SYSTEM,
        verb="change.end" if is_end else "change.lapse",
        obj=change,
        host=change.host,
        old=old,
        new={"state": to.value, "message": text},
    )
    return True
