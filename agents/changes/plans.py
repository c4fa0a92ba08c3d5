"""Seals plans: digests over what a plan is bound to, and nothing that changes by itself."""

import hashlib
import json
from dataclasses import replace
from typing import Any

from agents.wire import codec
from agents.wire.changes import Phase, Plan


def sealed(plan: Plan) -> Plan:
    """Return `plan` with the digests of its phases and its own filled in."""
    phases = [replace(phase, digest=phase_digest(phase)) for phase in plan.phases]
    return replace(plan, phases=phases, digest=plan_digest(replace(plan, phases=phases)))


def phase_digest(phase: Phase) -> str:
    """Return the sha256 of what a phase does, waits for and promises. Titles do not count."""
    plain = codec.to_plain(replace(phase, digest="", title=""))
    return _digest({**plain, "steps": [_bound(step) for step in plain["steps"]]})


def plan_digest(plan: Plan) -> str:
    """Return the sha256 of request, parts, phases and ends of a plan whose phases are sealed."""
    return _digest(
        {
            "request": codec.to_plain(plan.request),
            "parts": dict(plan.parts),
            "phases": [phase.digest for phase in plan.phases],
            "ends": dict(plan.ends),
        }
    )


def _bound(step: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in step.items() if name != "title"}


def _digest(plain: dict[str, Any]) -> str:
    canonical = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()
