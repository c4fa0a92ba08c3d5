"""From a request to a sealed plan, and which kinds of change a host takes. Only reads."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.changes.base import ChangeKind, ChangeRefused, Reader
from agents.changes.plans import sealed
from agents.changes.reading import Reading
from agents.config import AgentConfig
from agents.drivers.base import Driver
from agents.log import log_event
from agents.wire.changes import ChangeRequest, Plan
from agents.wire.inventory import ChangeKindFacts

_log = logging.getLogger(__name__)


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
    kind, reader = find_kind(driver, request.kind), Reading(driver.tools())
    reason = kind.applies(reader)
    if reason:
        raise ChangeRefused("kind.not_here", reason, "", request.kind)
    return plan_of(kind, reader, request, is_simulated=is_simulated)


def plan_of(
    kind: ChangeKind[Any], reader: Reader, request: ChangeRequest, *, is_simulated: bool
) -> Plan:
    """Return the sealed plan of a kind that applies here. Raises ChangeRefused."""
    seen = kind.read(reader, request.parameters)
    plan = kind.plan(request.parameters, seen)
    return sealed(replace(plan, request=request, is_simulated=is_simulated))


def kind_facts(driver: Driver, agent: AgentConfig) -> list[ChangeKindFacts]:
    """Return, per kind of the driver, whether this host takes it and why not."""
    reader = Reading(driver.tools())
    return [_kind_facts(kind, reader, agent) for kind in _by_name(driver.change_kinds())]


def _by_name(kinds: Sequence[ChangeKind[Any]]) -> list[ChangeKind[Any]]:
    return sorted(kinds, key=lambda kind: kind.name)


def _kind_facts(kind: ChangeKind[Any], reader: Reader, agent: AgentConfig) -> ChangeKindFacts:
    reason = _why_not_here(kind, reader) or refusal_of(agent, kind.name)
    return ChangeKindFacts(name=kind.name, is_accepted=not reason, reason=reason)


def _why_not_here(kind: ChangeKind[Any], reader: Reader) -> str:
    try:
        return kind.applies(reader)
    except Exception as error:  # one kind's defect must not cost the inventory
        log_event(_log, "kind.check_failed", logging.ERROR, kind=kind.name, error=error)
        name = type(error).__name__
        return f"The check of {kind.name} failed with a defect of Keyrack's ({name}: {error})."


def refusal_of(agent: AgentConfig, kind: str) -> str:
    """Return why this host's own admin does not take changes of a kind, empty where they do."""
    if agent.allows(kind):
        return ""
    return (
        f"This host's own admin does not allow {kind} (agent.allow in its configuration). Add it "
        "there and restart the agent."
    )
