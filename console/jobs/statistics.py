"""Paired comparison of two variants: ratio, intervals, Holm, verdict. Pure; standard library only.

Method. For each pair d = ln(variant / baseline); the ratio is exp(mean d), its intervals come from
Student's t with n - 1 degrees of freedom. 95 % is shown. *Faster* or *slower* needs the 99 %
interval to exclude 1, stepwise by Holm over the family of cells that are judged together (those of
one run). *Equivalent* needs the 90 % interval within [1/1.03, 1.03] (two one-sided tests at 5 %).
Everything else is *no difference shown*. The number of pairs is fixed before the run and never
grows because of what was seen.

What of the method does not apply to `openssl speed`: it tells one mean per second or more, so there
are no 50 ms windows whose 75th percentile could be scored, and stalls of the machine stay in the
figures. With such means, 30 pairs on a 2-core virtual machine find a difference of 6 % in 91 of
100 runs and one of 3 % in 12. Large ratios need few pairs, hence the floor of five; what this many
pairs could have found (90 % power at the 99 % level) is told with every verdict. Since a run is
not extended afterwards, *host too noisy* is predicted: it is said where the spread between pairs is
such that even 80 of them, the most that the method asks for, would leave a half-width above 3 %.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from console.jobs.enums import Verdict
from console.jobs.student import t_quantile, t_two_sided_p

SHOWN_LEVEL = 0.95
VERDICT_ALPHA = 0.01
EQUIVALENCE_LEVEL = 0.90
EQUIVALENCE_RATIO = 1.03
POWER = 0.90
MIN_PAIRS = 5
MOST_PAIRS = 80
_LARGEST = 700.0
PAIRS_FOR_NOISE = 10
"""Below this the spread itself is too uncertain to blame the host for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedResult:
    """Paired figures in numbers. `half_width` and `detectable` are relative: 0.06 is 6 %.

    With fewer than two pairs, or figures that are not positive, everything but `pairs` is None.
    """

    pairs: int
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    equivalence_low: float | None = None
    equivalence_high: float | None = None
    p_value: float | None = None
    half_width: float | None = None
    detectable: float | None = None
    best_half_width: float | None = None
    """Half-width of the 99 % interval that MOST_PAIRS pairs of this spread would leave."""


def compare_pairs(pairs: Sequence[tuple[float, float]]) -> PairedResult:
    """Compare (baseline, variant) pairs of positive figures where more is better."""
    if len(pairs) < 2 or any(min(pair) <= 0 or not math.isfinite(sum(pair)) for pair in pairs):
        return PairedResult(pairs=len(pairs))
    logs = [math.log(variant / baseline) for baseline, variant in pairs]
    n = len(logs)
    mean = math.fsum(logs) / n
    deviation = math.sqrt(math.fsum((d - mean) ** 2 for d in logs) / (n - 1))
    error = deviation / math.sqrt(n)
    shown = _quantile(SHOWN_LEVEL, n) * error
    narrow = _quantile(EQUIVALENCE_LEVEL, n) * error
    found = (_quantile(1 - VERDICT_ALPHA, n) + t_quantile(POWER, n - 1)) * error
    best = _quantile(1 - VERDICT_ALPHA, MOST_PAIRS) * deviation / math.sqrt(MOST_PAIRS)
    return PairedResult(
        pairs=n,
        ratio=_exp(mean),
        low=_exp(mean - shown),
        high=_exp(mean + shown),
        equivalence_low=_exp(mean - narrow),
        equivalence_high=_exp(mean + narrow),
        p_value=_p_value(mean, error, n),
        half_width=_exp(shown) - 1,
        detectable=_exp(found) - 1,
        best_half_width=_exp(best) - 1,
    )


def _exp(value: float) -> float:
    """Return e to `value`, as far as a float reaches."""
    return math.exp(min(value, _LARGEST))


def _quantile(level: float, pairs: int) -> float:
    """Return the factor of the standard error for a two-sided interval."""
    return t_quantile(0.5 + level / 2, pairs - 1)


def _p_value(mean: float, error: float, pairs: int) -> float:
    if error == 0:
        return 1.0 if mean == 0 else 0.0
    return t_two_sided_p(mean / error, pairs - 1)


def holm_rejects(p_values: Sequence[float], alpha: float = VERDICT_ALPHA) -> list[bool]:
    """Return which null hypotheses Holm's step-down procedure rejects at family level `alpha`.

    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6 (1979).
    """
    rejects = [False] * len(p_values)
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    for rank, index in enumerate(order):
        if p_values[index] > alpha / (len(p_values) - rank):
            break
        rejects[index] = True
    return rejects


def verdicts(results: Sequence[PairedResult]) -> list[Verdict]:
    """Return the verdict on each of the cells that are judged together."""
    judged = [r for r in results if r.pairs >= MIN_PAIRS and r.p_value is not None]
    rejected = holm_rejects([r.p_value for r in judged if r.p_value is not None])
    differs = {id(result) for result, yes in zip(judged, rejected, strict=True) if yes}
    return [_verdict(result, differs=id(result) in differs) for result in results]


def _verdict(result: PairedResult, *, differs: bool) -> Verdict:
    if result.pairs < MIN_PAIRS or result.ratio is None:
        return Verdict.TOO_FEW_ROUNDS
    if differs:
        return Verdict.FASTER if result.ratio > 1 else Verdict.SLOWER
    if is_equivalent(result):
        return Verdict.EQUIVALENT
    if result.pairs >= PAIRS_FOR_NOISE and (result.best_half_width or 0) > EQUIVALENCE_RATIO - 1:
        return Verdict.HOST_TOO_NOISY
    return Verdict.NO_DIFFERENCE_SHOWN


def is_equivalent(result: PairedResult) -> bool:
    """Return whether the 90 % interval lies within a factor of 1.03 of 1."""
    low, high = result.equivalence_low, result.equivalence_high
    if low is None or high is None:
        return False
    return low >= 1 / EQUIVALENCE_RATIO and high <= EQUIVALENCE_RATIO
