"""What the processes of the test about ten thousand changes do."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from console.accounts.actors import SYSTEM
from console.accounts.enums import Role
from console.accounts.models import User
from console.accounts.services import user_create
from console.changes.enums import ChangeState
from console.changes.expiring import approvals_review, changes_expire, changes_of_gone_hosts_end
from console.changes.models import Approval, Change, Plan
from console.core.pagination import Order
from tests.console.changes.cast import taking_host

DATA = {"needs_force": "", "destroys": [], "phases": [], "parts": {}, "ends": {}}


def fill(count: int) -> None:
    """Make `count` changes of one host, each planned, waiting for approval or over."""
    user, _ = user_create(actor=SYSTEM, username="vera", role=Role.VIEWER)
    host = taking_host("alpha").row
    states = [ChangeState.SUCCEEDED] * 8 + [ChangeState.AWAITING_APPROVAL, ChangeState.PLANNED]
    changes = [
        Change(host=host, kind="unit.assign", parameters={"counts": {f"ldg{number % 7}": 1}},
               reason="Many", state=states[number % 10], requested_by=user)
        for number in range(count)
    ]  # fmt: skip
    Change.objects.bulk_create(changes, batch_size=1000)
    plans = [
        Plan(change=change, digest=uuid4().hex, sentence="Take one.", risk="medium", data=DATA)
        for change in changes
    ]
    Plan.objects.bulk_create(plans, batch_size=1000)
    for change, plan in zip(changes, plans, strict=True):
        change.plan = plan
    Change.objects.bulk_update(changes, ["plan"], batch_size=500)
    _approve([change for change in changes if change.state == ChangeState.PLANNED])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _approve(changes: list[Change]) -> None:
    ada, _ = user_create(actor=SYSTEM, username="ada", role=Role.APPROVER)
    later = timezone.now() + timedelta(days=1)
    Approval.objects.bulk_create(
        Approval(change=change, plan=change.plan, by=ada, by_name="ada", expires_at=later)
        for change in changes
    )


def read_all(query: str) -> list[int]:
    """Page through the list; return rows, different rows, and the queries of the dearest page."""
    settings.ALLOWED_HOSTS = ["testserver"]
    client = APIClient()
    client.force_login(User.objects.get(username="vera"))
    ids: list[str] = []
    most, cursor = 0, ""
    while cursor is not None:
        with CaptureQueriesContext(connection) as captured:
            page = client.get(f"/api/v1/changes/?page_size=1000&cursor={cursor}&{query}").json()
        most = max(most, len(captured))
        ids += [row["id"] for row in page["results"]]
        cursor = page["next"]
    return [len(ids), len(set(ids)), most]


def explained(state: str) -> str:
    """Return how the database reads a page of the list, all of it or by state."""
    rows = Change.objects.all() if not state else Change.objects.filter(state=state)
    order = Order(name="created_at", path="created_at", is_descending=True)
    return str(order.apply(rows)[:50].explain())


def chores() -> list[int]:
    """Run what the console does every half minute; return what moved and in how many queries."""
    with CaptureQueriesContext(connection) as captured:
        moved = [changes_expire(), approvals_review(), changes_of_gone_hosts_end()]
    return [*moved, len(captured)]


def lapse() -> dict[str, Any]:
    """Let two approvals expire; return what the review makes of it."""
    ids = list(Approval.objects.order_by("pk").values_list("pk", flat=True)[:2])
    Approval.objects.filter(pk__in=ids).update(expires_at=timezone.now())
    changes = Change.objects.filter(approvals__in=ids)
    moved = approvals_review()
    return {"moved": moved, "states": sorted(set(changes.values_list("state", flat=True)))}
