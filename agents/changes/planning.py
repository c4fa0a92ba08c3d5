"""From a request to a sealed plan, and which kinds of change a host takes. Only reads."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.changes.base import ChangeKind, ChangeRefused
from agents.changes.plans import sealed
from agents.changes.tools import Tools
from agents.config import AgentConfig
from agents.drivers.base import Driver
from agents.wire.changes import ChangeRequest, Plan
from agents.wire.inventory import ChangeKindFacts


def find_kind(driver: Driver, name: str) -> ChangeKind[Any]:
    """Return the driver's kind of that name. Raises ChangeRefused `kind.unknown`."""
    for kind in driver.change_kinds():
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in driver.change_kinds()) or "none"
    raise ChangeRefused(
        "kind.unknown",
        f"The {driver.name} driver knows no change of the kind {name!r}.",
        f"It knows: {known}.",
        name,
    )


def make_plan(driver: Driver, request: ChangeRequest, *, is_simulated: bool) -> Plan:
    """Read the host afresh and return the sealed plan. Raises ChangeRefused; changes nothing."""
    kind, tools = find_kind(driver, request.kind), driver.tools()
    reason = kind.applies(tools)
    if reason:
        raise ChangeRefused("kind.not_here", reason, "", request.kind)
    return plan_of(kind, tools, request, is_simulated=is_simulated)


def plan_of(
    kind: ChangeKind[Any], tools: Tools, request: ChangeRequest, *, is_simulated: bool
) -> Plan:
    """Return the sealed plan of a kind that applies here. Raises ChangeRefused."""
    seen = kind.read(tools, request.parameters)
    plan = kind.plan(request.parameters, seen)
    return sealed(replace(plan, request=request, is_simulated=is_simulated))


def kind_facts(driver: Driver, agent: AgentConfig) -> list[ChangeKindFacts]:
    """Return, per kind of the driver, whether this host takes it and why not."""
    return [_kind_facts(kind, driver.tools(), agent) for kind in _by_name(driver.change_kinds())]


def _by_name(kinds: Sequence[ChangeKind[Any]]) -> list[ChangeKind[Any]]:
    return sorted(kinds, key=lambda kind: kind.name)


def _kind_facts(kind: ChangeKind[Any], tools: Tools, agent: AgentConfig) -> ChangeKindFacts:
    reason = kind.applies(tools) or refusal_of(agent, kind.name)
    return ChangeKindFacts(name=kind.name, is_accepted=not reason, reason=reason)


def refusal_of(agent: AgentConfig, kind: str) -> str:
    """Return why this host's own admin does not take changes of a kind, empty where they do."""
    if agent.allows(kind):
        return ""
    return (
        f"This host's own admin does not allow {kind} (agent.allow in its configuration). Add it "
        "there and restart the agent."
    )
