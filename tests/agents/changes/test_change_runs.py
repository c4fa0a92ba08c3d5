"""The daemon and a change's process: planned, applied, killed, adopted, recovered, given up."""

import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.wire.changes import ApplyResult, ApplyState, ChangeRequest
from agents.wire.codec import from_plain
from agents.wire.names import Lane, WorkKind
from agents.wire.work import Report, WorkOrder
from agents.worker.changes import MAX_LIVES, ChangeRun, carry_out_plan
from agents.worker.core import Core
from agents.worker.lanes import Carrier, LaneWorker
from agents.worker.runs import was_started
from tests.agents.conftest import MakeCore
from tests.agents.support.change_engine import Engine
from tests.agents.support.console_stub import ConsoleStub
from tests.agents.support.daemons import DaemonProcess, enrolled, wait_until
from tests.agents.support.small_host import BASE, GOAL, KIND, SmallHost

WANTED = {"unit/a": "1", "unit/b": "1", "file": "new\n"}
KILLS = [
    ("child.json", 0),
    ("journal planned", 0),
    ("journal act", 0),
    ("tool runs", 1),
    ("journal done", 1),
    ("journal done", 2),
    ("journal result", 0),
    ("event finished", 0),
]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallHost:
    host = SmallHost(tmp_path / "host")
    monkeypatch.setenv("SMALL_HOST", str(host.place))
    return host


@pytest.fixture
def core(make_core: MakeCore, tmp_path: Path) -> Core:
    """A core whose configuration its children can read, and which takes the small host's kind."""
    path = tmp_path / "state.toml"
    path.write_text(f'state_dir = "{tmp_path}/state"\n[agent]\nallow = ["small.set"]\n')
    core = make_core(allow=("small.set",))
    core.config = replace(core.config, path=path)
    return core


def apply_parameters(host: SmallHost, place: Path) -> dict[str, Any]:
    request = ChangeRequest(kind=KIND, parameters=WANTED)
    return Engine.prepare(place, host.driver(), request).parameters


def carried_out(core: Core, order: WorkOrder) -> list[Report]:
    held = core.hold(order)
    core.journal.claimed(order.nonce, order)
    assert ChangeRun(core, held).carry_out(None, 0.0)
    core.release(held)
    return core.outbox.batch(1000)


def apply_order(host: SmallHost, place: Path) -> WorkOrder:
    return WorkOrder(
        work_id="w1", kind="change.apply", lane="work", nonce="0123abcd",
        parameters=apply_parameters(host, place / "planned"),
    )  # fmt: skip


def result_of(report: Report) -> ApplyResult:
    return from_plain(report.result, ApplyResult)


def test_a_plan_comes_back_and_nothing_is_touched(core: Core, host: SmallHost) -> None:
    parameters = {"kind": KIND, "parameters": WANTED}
    order = WorkOrder(
        work_id="w1", kind="change.plan", lane="quick", nonce="77", parameters=parameters
    )
    reports = carried_out(core, order)
    assert [report.kind for report in reports] == ["started", "finished"]
    assert reports[-1].outcome == "succeeded"
    assert len(reports[-1].result["plan"]["phases"][0]["steps"]) == 3
    assert host.parts() == BASE


def test_a_refusal_is_failed_with_code_and_sentence(core: Core, host: SmallHost) -> None:
    parameters = {"kind": "disk.format", "parameters": {}}
    order = WorkOrder(
        work_id="w1", kind="change.plan", lane="quick", nonce="77", parameters=parameters
    )
    end = carried_out(core, order)[-1]
    assert end.outcome == "failed"
    assert end.result["refusal"]["code"] == "kind.unknown"


def test_applying_reports_progress_output_by_step_and_the_result(
    core: Core, host: SmallHost, tmp_path: Path
) -> None:
    reports = carried_out(core, apply_order(host, tmp_path))
    assert result_of(reports[-1]).state == ApplyState.SUCCEEDED
    assert host.parts() == GOAL
    said = {(r.step, r.text.split()[0]) for r in reports if r.kind == "output"}
    assert said == {(0, "setting"), (1, "setting"), (0, "a"), (1, "b")} & said
    states = [r.progress["state"] for r in reports if r.kind == "progress"]
    assert (states[0], states[-1]) == ("running", "verifying")


