"""A batch while the broker is down or silent: no request takes two seconds."""

import time
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from agents.wire.codec import to_plain
from console.accounts.actors import SYSTEM, Actor, actor_of_user
from console.accounts.enums import Role
from console.accounts.services import user_create
from console.changes.batches import batch_apply, batch_approve, batch_cancel, batch_create
from console.changes.following import plan_take
from console.changes.models import ApprovalRule, ChangeBatch
from console.changes.plans import plan_store
from console.fleet.doorbell import DIRECT_LIMIT
from console.fleet.enums import HostState
from console.fleet.models import Host
from tests.console.changes.cast import a_plan, taking_host
from tests.support.silent import silent_broker

MOST_SECONDS = 2.0


@pytest.fixture(params=["down", "silent"])
def broker(request: pytest.FixtureRequest, settings: Settings) -> Iterator[str]:
    """What is wrong with it."""
    if request.param == "down":
        yield "down"
        return
    with silent_broker() as settings.REDIS_URL:
        yield "silent"


def person(role: Role) -> Actor:
    """Somebody with that role."""
    return actor_of_user(user_create(actor=SYSTEM, username=role.value, role=role)[0])


def hosts_make() -> list[Host]:
    """More than are rung within a request, all online."""
    made = [taking_host(f"host-{number}").row for number in range(DIRECT_LIMIT + 1)]
    Host.objects.update(state=HostState.ACTIVE)
    return made


def planned(batch: ChangeBatch) -> None:
    """The agents have planned all of it, and somebody has to approve it."""
    ApprovalRule.objects.get_or_create(
        kind_pattern="*", minimum_risk="medium", defaults={"approvals": 1}
    )
    for change in batch.changes.select_related("host"):
        plan_take(change, plan_store(change, to_plain(a_plan(change, risk="medium"))))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("broker")
def test_no_request_about_a_batch_waits_for_the_broker_more_than_once() -> None:
    """Nor do those that follow: each has its own second at most."""
    ids = [host.pk for host in hosts_make()]
    omar, ada = person(Role.OPERATOR), person(Role.APPROVER)
    took, began = [], time.monotonic()
    batch = batch_create(
        actor=omar, host_ids=ids, kind="unit.assign", parameters={"counts": {"primary": 1}},
        reason="Everywhere",
    )  # fmt: skip
    took.append(time.monotonic() - began)
    planned(batch)
    for act, who in ((batch_approve, ada), (batch_apply, omar), (batch_cancel, omar)):
        began = time.monotonic()
        done = act(actor=who, batch=batch)
        took.append(time.monotonic() - began)
        assert done.done > 0
        assert done.refused == []
    assert max(took) < MOST_SECONDS, took
