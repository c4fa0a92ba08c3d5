"""Simulated figures never look measured: neither the check nor the job's process measures."""

from dataclasses import replace
from pathlib import Path

from agents.config import Config, LinuxConfig
from agents.daemon import carry_out_job
from agents.executors.job import NOT_MEASURED
from agents.journal import JournalEntry
from agents.wire.work import WorkOrder
from agents.worker.core import Core

ORDER = WorkOrder(
    work_id="w1",
    kind="job.run",
    lane="work",
    nonce="n1",
    deadline_seconds=60,
    parameters={"workload": "test.marker", "parameters": {"samples": 2}},
)


def test_a_job_that_reaches_a_simulated_host_is_refused_by_its_own_process(core: Core) -> None:
    core.config = replace(core.config, simulate="t5120")
    entry = JournalEntry(nonce=ORDER.nonce, lane="work", order=ORDER)
    assert carry_out_job(core, core.hold(ORDER), entry)
    reports = core.outbox.batch()
    assert [report.kind for report in reports] == ["started", "finished"]
    assert (reports[-1].outcome, reports[-1].message) == ("failed", NOT_MEASURED)


def test_stand_ins_and_recorded_trees_count_as_simulated() -> None:
    assert Config(simulate="t5120").is_simulated
    assert Config(linux=LinuxConfig(root=Path("/srv/tree"))).is_simulated
    assert not Config().is_simulated
