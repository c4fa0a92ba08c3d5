"""A fixed cast for tests of changes: a host that takes them, plans, and its agent."""

from typing import Any

from agents.changes.plans import sealed
from agents.wire.changes import ChangeRequest, Phase, Plan, StepPlan
from agents.wire.codec import to_plain
from agents.wire.names import Lane
from agents.wire.work import WorkOrder
from console.accounts.actors import Actor
from console.changes.models import Change
from console.changes.services import change_create
from console.fleet.models import Host
from tests.console.base import ConsoleTestCase
from tests.console.jobs.cast import FakeAgent
from tests.support.hosts import EnrolledHost, host_enrolled

KINDS = ("unit.assign", "metaslot.enable", "mechanism.policy")
PARAMETERS: dict[str, dict[str, Any]] = {
    "unit.assign": {"counts": {"primary": 1}},
    "metaslot.enable": {},
    "metaslot.disable": {},
    "mechanism.policy": {"provider": "aes", "disable": ["CKM_AES_CBC"]},
    "provider.unload": {"provider": "aes"},
    "provider.enable": {"module": "softhsm2"},
    "spconfig.save": {"name": "spring"},
}
"""What is asked for where a test does not say."""


class ChangesTestCase(ConsoleTestCase):
    """The cast, and host alpha, which takes some kinds of change and refuses one."""

    alpha: EnrolledHost

    @classmethod
    def setUpTestData(cls) -> None:
        """Enrol it."""
        super().setUpTestData()
        cls.alpha = taking_host("alpha")

    def asked(self, kind: str = "unit.assign", **parameters: Any) -> Change:
        """A change that omar asked of alpha."""
        return asked_of(self.alpha.row, self.actor(self.omar), kind, **parameters)

    def planned(self, risk: str = "medium", **fields: Any) -> Change:
        """The same, planned by alpha's agent."""
        change = self.asked()
        answer_plan(self.alpha.row, a_plan(change, risk=risk, **fields))
        change.refresh_from_db()
        return change


def taking_host(name: str) -> EnrolledHost:
    """Enrol a host that takes KINDS, and says why not of one more."""
    host = host_enrolled(name)
    kinds = [{"name": kind, "is_accepted": True, "reason": ""} for kind in KINDS]
    kinds.append({"name": "spconfig.save", "is_accepted": False, "reason": "Not allowed here."})
    Host.objects.filter(pk=host.row.pk).update(change_kinds=kinds)
    host.row.refresh_from_db()
    return host


def asked_of(host: Host, actor: Actor, kind: str = "unit.assign", **parameters: Any) -> Change:
    """Ask `host` for a change as the service does."""
    wanted = parameters or PARAMETERS[kind]
    return change_create(actor=actor, host=host, kind=kind, parameters=wanted, reason="Spare unit")


def a_plan(change: Change, *, phases: int = 1, **fields: Any) -> Plan:
    """A sealed plan for `change`: one step per phase; all but the last wait for a reboot."""
    made = [
        Phase(
            title=f"Phase {number}",
            steps=[
                StepPlan(title="Take a unit", argv=["/usr/sbin/ldm", "set-crypto", "1", "primary"])
            ],
            waits_for=["primary"] if number < phases - 1 else [],
            settles={"domain.reconfiguration/primary": "none"} if number < phases - 1 else {},
        )
        for number in range(phases)
    ]
    plain: dict[str, Any] = {
        "parts": {"unit.count/primary": 2},
        "ends": {"unit.count/primary": 1},
        "rollback": ChangeRequest(kind=change.kind, parameters={"counts": {"primary": 2}}),
        "sentence": "Take 1 crypto unit from primary.",
        **fields,
    }
    request = ChangeRequest(kind=change.kind, parameters=change.parameters)
    return sealed(Plan(request=request, phases=made, **plain))


def answer_plan(host: Host, plan: Plan) -> None:
    """The host's agent claims the planning that is due, and reports this plan."""
    agent, wanted = FakeAgent(host), plan.request.parameters
    while (order := agent.must_claim(Lane.QUICK)).parameters["parameters"] != wanted:
        agent.send(agent.finished(order, "failed", message="Not asked for here."))
    agent.send(agent.finished(order, result={"plan": to_plain(plan)}))


def applying(host: Host) -> tuple[FakeAgent, WorkOrder]:
    """The host's agent claims the phase that is due and starts it."""
    agent = FakeAgent(host)
    return agent, agent.begin()


def ended(agent: FakeAgent, order: WorkOrder, state: str, **result: Any) -> None:
    """The agent reports how the phase ended."""
    outcome = {"succeeded": "succeeded", "waiting_reboot": "succeeded", "cancelled": "cancelled"}
    phase = order.parameters["phase"]
    plain = {"state": state, "phase": phase, "is_last": True, "steps": [], **result}
    message = result.pop("message", f"It is {state}.")
    agent.send(agent.finished(order, outcome.get(state, "failed"), message=message, result=plain))
