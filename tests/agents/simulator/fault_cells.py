"""Every fault of the simulated machine on every kind: how the change ends, and if that is true.

`python -m tests.agents.simulator.fault_cells` runs them all and writes the table into
docs/changes.md; `make test` runs each fault and each kind once and compares with that table.
"""

import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.config import Config
from agents.drivers.simulator.faults import KINDS
from agents.drivers.solaris.driver import SolarisDriver
from agents.wire.changes import ApplyResult, ApplyState, ChangeRequest, Plan, StepPlan
from agents.wire.inventory import Attribute
from console.config.env import ROOT
from tests.agents.support.change_engine import Engine
from tests.support.simulated import Simulated

PAGE = ROOT / "docs" / "changes.md"
BEGIN, END = "<!-- faults: begin -->\n", "<!-- faults: end -->\n"
LASTING = ("garbled", "locale", "down")
"""Faults that strike the call that acts and all calls after it, the read-back among them."""
SECONDS = 3
"""A step's time here, so that what hangs does not hang long."""


@dataclass(frozen=True, slots=True)
class Request:
    """A change of some kind, and what has to be typed first to make it possible."""

    kind: str
    parameters: dict[str, Any]
    first: tuple[str, ...] = ()
    edition: str = "t5120"


REQUESTS = (
    Request("unit.assign", {"counts": {"primary": 0}}),
    Request("metaslot.enable", {}, ("cryptoadm disable metaslot",)),
    Request("metaslot.disable", {}),
    Request("metaslot.configure", {"auto_key_migrate": False}),
    Request("mechanism.policy", {"provider": "aes", "disable": ["CKM_AES_ECB"]}),
    Request("provider.install", {"provider": "/opt/acme/lib/libacmepkcs11.so"}),
    Request(
        "provider.uninstall",
        {"provider": "/opt/acme/lib/libacmepkcs11.so"},
        ("cryptoadm install provider=/opt/acme/lib/libacmepkcs11.so",),
    ),
    Request("provider.unload", {"provider": "md5"}),
    Request("spconfig.save", {"name": "tuesday"}),
    Request("reconf.cancel", {"domain": "primary"}, ("ldm set-mau 1 primary",), "t5120-ldoms11"),
)
"""`driver.configure` is not among them: it edits a file, and runs nothing that could fail so."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How one change under one fault ended. `untrue` says what of it is not so; empty: all is."""

    ends: str
    message: str
    untrue: str


