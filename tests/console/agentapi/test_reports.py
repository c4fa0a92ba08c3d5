"""Reports of agents: replayed, doubled, out of order, late, of strangers, unsound."""

import math
from datetime import timedelta
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.wire.work import Report, ReportKind
from console.fleet.enums import WorkState
from console.fleet.models import Host
from console.fleet.work import work_cancel, work_reap
from console.jobs.models import JobRun, OutputChunk, Sample
from tests.console.base import ConsoleTestCase
from tests.console.jobs.cast import FakeAgent, job_made
from tests.console.jobs.samples import sample_data
from tests.support.hosts import host_enrolled


class ReportsTestCase(ConsoleTestCase):
    """An agent of alpha that has begun a run."""

    def setUp(self) -> None:
        """Begin it."""
        self.alpha = host_enrolled("alpha").row
        self.agent = FakeAgent(self.alpha)
        job_made(self.alpha)
        self.order = self.agent.begin()

    def run_now(self) -> JobRun:
        """The run as it now is."""
        return JobRun.objects.get(pk=self.order.work_id)

    def pair(self, round_number: int = 0) -> list[Report]:
        """Two samples that make a pair."""
        made = [
            sample_data(variant=variant, round=round_number, value=value, position=position)
            for position, (variant, value) in enumerate(
                (("software", 2e8), ("accelerated", 1e9)), 2 * round_number
            )
        ]
        return self.agent.samples(self.order, made)

    def output(self, chunk: int, text: str = "line\n", **fields: Any) -> Report:
        """A piece of output."""
        return self.agent.report(self.order, ReportKind.OUTPUT, chunk=chunk, text=text, **fields)

    def finished(self, outcome: str = "succeeded", **fields: Any) -> Report:
        """The end."""
        return self.agent.finished(self.order, outcome, **fields)

    def silence(self) -> None:
        """Let the lease run out, and reap."""
        later = timezone.now() + timedelta(seconds=settings.WORK_LEASE_SECONDS + 1)
        with patch("console.fleet.work.timezone.now", return_value=later):
            work_reap()


class OrderTests(ReportsTestCase):
    """What comes twice, late or in the wrong order."""

    def test_a_whole_run_ends_in_its_true_state_with_all_its_data(self) -> None:
        result = {"openssl": {"version": "3.0.17"}}
        reply = self.agent.send(*self.pair(), self.output(0), self.finished(result=result))
        run = self.run_now()
        assert (run.state, run.result) == (WorkState.SUCCEEDED, result)
        assert (run.samples.count(), run.output_chunks.count()) == (2, 1)
        assert reply.acknowledged_seq == self.agent.sent[-1].seq

    def test_a_replay_of_everything_changes_nothing(self) -> None:
        self.agent.send(*self.pair(), self.output(0), self.finished())
        before = JobRun.objects.values().get()
        reply = self.agent.send(*self.agent.sent)
        after = JobRun.objects.values().get()
        assert {key for key in before if before[key] != after[key]} <= {"updated_at"}
        assert (Sample.objects.count(), OutputChunk.objects.count()) == (2, 1)
        assert reply.acknowledged_seq == max(report.seq for report in self.agent.sent)

    def test_the_same_report_twice_in_a_batch_counts_once(self) -> None:
        pair, chunk = self.pair(), self.output(0)
        self.agent.send(*pair, *pair, chunk, chunk)
        assert (Sample.objects.count(), OutputChunk.objects.count()) == (2, 1)

    def test_a_batch_that_comes_after_a_later_one_loses_nothing(self) -> None:
        first, second = self.pair(0), self.pair(1)
        high = self.agent.send(*second).acknowledged_seq
        assert self.agent.send(*first).acknowledged_seq == high
        assert Sample.objects.count() == 4

    def test_samples_after_the_end_are_kept_and_do_not_reopen_the_run(self) -> None:
        late = self.pair()
        self.agent.send(self.finished())
        self.agent.send(*late)
        assert (self.run_now().state, Sample.objects.count()) == (WorkState.SUCCEEDED, 2)

    def test_the_first_final_state_stands(self) -> None:
        self.agent.send(self.finished("failed", message="no"))
        self.agent.send(self.finished("succeeded"))
        assert (self.run_now().state, self.run_now().message) == (WorkState.FAILED, "no")

    def test_progress_never_moves_back(self) -> None:
        old = self.agent.report(self.order, ReportKind.PROGRESS, progress={"done": 1, "total": 4})
        new = self.agent.report(self.order, ReportKind.PROGRESS, progress={"done": 2, "total": 4})
        self.agent.send(new)
        self.agent.send(old)
        assert self.run_now().progress == {"done": 2, "total": 4}

    def test_numbers_that_began_anew_are_taken_all_the_same(self) -> None:
        Host.objects.filter(pk=self.alpha.pk).update(acknowledged_seq=10_000)
        reply = self.agent.send(*self.pair())
        assert (Sample.objects.count(), reply.acknowledged_seq) == (2, 10_000)

    def test_data_without_a_start_report_start_the_run(self) -> None:
        self.agent.send(self.finished())
        job_made(self.alpha)
        self.order = self.agent.must_claim()
        self.agent.send(*self.pair())
        assert self.run_now().state == WorkState.RUNNING
        assert self.run_now().started_at is not None


