"""Changes on a simulated machine through the agent's real engine, one process per phase."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from agents.changes.planning import make_plan
from agents.config import Config
from agents.drivers.base import Driver
from agents.drivers.registry import choose_driver
from agents.wire.changes import ApplyResult, ChangeRequest, Plan
from agents.wire.codec import from_plain
from tests.support.simulated import Simulated


class ChangeOnSimulated:
    """One request on one machine."""

    def __init__(self, machine: Simulated, kind: str, parameters: dict[str, Any]) -> None:
        self.machine = machine
        self.request = ChangeRequest(kind=kind, parameters=parameters)
        edition = machine.world.edition.name
        config = Config(state_dir=machine.state_dir, simulate=edition)
        self.driver: Driver = choose_driver(config)
        lines = [f'state_dir = "{machine.state_dir}"', f'simulate = "{edition}"']
        self._config = machine.state_dir / "agent.toml"
        self._config.write_text("\n".join([*lines, "[agent]", 'allow = ["*"]', ""]))

    def plan(self) -> Plan:
        """Plan it from what is now."""
        return make_plan(self.driver, self.request, is_simulated=True)

    def apply(self, plan: Plan, phase: int) -> ApplyResult:
        """Apply one phase of an approved plan in a process of its own."""
        run_dir = Path(tempfile.mkdtemp(prefix="run-", dir=self.machine.state_dir))
        parameters = {
            "kind": self.request.kind,
            "parameters": self.request.parameters,
            "plan_digest": plan.digest,
            "phase": phase,
            "phase_digests": [one.digest for one in plan.phases],
        }
        order = {
            "work_id": "w1",
            "nonce": run_dir.name,
            "kind": "change.apply",
            "deadline_seconds": 60,
            "config": str(self._config),
            "parameters": parameters,
        }
        (run_dir / "order.json").write_text(json.dumps(order))
        argv = [sys.executable, "-m", "agents.executors.change", str(run_dir)]
        subprocess.run(argv, check=True, timeout=90)
        return _result(run_dir)

    def apply_all(self, plan: Plan) -> list[str]:
        """Apply every phase, rebooting what each waits for; return how each ended."""
        states = []
        for number, phase in enumerate(plan.phases):
            states.append(self.apply(plan, number).state)
            for domain in phase.waits_for:
                self.machine.reboot(domain)
        if plan.phases and plan.phases[-1].waits_for:
            states.append(self.apply(plan, len(plan.phases)).state)
        return states


def _result(run_dir: Path) -> ApplyResult:
    lines = (run_dir / "events.jsonl").read_text().splitlines()
    (event,) = [e for e in map(json.loads, lines) if e["kind"] == "finished"]
    return from_plain(event["result"], ApplyResult)
