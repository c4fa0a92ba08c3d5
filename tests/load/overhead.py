"""What applying adds to each step beyond the tool's own time, on a simulated host."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.changes.planning import make_plan
from agents.config import Config, load_config
from agents.drivers.base import Driver
from agents.drivers.registry import choose_driver
from agents.drivers.simulator.install import reset
from agents.executors.process import FIXED_ENVIRONMENT, child_environment
from agents.wire.changes import ChangeRequest, Plan
from tests.load.overhead_entry import SPENT_FILE
from tests.load.report import Row, median_interval

PAIRS = 15
LIMIT_MS = 300.0
EDITION = "t5120"
REQUESTS = (
    ChangeRequest(
        kind="unit.assign",
        parameters={"counts": {"primary": 1, "ldg1": 2}, "vcpus": {"primary": 8, "ldg1": 16}},
    ),
    ChangeRequest(
        kind="mechanism.policy", parameters={"provider": "aes", "disable": ["CKM_AES_ECB"]}
    ),
)
PARTS = ("tool", "reading", "journal", "starting")
WORDS = {
    "reading": "reading the host back (programs again)",
    "journal": "the journal with its fsyncs",
    "starting": "forking the tool",
    "noticing": "noticing that the tool has ended",
    "rest": "the rest",
}


@dataclass(slots=True)
class Host:
    """A simulated host that is put back to its beginning before each measurement."""

    folder: Path
    runs: int = 0
    config: Config = field(init=False)
    driver: Driver = field(init=False)

    def __post_init__(self) -> None:
        lines = [f"state_dir = {json.dumps(str(self.folder / 'state'))}"]
        lines += [f'simulate = "{EDITION}"', "[agent]", 'allow = ["*"]', ""]
        self.config_file.write_text("\n".join(lines), "utf-8")
        self.config = load_config(self.config_file)
        self.driver = choose_driver(self.config)

    @property
    def config_file(self) -> Path:
        """The agent's configuration."""
        return self.folder / "agent.toml"

    def plan(self, request: ChangeRequest) -> Plan:
        """Return the plan from the beginning on."""
        reset(self.config.state_dir)
        return make_plan(self.driver, request, is_simulated=True)

    def applied(self, plan: Plan) -> tuple[list[dict[str, float]], float]:
        """Apply the plan's one phase as the agent does; return its steps' seconds and all of it."""
        reset(self.config.state_dir)
        self.runs += 1
        run_dir = self.folder / f"run{self.runs}"
        run_dir.mkdir()
        (run_dir / "order.json").write_text(json.dumps(self._order(plan)), "utf-8")
        argv = [sys.executable, "-m", "tests.load.overhead_entry", str(run_dir)]
        started = time.perf_counter()
        subprocess.run(
            argv, env=child_environment(), check=True, stderr=subprocess.DEVNULL, timeout=60
        )
        whole = time.perf_counter() - started
        _check_succeeded(run_dir)
        return json.loads((run_dir / SPENT_FILE).read_text("utf-8")), whole

    def by_hand(self, plan: Plan) -> list[float]:
        """Run the same commands and nothing else; return the seconds of each."""
        reset(self.config.state_dir)
        tools = self.driver.tools()
        environment = {**FIXED_ENVIRONMENT, **tools.full_environment()}
        taken = []
        for step in plan.phases[0].steps:
            started = time.perf_counter()
            subprocess.run(
                tools.located(step.argv),
                env=environment,
                check=True,
                cwd="/",
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
            )
            taken.append(time.perf_counter() - started)
        return taken

    def _order(self, plan: Plan) -> dict[str, Any]:
        parameters = {
            "kind": plan.request.kind,
            "parameters": plan.request.parameters,
            "plan_digest": plan.digest,
            "phase": 0,
            "phase_digests": [phase.digest for phase in plan.phases],
        }
        return {
            "work_id": f"w{self.runs}",
            "nonce": os.urandom(8).hex(),
            "kind": "change.apply",
            "deadline_seconds": 60,
            "config": str(self.config_file),
            "parameters": parameters,
        }


def _check_succeeded(run_dir: Path) -> None:
    last = json.loads((run_dir / "events.jsonl").read_text("utf-8").splitlines()[-1])
    if last.get("outcome") != "succeeded":
        raise RuntimeError(f"the change that is measured failed: {last}")


def measure() -> list[Row]:
    """Measure a change of several steps through ldm, and one of cryptoadm's."""
    with tempfile.TemporaryDirectory(prefix="keyrack-bench-") as folder:
        host = Host(Path(folder))
        return [_row(host, request) for request in REQUESTS]


def _row(host: Host, request: ChangeRequest) -> Row:
    plan = host.plan(request)
    added: list[float] = []
    outside: list[float] = []
    spent: dict[str, list[float]] = {what: [] for what in WORDS}
    tools: list[float] = []
    for pair in range(PAIRS):
        # Alternating, so that what slows the machine meanwhile slows both.
        if pair % 2:
            hand, (steps, whole) = host.by_hand(plan), host.applied(plan)
        else:
            (steps, whole), hand = host.applied(plan), host.by_hand(plan)
        outside.append(1000 * (whole - sum(step["whole"] for step in steps)))
        for step, alone in zip(steps, hand, strict=True):
            tools.append(1000 * alone)
            added.append(1000 * (step["whole"] - alone))
            for what, seconds in _split(step, alone).items():
                spent[what].append(1000 * seconds)
    found = median_interval(added)
    parts = ", ".join(f"{WORDS[what]} {round(statistics.median(spent[what]))}" for what in WORDS)
    return Row(
        name=f"applying adds per step, {request.kind} (steps: {len(plan.phases[0].steps)})",
        measured=f"{found.median:.0f} ms ({found.low:.0f} – {found.high:.0f})",
        promise=f"≤ {LIMIT_MS:.0f} ms",
        is_met=found.high <= LIMIT_MS or (False if found.low > LIMIT_MS else None),
        how=(
            f"{PAIRS} interleaved pairs on a simulated {EDITION}, beside the same commands by "
            f"themselves ({statistics.median(tools):.0f} ms each); medians, in ms: {parts}; "
            f"once for each order: {statistics.median(outside):.0f}"
        ),
    )


def _split(step: dict[str, float], alone: float) -> dict[str, float]:
    """Return what a step's seconds beyond its tool's went on."""
    known = {what: step.get(what, 0.0) for what in PARTS}
    return {
        "reading": known["reading"],
        "journal": known["journal"],
        "starting": known["starting"],
        "noticing": known["tool"] - alone,
        "rest": step["whole"] - sum(known.values()),
    }