@pytest.mark.parametrize("point", KILLS)
def test_a_process_that_dies_is_begun_again_and_recovers(
    core: Core, host: SmallHost, tmp_path: Path, point: tuple[str, int]
) -> None:
    (host.place / "kill").write_text(json.dumps(point))
    reports = carried_out(core, apply_order(host, tmp_path))
    state = result_of(reports[-1]).state
    expected = {ApplyState.SUCCEEDED: GOAL, ApplyState.ROLLED_BACK: BASE, ApplyState.FAILED: BASE}
    assert host.parts() == expected[ApplyState(state)]
    assert [report.kind for report in reports].count("finished") == 1


def test_one_that_always_dies_is_given_up_with_what_its_journal_holds(
    core: Core, host: SmallHost, tmp_path: Path
) -> None:
    (host.place / "kill").write_text(json.dumps(["tool runs", 0]))
    (host.place / "kill_all").write_text(json.dumps(["child.json", 0]))
    end = carried_out(core, apply_order(host, tmp_path))[-1]
    assert f"ended {MAX_LIVES} times" in end.message
    assert result_of(end).state == ApplyState.NEEDS_ATTENTION
    assert result_of(end).to_type == [f"{host.place}/tool set a 2"]


def test_a_wish_to_stop_undoes_what_was_done(core: Core, host: SmallHost, tmp_path: Path) -> None:
    host.fault("b", "1", "slow")
    order = apply_order(host, tmp_path)
    held = core.hold(order)
    held.stop("Cancelled on request.")
    core.journal.claimed(order.nonce, order)
    assert ChangeRun(core, held).carry_out(None, 0.0)
    assert core.outbox.batch(1000)[-1].outcome == "cancelled"
    assert host.parts() == BASE


def test_what_the_hosts_admin_does_not_allow_is_refused_before_any_step(
    core: Core, host: SmallHost, tmp_path: Path
) -> None:
    path = tmp_path / "state.toml"
    path.write_text(path.read_text().replace("small.set", "unit.*"))
    end = carried_out(core, apply_order(host, tmp_path))[-1]
    assert result_of(end).state == ApplyState.FAILED
    assert "own admin does not allow small.set" in end.message
    assert host.parts() == BASE


def test_planning_is_carried_out_where_nothing_is_allowed(
    make_core: MakeCore, stub: ConsoleStub, host: SmallHost
) -> None:
    core = make_core(allow=())
    order = stub.order(lane="quick", kind="change.plan")
    carriers: dict[str, Carrier] = {WorkKind.CHANGE_PLAN: carry_out_plan}
    LaneWorker(core, Lane.QUICK, carriers, was_started).claim_on()
    end = core.outbox.batch(1000)[-1]
    assert end.work_id == order.work_id
    assert end.result["refusal"]["code"] == "kind.unknown"


def due_apply(stub: ConsoleStub, host: SmallHost, tmp_path: Path) -> WorkOrder:
    order = apply_order(host, tmp_path)
    with stub.lock:
        stub.due.append(order)
    config = f'state_dir = "{tmp_path}/state"\n[agent]\nallow = ["small.set"]\n'
    (tmp_path / "state.toml").write_text(config)
    return order


def child_of(state_dir: Path) -> int:

    (path,) = (state_dir / "runs").glob("*/child.json")
    return int(json.loads(path.read_text())["pid"])


@pytest.mark.parametrize("victims", ["daemon", "both"])
@pytest.mark.parametrize("mark", ["planned", "child", "ended", "undoing", "undo_child"])
def test_a_daemon_killed_in_the_middle_comes_back_to_a_declared_end(
    stub: ConsoleStub, host: SmallHost, tmp_path: Path, mark: str, victims: str
) -> None:
    host.fault("a", "1", "slow")
    host.fault("b", "1", "half")
    order = due_apply(stub, host, tmp_path)
    enrolled(tmp_path / "state", stub.url)
    first = DaemonProcess(tmp_path / "state")
    wait_until(lambda: f'"mark":"{mark}"' in journal_text(tmp_path / "state"))
    if victims == "both":
        os.kill(child_of(tmp_path / "state"), signal.SIGKILL)
    first.kill()
    second = DaemonProcess(tmp_path / "state")
    wait_until(lambda: stub.reports_of(order.work_id, "finished"))
    second.terminate()
    (end,) = stub.reports_of(order.work_id, "finished")
    assert result_of(end).state in (ApplyState.ROLLED_BACK, ApplyState.FAILED)
    assert host.parts() == BASE == result_of(end).parts


def journal_text(state_dir: Path) -> str:
    time.sleep(0.005)
    return "".join(path.read_text() for path in state_dir.glob("runs/*/steps.jsonl"))
