"""From the samples of one run to its comparisons: one per cell, with figures. Pure."""

import statistics as figures_of
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from console.jobs.enums import Verdict
from console.jobs.statistics import PairedResult, compare_pairs, verdicts
from console.jobs.workloads.base import CatalogueWorkload, CellInfo

_BYTES_PER_MB = 1_000_000
_CPU_STATES = ("user", "system", "idle", "iowait", "steal")


class Measured(Protocol):
    """What is needed of a sample; console.jobs.models.Sample has it."""

    cell: str
    variant: str
    round: int
    position: int
    metric: str
    unit: str
    value: float
    operations: int | None
    bytes: int | None
    user_seconds: float
    system_seconds: float
    wall_seconds: float
    host_cpu: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One variant of one cell. `median` … are in the metric's unit.

    `cpu_seconds_per_unit`: user and system seconds of the measured processes per `cpu_unit`
    (`MB`, 10^6 bytes, or `operation`). `host_cpu`: mean fractions of all the host's CPUs.
    """

    samples: int
    median: float
    mean: float
    min: float
    max: float
    cpu_seconds_per_unit: float | None
    cpu_unit: str
    host_cpu: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellComparison:
    """All that is known of one cell. Figures are None where a variant has no sample."""

    info: CellInfo
    metric: str
    unit: str
    paired: PairedResult
    verdict: Verdict
    baseline_name: str
    variant_name: str
    baseline: Figures | None
    variant: Figures | None

    @property
    def cpu_change_percent(self) -> float | None:
        """CPU time per unit of work, variant against baseline: -81.0 is 81 % less."""
        if self.baseline is None or self.variant is None:
            return None
        before, after = self.baseline.cpu_seconds_per_unit, self.variant.cpu_seconds_per_unit
        if not before or after is None:
            return None
        return (after / before - 1) * 100

    @property
    def cpu_unit(self) -> str:
        """What CPU time is counted per: `MB` or `operation`."""
        return self.baseline.cpu_unit if self.baseline else "operation"


def compare_run(
    workload: CatalogueWorkload,
    parameters: Mapping[str, Any],
    result: Mapping[str, Any],
    samples: Iterable[Measured],
) -> list[CellComparison]:
    """Compare variant with baseline in every cell, cells in the order of their first sample.

    All cells of the run are judged together (Holm). Only rounds that have both variants count.
    """
    cells: dict[str, list[Measured]] = {}
    for sample in sorted(samples, key=lambda sample: sample.position):
        cells.setdefault(sample.cell, []).append(sample)
    infos = [workload.cell_info(cell, parameters, result) for cell in cells]
    paired = [_paired(workload, measured) for measured in cells.values()]
    parts = zip(infos, cells.values(), paired, verdicts(paired), strict=True)
    return [_comparison(workload, *part) for part in parts]


def _paired(workload: CatalogueWorkload, samples: Sequence[Measured]) -> PairedResult:
    by_variant = {
        name: {sample.round: sample.value for sample in samples if sample.variant == name}
        for name in (workload.baseline.name, workload.contender.name)
    }
    baseline, variant = by_variant.values()
    rounds = sorted(baseline.keys() & variant.keys())
    return compare_pairs([(baseline[number], variant[number]) for number in rounds])


def _comparison(
    workload: CatalogueWorkload,
    info: CellInfo,
    samples: Sequence[Measured],
    paired: PairedResult,
    verdict: Verdict,
) -> CellComparison:
    return CellComparison(
        info=info,
        metric=samples[0].metric,
        unit=samples[0].unit,
        paired=paired,
        verdict=verdict,
        baseline_name=workload.baseline.name,
        variant_name=workload.contender.name,
        baseline=_figures([s for s in samples if s.variant == workload.baseline.name]),
        variant=_figures([s for s in samples if s.variant == workload.contender.name]),
    )


def _figures(samples: Sequence[Measured]) -> Figures | None:
    if not samples:
        return None
    values = [sample.value for sample in samples]
    cpu, unit = _cpu_per_unit(samples)
    return Figures(
        samples=len(values),
        median=figures_of.median(values),
        mean=figures_of.fmean(values),
        min=min(values),
        max=max(values),
        cpu_seconds_per_unit=cpu,
        cpu_unit=unit,
        host_cpu={state: _mean_share(samples, state) for state in _CPU_STATES},
    )


def _cpu_per_unit(samples: Sequence[Measured]) -> tuple[float | None, str]:
    """Return CPU seconds per MB or operation; None where nothing was counted."""
    seconds = sum(sample.user_seconds + sample.system_seconds for sample in samples)
    if all(sample.bytes is not None for sample in samples):
        done, unit = sum(sample.bytes or 0 for sample in samples) / _BYTES_PER_MB, "MB"
    else:
        done, unit = float(sum(sample.operations or 0 for sample in samples)), "operation"
    return (seconds / done if done > 0 and seconds > 0 else None), unit


def _mean_share(samples: Sequence[Measured], state: str) -> float:
    shares = [float((sample.host_cpu or {}).get(state) or 0.0) for sample in samples]
    return round(figures_of.fmean(shares), 4)


def figures_plain(figures: Figures | None) -> dict[str, Any]:
    """Return figures as JSON; empty where there are none."""
    return asdict(figures) if figures else {}
