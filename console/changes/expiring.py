"""What time alone does to changes: plans that nobody applied, approvals that lapsed."""

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.audit.services import audit_record
from console.changes.approvals import is_approved
from console.changes.enums import READY, ChangeState
from console.changes.models import Approval, Change
from console.changes.states import change_move
from console.fleet.work import host_lock

_AT_ONCE = 500
_TOO_OLD = "Nobody applied its plan in time. The host may be another by now: ask for it anew."
_LAPSED = "The approval of its plan has expired: it has to be given again."


def changes_expire() -> int:
    """Expire what has a plan that is too old; return how many changes that were."""
    due = Change.objects.filter(state__in=READY, expires_at__lte=timezone.now())
    ids = list(due.order_by("expires_at").values_list("pk", flat=True)[:_AT_ONCE])
    return sum(_move(pk, ChangeState.EXPIRED, _TOO_OLD) for pk in ids)


def approvals_lapse() -> int:
    """Have planned changes whose approval has expired wait for one again; return how many."""
    over = Approval.objects.filter(plan=OuterRef("plan"), expires_at__lte=timezone.now())
    due = Change.objects.filter(Exists(over), state=ChangeState.PLANNED)
    ids = [
        change.pk
        for change in due.select_related("plan").order_by("pk")[:_AT_ONCE]
        if change.plan is not None and not is_approved(change.plan)
    ]
    return sum(_move(pk, ChangeState.AWAITING_APPROVAL, _LAPSED) for pk in ids)


@transaction.atomic
def _move(pk: UUID, to: ChangeState, text: str) -> bool:
    """Move one change unless somebody was faster; the lock of its host comes first."""
    change = Change.objects.select_related("host").get(pk=pk)
    host_lock(change.host)
    change.refresh_from_db()
    if change.state not in READY:
        return False
    old = {"state": change.state}
    if not change_move(change, to, message=text):
        return False
    verb = "change.end" if to == ChangeState.EXPIRED else "change.lapse"
    new = {"state": to.value, "message": text}
    audit_record(actor=SYSTEM, verb=verb, obj=change, host=change.host, old=old, new=new)
    return True
