"""Verdicts in a sentence, for people. Pure."""

import math
from collections.abc import Callable, Sequence

from console.jobs.comparison import CellComparison
from console.jobs.enums import Verdict
from console.jobs.statistics import EQUIVALENCE_RATIO, MIN_PAIRS, MOST_PAIRS

_UNEXPECTED = (
    " What was switched off cannot touch it, so the difference comes from elsewhere: trust the"
    " other figures of this run less."
)


def comparison_sentence(comparison: CellComparison, *, is_simulated: bool) -> str:
    """Return what one cell shows, such as `AES-128-CBC at 8 KiB: 5.4 × faster with …`."""
    label = "Simulated host. " if is_simulated else ""
    role = "Negative control " if comparison.info.is_negative_control else ""
    said = _SENTENCES[comparison.verdict](comparison)
    is_odd = comparison.verdict in {Verdict.FASTER, Verdict.SLOWER} and role
    return f"{label}{role}{comparison.info.title}: {said}.{_UNEXPECTED if is_odd else ''}"


def headline(comparisons: Sequence[CellComparison], *, is_simulated: bool) -> str:
    """Return the sentence of the cell that shows most: the largest difference, else the first."""
    cells = [c for c in comparisons if not c.info.is_negative_control] or list(comparisons)
    if not cells:
        return ""
    return comparison_sentence(max(cells, key=_strength), is_simulated=is_simulated)


def _strength(comparison: CellComparison) -> float:
    if comparison.verdict not in {Verdict.FASTER, Verdict.SLOWER} or not comparison.paired.ratio:
        return 0.0
    return abs(math.log(comparison.paired.ratio))


def _faster(comparison: CellComparison) -> str:
    means = f"with the CPU's instructions ({comparison.info.without})"
    return f"{_ratio(comparison)} × faster {means}, {_interval(comparison)}{_cpu(comparison)}"


def _slower(comparison: CellComparison) -> str:
    return (
        f"acceleration loses here, {_ratio(comparison)} × the speed of software, "
        f"{_interval(comparison)}{_cpu(comparison)}"
    )


def _equivalent(comparison: CellComparison) -> str:
    percent = round((EQUIVALENCE_RATIO - 1) * 100)
    return (
        f"equivalent with and without the CPU's instructions ({comparison.info.without}), within "
        f"{percent} % (ratio {_ratio(comparison)}, {_interval(comparison)})"
    )


def _no_difference(comparison: CellComparison) -> str:
    return (
        f"no difference shown (ratio {_ratio(comparison)}, {_interval(comparison)}, ± "
        f"{_percent(comparison.paired.half_width)}); {comparison.paired.pairs} pairs could have "
        f"found {_percent(comparison.paired.detectable)}"
    )


def _too_few(comparison: CellComparison) -> str:
    pairs = comparison.paired.pairs
    noun = "pair" if pairs == 1 else "pairs"
    return f"too few rounds for a verdict, {pairs} usable {noun} where {MIN_PAIRS} are needed"


def _too_noisy(comparison: CellComparison) -> str:
    return (
        f"this host is too noisy for a verdict (ratio {_ratio(comparison)}, "
        f"{_interval(comparison)}); even {MOST_PAIRS} pairs would leave ± "
        f"{_percent(comparison.paired.best_half_width)}"
    )


_SENTENCES: dict[Verdict, Callable[[CellComparison], str]] = {
    Verdict.FASTER: _faster,
    Verdict.SLOWER: _slower,
    Verdict.EQUIVALENT: _equivalent,
    Verdict.NO_DIFFERENCE_SHOWN: _no_difference,
    Verdict.TOO_FEW_ROUNDS: _too_few,
    Verdict.HOST_TOO_NOISY: _too_noisy,
}


def _ratio(comparison: CellComparison) -> str:
    return f"{comparison.paired.ratio or 0:.{_decimals(comparison)}f}"


def _interval(comparison: CellComparison) -> str:
    low, high = comparison.paired.low or 0, comparison.paired.high or 0
    places = _decimals(comparison)
    return f"95 % interval {low:.{places}f}–{high:.{places}f}"


def _decimals(comparison: CellComparison) -> int:
    """Return how many places tell the ends of the interval apart: one to three."""
    low, high = comparison.paired.low or 0, comparison.paired.high or 0
    least = 1 if low >= 2 else 2
    return next((places for places in (1, 2) if places >= least and _differ(low, high, places)), 3)


def _differ(low: float, high: float, places: int) -> bool:
    return f"{low:.{places}f}" != f"{high:.{places}f}"


def _cpu(comparison: CellComparison) -> str:
    change = comparison.cpu_change_percent
    if change is None:
        return ""
    if abs(change) < 1:
        return f", CPU per {comparison.cpu_unit} unchanged"
    direction = "down" if change < 0 else "up"
    return f", CPU per {comparison.cpu_unit} {direction} {abs(change):.0f} %"


def _percent(share: float | None) -> str:
    """Return `6 %`, `0.6 %`; a share of None is `any amount`: nothing was measured."""
    if share is None:
        return "any amount"
    percent = share * 100
    return f"{percent:.1f} %" if percent < 1 else f"{percent:.0f} %"