class LateTests(ReportsTestCase):
    """Contact lost, and what comes afterwards."""

    def test_a_late_end_sets_the_true_state_and_opens_the_lane(self) -> None:
        self.silence()
        assert self.run_now().state == WorkState.LOST
        self.agent.send(*self.pair(), self.finished())
        assert self.run_now().state == WorkState.SUCCEEDED
        assert Host.objects.get(pk=self.alpha.pk).work_lane_closed_at is None

    def test_a_late_sample_brings_the_run_back(self) -> None:
        self.silence()
        self.agent.send(*self.pair())
        run = self.run_now()
        assert (run.state, run.message) == (WorkState.RUNNING, "")
        assert run.lease_expires_at is not None

    def test_every_final_state_may_follow_lost(self) -> None:
        for outcome in ("failed", "errored", "cancelled"):
            self.silence()
            self.agent.send(self.finished(outcome))
            assert self.run_now().state == outcome
            job_made(self.alpha)
            self.order = self.agent.begin()

    def test_reports_renew_the_lease(self) -> None:
        JobRun.objects.update(lease_expires_at=timezone.now())
        self.agent.send(self.output(0))
        lease = self.run_now().lease_expires_at
        assert lease is not None
        assert lease > timezone.now() + timedelta(seconds=settings.WORK_LEASE_SECONDS - 5)


class StrangerTests(ReportsTestCase):
    """What does not belong here is acknowledged and dropped."""

    def test_another_nonce_changes_nothing(self) -> None:
        strange = self.agent.finished(self.order, nonce="f" * 32)
        reply = self.agent.send(strange)
        assert self.run_now().state == WorkState.RUNNING
        assert reply.acknowledged_seq == strange.seq

    def test_a_queued_run_takes_no_reports(self) -> None:
        job_made(self.alpha)
        queued = JobRun.objects.get(state=WorkState.QUEUED)
        report = Report(seq=99, kind="finished", work_id=str(queued.pk), nonce="", at="")
        self.agent.send(report)
        queued.refresh_from_db()
        assert queued.state == WorkState.QUEUED

    def test_another_host_cannot_speak_of_it(self) -> None:
        stranger = FakeAgent(host_enrolled("beta").row)
        stranger.send(stranger.finished(self.order))
        assert self.run_now().state == WorkState.RUNNING

    def test_unknown_work_and_no_ids_at_all_are_passed_over(self) -> None:
        for work_id in ("not an id", "00000000-0000-7000-8000-000000000000"):
            report = Report(seq=50, kind="started", work_id=work_id, nonce="n", at="")
            assert self.agent.send(report).acknowledged_seq == 50

    def test_an_unknown_outcome_counts_as_errored_and_is_named(self) -> None:
        self.agent.send(self.finished("evaporated", message="Hm."))
        run = self.run_now()
        assert run.state == WorkState.ERRORED
        assert run.message == "The agent reported an unknown outcome (evaporated). Hm."

    def test_an_unknown_kind_of_report_is_passed_over(self) -> None:
        strange = self.finished()
        report = Report(
            seq=77, kind="dreamt", work_id=strange.work_id, nonce=self.order.nonce, at=""
        )
        assert self.agent.send(report).acknowledged_seq == 77
        assert self.run_now().state == WorkState.RUNNING


