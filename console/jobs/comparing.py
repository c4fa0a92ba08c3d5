"""Writes the comparisons of a run once it is over."""

from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from console.fleet.enums import WorkState
from console.jobs.comparison import CellComparison, compare_run, figures_plain
from console.jobs.models import Comparison, JobRun
from console.jobs.sentences import comparison_sentence, headline
from console.jobs.workloads.registry import workload_get

COMPARED_STATES = (WorkState.SUCCEEDED, WorkState.FAILED, WorkState.ERRORED, WorkState.CANCELLED)
"""Also what a run measured before it ended badly is compared; its state is shown beside it."""

log = structlog.get_logger(__name__)


@transaction.atomic
def run_compare(*, run_id: UUID) -> int:
    """Compute the comparisons of an ended run anew; return how many there are.

    Idempotent: it replaces what was there. A run that is not over, or gone, is left alone.
    """
    runs = JobRun.objects.select_for_update(of=("self",)).select_related("job", "host")
    run = runs.filter(pk=run_id, state__in=COMPARED_STATES).first()
    if run is None:
        return 0
    workload = workload_get(run.job.workload)
    samples = list(run.samples.all())
    cells = compare_run(workload, run.job.parameters, run.result, samples)
    is_simulated = run.host.is_simulated
    run.comparisons.all().delete()
    Comparison.objects.bulk_create(
        _row(run, position, cell, is_simulated) for position, cell in enumerate(cells)
    )
    now = timezone.now()
    sentence = headline(cells, is_simulated=is_simulated)
    JobRun.objects.filter(pk=run.pk).update(sentence=sentence, compared_at=now, updated_at=now)
    run.announce(now)
    log.info("run.compared", run=str(run.pk), cells=len(cells), samples=len(samples))
    return len(cells)


def _row(run: JobRun, position: int, cell: CellComparison, is_simulated: bool) -> Comparison:
    paired, info = cell.paired, cell.info
    return Comparison(
        run=run,
        position=position,
        cell=info.cell,
        algorithm=info.algorithm[:60],
        input_bytes=info.input_bytes,
        operation=info.operation[:20],
        metric=cell.metric,
        unit=cell.unit,
        baseline=cell.baseline_name,
        variant=cell.variant_name,
        pairs=paired.pairs,
        ratio=paired.ratio,
        low=paired.low,
        high=paired.high,
        p_value=paired.p_value,
        detectable=paired.detectable,
        verdict=cell.verdict,
        sentence=comparison_sentence(cell, is_simulated=is_simulated),
        baseline_figures=figures_plain(cell.baseline),
        variant_figures=figures_plain(cell.variant),
        cpu_change_percent=cell.cpu_change_percent,
        is_negative_control=info.is_negative_control,
    )
