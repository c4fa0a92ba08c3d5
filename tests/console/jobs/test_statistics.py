"""The paired comparison: known values, Holm, each verdict, and how often it is wrong."""

import math
import random

import pytest

from console.jobs.enums import Verdict
from console.jobs.statistics import (
    PairedResult,
    compare_pairs,
    holm_rejects,
    verdicts,
)


def pairs_of(logs: list[float], base: float = 200.0) -> list[tuple[float, float]]:
    return [(base, base * math.exp(value)) for value in logs]


def noisy(rng: random.Random, ratio: float, spread: float, number: int) -> PairedResult:
    return compare_pairs(pairs_of([rng.gauss(math.log(ratio), spread) for _ in range(number)]))


def test_ratio_and_interval_are_those_of_the_paired_t_test() -> None:
    # d = 0.1 … 0.5: mean 0.3, s = 0.1581, standard error 0.0707; t(0.975, 4) = 2.7764.
    result = compare_pairs(pairs_of([0.1, 0.2, 0.3, 0.4, 0.5]))
    assert result.ratio == pytest.approx(math.exp(0.3))
    assert result.low == pytest.approx(math.exp(0.3 - 2.77645 * 0.0707107), rel=1e-5)
    assert result.high == pytest.approx(math.exp(0.3 + 2.77645 * 0.0707107), rel=1e-5)
    # t = 4.2426 with 4 degrees of freedom.
    assert result.p_value == pytest.approx(0.013236, rel=1e-3)


def test_the_detectable_difference_is_that_of_90_percent_power_at_the_99_percent_level() -> None:
    result = compare_pairs(pairs_of([0.1, 0.2, 0.3, 0.4, 0.5]))
    assert result.detectable == pytest.approx(math.expm1((4.60409 + 1.53321) * 0.0707107), rel=1e-4)


@pytest.mark.parametrize("pairs", [[], [(1.0, 2.0)], [(0.0, 1.0)] * 6, [(1.0, math.inf)] * 6])
def test_pairs_that_cannot_be_compared_give_no_ratio(pairs: list[tuple[float, float]]) -> None:
    result = compare_pairs(pairs)
    assert (result.pairs, result.ratio, result.p_value) == (len(pairs), None, None)
    assert verdicts([result]) == [Verdict.TOO_FEW_ROUNDS]


def test_holm_steps_down_and_stops_at_the_first_that_holds() -> None:
    # Thresholds at 0.05: 0.0125, 0.0167, 0.025, 0.05. The third smallest stops it.
    assert holm_rejects([0.01, 0.04, 0.03, 0.005], 0.05) == [True, False, False, True]
    assert holm_rejects([], 0.05) == []


def test_holm_rejects_less_than_each_test_alone_would() -> None:
    alone = compare_pairs(pairs_of([0.08, 0.10, 0.12, 0.09, 0.16]))
    assert alone.p_value is not None
    assert 0.001 < alone.p_value < 0.01
    still = compare_pairs(pairs_of([-0.2, 0.2, 0.1, -0.1, 0.01]))
    assert verdicts([alone])[0] is Verdict.FASTER
    assert verdicts([alone, *[still] * 19])[0] is Verdict.NO_DIFFERENCE_SHOWN


def test_faster_and_slower_need_the_interval_to_exclude_one() -> None:
    fast = compare_pairs(pairs_of([1.60, 1.62, 1.61, 1.63, 1.60]))
    slow = compare_pairs(pairs_of([-0.31, -0.30, -0.32, -0.30, -0.31]))
    assert verdicts([fast, slow]) == [Verdict.FASTER, Verdict.SLOWER]


def test_equivalent_needs_a_narrow_interval_around_one() -> None:
    close = compare_pairs(pairs_of([0.004, -0.003, 0.002, -0.004, 0.001, 0.0]))
    assert verdicts([close]) == [Verdict.EQUIVALENT]


def test_identical_figures_are_equivalent() -> None:
    assert verdicts([compare_pairs([(5.0, 5.0)] * 5)]) == [Verdict.EQUIVALENT]


def test_a_constant_ratio_is_certain() -> None:
    assert verdicts([compare_pairs([(2.0, 8.0)] * 5)]) == [Verdict.FASTER]


def test_few_noisy_pairs_show_no_difference() -> None:
    wide = compare_pairs(pairs_of([0.3, -0.3, 0.2, -0.2, 0.05]))
    assert verdicts([wide]) == [Verdict.NO_DIFFERENCE_SHOWN]


def test_a_host_is_too_noisy_when_eighty_pairs_would_not_do() -> None:
    wide = compare_pairs(pairs_of([0.3, -0.3, 0.2, -0.2, 0.05] * 3))
    assert wide.best_half_width is not None
    assert wide.best_half_width > 0.03
    assert verdicts([wide]) == [Verdict.HOST_TOO_NOISY]


def test_a_large_ratio_is_found_on_a_noisy_host() -> None:
    loud = compare_pairs(pairs_of([1.6 + d for d in (0.2, -0.2, 0.1, -0.15, 0.05)]))
    assert verdicts([loud]) == [Verdict.FASTER]


def test_four_pairs_are_too_few_even_for_a_large_ratio() -> None:
    assert verdicts([compare_pairs([(1.0, 5.0 + d) for d in (0, 0.1, 0.2, 0.3)])]) == [
        Verdict.TOO_FEW_ROUNDS
    ]


def test_equal_variants_raise_a_false_alarm_in_about_one_of_a_hundred_runs() -> None:
    rng = random.Random(20260101)
    said = [verdicts([noisy(rng, 1.0, 0.077, 10)])[0] for _ in range(3000)]
    alarms = sum(verdict in {Verdict.FASTER, Verdict.SLOWER} for verdict in said)
    # 1 % of 3000 with four standard deviations of room either way.
    assert 8 <= alarms <= 52


def test_holm_keeps_the_alarm_rate_of_a_whole_run_at_one_of_a_hundred() -> None:
    rng = random.Random(20260102)
    runs = [verdicts([noisy(rng, 1.0, 0.05, 8) for _ in range(8)]) for _ in range(1000)]
    alarms = sum(any(v in {Verdict.FASTER, Verdict.SLOWER} for v in said) for said in runs)
    assert alarms <= 23


def test_the_interval_holds_the_true_ratio_in_95_of_100_runs() -> None:
    rng = random.Random(20260103)
    results = [noisy(rng, 1.2, 0.08, 12) for _ in range(2000)]
    held = sum((r.low or 0) <= 1.2 <= (r.high or 0) for r in results)
    assert held / 2000 == pytest.approx(0.95, abs=0.02)


def test_the_detectable_difference_is_found_nine_times_of_ten() -> None:
    rng = random.Random(20260104)
    # A spread as `openssl speed` shows it on a small virtual machine: 6 % with 30 pairs.
    typical = compare_pairs(pairs_of([0.0774 * x for x in _unit_spread(30)]))
    assert typical.detectable == pytest.approx(0.06, abs=0.003)
    said = [verdicts([noisy(rng, 1.06, 0.0774, 30)])[0] for _ in range(1000)]
    assert 0.86 <= said.count(Verdict.FASTER) / 1000 <= 0.96


def _unit_spread(number: int) -> list[float]:
    """Deterministic values of mean 0 and standard deviation 1."""
    raw = [(-1) ** index * 1.0 for index in range(number)]
    scale = math.sqrt(sum(x * x for x in raw) / (number - 1))
    return [x / scale for x in raw]