class Hasty(ChangeKind[Any]):
    """A kind whose steps have little time."""

    def __init__(self, kind: ChangeKind[Any]) -> None:
        self._kind = kind
        self.name = kind.name  # type: ignore[misc]

    def applies(self, reader: Reader) -> str:
        return self._kind.applies(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[Any]:
        return self._kind.read(reader, parameters)

    def is_proved_by_reading(self, step: StepPlan) -> bool:
        return self._kind.is_proved_by_reading(step)

    def plan(self, parameters: Mapping[str, Any], seen: Seen[Any]) -> Plan:
        plan = self._kind.plan(parameters, seen)
        phases = [
            replace(phase, steps=[replace(s, timeout_seconds=SECONDS) for s in phase.steps])
            for phase in plan.phases
        ]
        return replace(plan, phases=phases)


class HastyDriver(SolarisDriver):
    """The Solaris driver with hasty kinds."""

    def change_kinds(self) -> Sequence[ChangeKind[Any]]:
        return [Hasty(kind) for kind in super().change_kinds()]


def cell_of(request: Request, fault: str) -> Cell:
    """Carry the change out with the fault on a machine of its own."""
    with tempfile.TemporaryDirectory(prefix="cell-") as folder:
        machine = Simulated(Path(folder) / "host", request.edition)
        for line in request.first:
            machine.out(line)
        driver = HastyDriver.from_config(
            Config(state_dir=machine.state_dir, simulate=request.edition)
        )
        wanted = ChangeRequest(kind=request.kind, parameters=request.parameters)
        before = _parts(driver, wanted)
        engine = Engine.prepare(Path(folder) / "run", driver, wanted)
        (Path(folder) / "run/agent.toml").write_text('[agent]\nallow = ["*"]\n')
        _fault(machine, fault, _first_step(driver, wanted), engine)
        result, message = engine.result(), str(engine.finished()["message"])
        machine.no_faults()
        return Cell(result.state, message, _untrue(driver, wanted, before, result))


def _first_step(driver: SolarisDriver, wanted: ChangeRequest) -> StepPlan:
    kind = next(kind for kind in driver.change_kinds() if kind.name == wanted.kind)
    plan = kind.plan(wanted.parameters, kind.read(driver.tools(), wanted.parameters))
    return plan.phases[0].steps[0]


def _fault(machine: Simulated, fault: str, step: StepPlan, engine: Engine) -> None:
    """Set the fault on the call that acts, and run the change."""
    program, subcommand = step.argv[0].rpartition("/")[2], step.argv[1]
    more: dict[str, Any] = {}
    if fault == "second_admin":
        undo = step.undo_argv or ["ldm", "add-spconfig", "wednesday"]
        more["command"] = " ".join([undo[0].rpartition("/")[2], *undo[1:]])
    machine.fault(fault, program, subcommand, **more)

    def lasts(point: str) -> None:
        if point == "tool runs" and fault in LASTING:
            machine.fault(fault, program, times=0)

    assert engine.run(on_point=lasts) == 0
    engine.kill_tools()


def _parts(driver: SolarisDriver, wanted: ChangeRequest) -> dict[str, Attribute]:
    kind = next(kind for kind in driver.change_kinds() if kind.name == wanted.kind)
    return dict(kind.read(driver.tools(), wanted.parameters).parts)


def _untrue(
    driver: SolarisDriver,
    wanted: ChangeRequest,
    before: Mapping[str, Attribute],
    result: ApplyResult,
) -> str:
    """Compare what was reported with a fresh look; return what differs."""
    now = _parts(driver, wanted)
    if result.state == ApplyState.SUCCEEDED:
        kind = next(kind for kind in driver.change_kinds() if kind.name == wanted.kind)
        try:
            plan = kind.plan(wanted.parameters, kind.read(driver.tools(), wanted.parameters))
        except ChangeRefused as error:
            return "" if error.refusal.code == "spconfig.exists" else str(error)
        return "" if not plan.phases else f"there is still to do: {plan.sentence}"
    if result.state in (ApplyState.FAILED, ApplyState.ROLLED_BACK):
        return "" if now == before else f"the host is not as before: {before} → {now}"
    if result.state == ApplyState.NEEDS_ATTENTION:
        return "" if result.stands or result.to_type else "nothing says what stands"
    return f"{result.state} is no end"


def table(cells: Mapping[tuple[str, str], Cell]) -> str:
    """Return the table of Markdown."""
    kinds = [request.kind for request in REQUESTS]
    lines = [
        "| fault | what the tool does | " + " | ".join(kinds) + " |",
        "|---|---|" + "---|" * len(kinds),
    ]
    for fault, says in KINDS.items():
        ends = [cells[kind, fault].ends.replace("_", " ") for kind in kinds]
        lines.append(f"| `{fault}` | {says} | " + " | ".join(ends) + " |")
    return "\n".join([*lines, ""])


def told(kind: str, fault: str) -> str:
    """Return how a cell of the page's table ends."""
    page = PAGE.read_text()
    rows = page[page.index(BEGIN) : page.index(END)].splitlines()
    heads = [cell.strip() for cell in rows[1].strip("|").split("|")]
    row = next(row for row in rows if row.startswith(f"| `{fault}` |"))
    return row.strip("|").split("|")[heads.index(kind)].strip().replace(" ", "_")


def _run(pair: tuple[Request, str]) -> tuple[tuple[str, str], Cell]:
    request, fault = pair
    return (request.kind, fault), cell_of(request, fault)


def run_all(pairs: Iterable[tuple[Request, str]]) -> dict[tuple[str, str], Cell]:
    """Run cells, two at a time."""
    with ProcessPoolExecutor(2) as pool:
        return dict(pool.map(_run, pairs))


def main() -> int:
    """Run every cell, say what each ended in, and write the page's table."""
    cells = run_all((request, fault) for fault in KINDS for request in REQUESTS)
    for (kind, fault), cell in cells.items():
        sys.stdout.write(f"{fault:13} {kind:19} {cell.ends:16} {cell.message}\n")
        if cell.untrue:
            sys.stdout.write(f"    NOT TRUE: {cell.untrue}\n")
    page = PAGE.read_text()
    head, tail = page.split(BEGIN)[0], page.split(END)[1]
    PAGE.write_text(head + BEGIN + table(cells) + END + tail)
    return 1 if any(cell.untrue for cell in cells.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
