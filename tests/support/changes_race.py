"""What the processes of the races about changes do."""

import os
from uuid import uuid4

from agents.wire.names import Lane
from console.accounts.actors import SYSTEM, Actor, actor_of_user
from console.accounts.enums import Role
from console.accounts.models import User
from console.accounts.services import user_create
from console.audit.chain import GENESIS
from console.audit.models import AuditEvent
from console.changes.models import Approval, Change, ChangeRun
from console.changes.request_keys import change_create_once
from console.changes.services import change_apply, change_approve, change_cancel, change_plan
from console.core.errors import KeyrackError
from console.fleet.models import Host
from console.fleet.work import work_claim
from tests.console.changes.cast import a_plan, answer_plan, asked_of, taking_host

ADMINS = 10


def admins_make() -> str:
    """Make a host and the administrators; return the host's id."""
    for number in range(ADMINS):
        user_create(actor=SYSTEM, username=f"admin{number}", role=Role.ADMINISTRATOR)
    return str(taking_host("alpha").row.pk)


def change_make(host_id: str) -> str:
    """Return a change that somebody who is none of the ten asked for, planned by its agent."""
    host = Host.objects.get(pk=host_id)
    user, _ = user_create(actor=SYSTEM, username=f"op{uuid4().hex[:8]}", role=Role.OPERATOR)
    change = asked_of(host, actor_of_user(user), counts={f"d{uuid4().hex}": 1})
    answer_plan(host, a_plan(change, risk="medium"))
    return str(change.pk)


def admin_acts(change_id: str, wanted: list[str]) -> list[str]:
    """Do those of approve, apply, claim (for the host), plan and cancel; return what was done.

    Which of the ten this is, the process id says.
    """
    change = Change.objects.select_related("host", "plan").get(pk=change_id)
    digest = change.plan.digest if change.plan else ""
    actor = _one_of_ten()
    acts = (
        ("approve", lambda: change_approve(actor=actor, change=change, plan_digest=digest)),
        ("apply", lambda: change_apply(actor=actor, change=change, plan_digest=digest)),
        ("claim", lambda: work_claim(host=change.host, lane=Lane.WORK, nonce=uuid4().hex)),
        ("plan", lambda: change_plan(actor=actor, change=change)),
        ("cancel", lambda: change_cancel(actor=actor, change=change)),
    )
    done = []
    for name, act in [one for one in acts if one[0] in wanted]:
        try:
            if act() is not None:
                done.append(name)
        except KeyrackError:
            continue
    return done


def _one_of_ten() -> Actor:
    return actor_of_user(User.objects.get(username=f"admin{os.getpid() % ADMINS}"))


def admin_asks(host_id: str) -> list[str]:
    """Ask the host for changes, five times; return their ids."""
    host = Host.objects.get(pk=host_id)
    return [str(asked_of(host, _one_of_ten(), counts={f"d{uuid4().hex}": 1}).pk) for _ in range(5)]


def admin_sends_again(host_id: str, key: str, user_name: str) -> str:
    """Send the one request with that key, as whoever got no reply; return what it made."""
    host, actor = Host.objects.get(pk=host_id), actor_of_user(User.objects.get(username=user_name))
    wanted = {"kind": "unit.assign", "parameters": {"counts": {key: 1}}, "reason": "Once"}
    return str(change_create_once(actor=actor, request_key=key, host=host, **wanted).pk)


def standing(change_id: str) -> dict[str, int | str]:
    """Return how the change stands, and how often what happens once did happen."""
    change = Change.objects.get(pk=change_id)
    told = AuditEvent.objects.filter(object_id=change_id)
    return {
        "state": change.state,
        "approvals": Approval.objects.filter(change=change).count(),
        "runs": ChangeRun.objects.filter(change=change).count(),
        "applied": told.filter(verb="change.apply").count(),
        "approved": told.filter(verb="change.approve").count(),
    }


def audit_is_whole() -> bool:
    """Return whether each link of the audit names the digest of the one before."""
    previous = GENESIS
    for event in AuditEvent.objects.order_by("seq"):
        if event.previous_digest != previous:
            return False
        previous = event.digest
    return True
