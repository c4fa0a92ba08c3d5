"""An agent that takes orders to plan and apply changes, without a console and a daemon."""

import json
from pathlib import Path
from typing import Any

from agents.executors import change
from agents.executors.events import EVENTS_FILE, ORDER_FILE


class Agent:
    """Carries out orders as the agent's child process does, in this process.

    `top` goes above the configuration's tables, `settings` below them.
    """

    def __init__(self, directory: Path, *, driver: str, top: str = "", settings: str = "") -> None:
        self.directory = directory
        self.config = directory / "agent.toml"
        agent = f'[agent]\ndriver = "{driver}"\nallow = ["*"]\n'
        self.config.write_text(f'state_dir = "{directory / "state"}"\n{top}{agent}{settings}')
        self._runs = 0

    def order(self, work: str, /, **parameters: Any) -> dict[str, Any]:
        self._runs += 1
        run = self.directory / f"run-{self._runs}"
        run.mkdir()
        order = {
            "kind": work,
            "nonce": f"nonce-{self._runs}",
            "deadline_seconds": 60,
            "config": str(self.config),
            "parameters": parameters,
        }
        (run / ORDER_FILE).write_text(json.dumps(order))
        assert change.main([str(run)]) == 0
        *_, last = (run / EVENTS_FILE).read_text().splitlines()
        finished: dict[str, Any] = json.loads(last)
        return finished

    def change(self, kind: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Plan, then apply the plan, as an approved change is."""
        plan = self.plan(kind, parameters)
        return self.apply(plan)

    def plan(self, kind: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the plan, or what was reported instead."""
        finished = self.order("change.plan", kind=kind, parameters=parameters)
        made: dict[str, Any] = finished["result"].get("plan", finished)
        return made

    def apply(self, plan: dict[str, Any], phase: int = 0) -> dict[str, Any]:
        """Apply one phase of a plan as it was approved."""
        digests = [one["digest"] for one in plan["phases"]]
        approved = {"plan_digest": plan["digest"], "phase": phase, "phase_digests": digests}
        return self.order("change.apply", **plan["request"], **approved)