class UnsoundTests(ReportsTestCase):
    """Values that a database refuses must not stop the rest."""

    def test_figures_that_no_machine_measures_are_left_out(self) -> None:
        bad = sample_data(variant="software", round=0, value=1.0, position=0)
        for value in (math.inf, math.nan, -1.0, 1e300, 1e-300):
            object.__setattr__(bad, "value", value)
            self.agent.send(*self.agent.samples(self.order, [bad]), *self.pair())
        assert Sample.objects.count() == 2

    def test_text_with_nul_and_lone_surrogates_is_stored_readable(self) -> None:
        self.agent.send(self.output(0, "a\0b\ud800c"), self.finished(message="x\0y"))
        assert OutputChunk.objects.get().text == "a\ufffdb\ufffdc"
        assert self.run_now().message == "x\ufffdy"

    def test_times_that_make_no_sense_are_replaced_by_ours(self) -> None:
        self.agent.send(self.output(0, seq=5))
        for at in ("", "yesterday", "9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00"):
            report = Report(
                seq=6,
                kind="started",
                work_id=self.order.work_id,
                nonce=self.order.nonce,
                at=at,
            )
            self.agent.send(report)
        run = self.run_now()
        assert run.started_at is not None
        assert run.claimed_at is not None
        assert run.claimed_at <= run.started_at <= timezone.now()

    def test_output_beyond_the_limit_is_cut_and_says_so(self) -> None:
        with patch("console.jobs.run_reports.MAX_OUTPUT_BYTES", 10):
            self.agent.send(self.output(0, "12345"), self.output(1, "67890"), self.output(2, "x"))
            self.agent.send(self.output(3, "y"))
        chunks = list(OutputChunk.objects.values_list("text", flat=True))
        assert len(chunks) == 2
        assert chunks[1].startswith("67890\n[output beyond")

    def test_chunk_numbers_out_of_range_are_left_out(self) -> None:
        self.agent.send(self.output(-1), self.output(2**40), self.output(3))
        assert [chunk.chunk for chunk in OutputChunk.objects.all()] == [3]


class ReplyTests(ReportsTestCase):
    """What the agent is told, and what it costs."""

    def test_the_reply_names_what_should_stop(self) -> None:
        assert self.agent.send(self.output(0)).cancel == []
        work_cancel(rows=JobRun.objects.all())
        assert self.agent.send(self.output(1)).cancel == [self.order.work_id]
        assert self.agent.send(self.finished("cancelled")).cancel == []

    def test_many_reports_cost_as_many_queries_as_few(self) -> None:
        few = self.queries(1, start=0)
        assert self.queries(200, start=1) == few

    def queries(self, pairs: int, start: int) -> int:
        """Send that many pairs with output and progress; return how many queries it took."""
        batch: list[Report] = []
        for number in range(start, start + pairs):
            batch += [*self.pair(number), self.output(number)]
        batch.append(self.agent.report(self.order, ReportKind.PROGRESS, progress={"done": start}))
        with CaptureQueriesContext(connection) as captured:
            self.agent.send(*batch)
        return len(captured)
