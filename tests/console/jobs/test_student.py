"""Student's t against printed tables."""

import math

import pytest

from console.jobs.student import incomplete_beta, t_quantile, t_two_sided_p


@pytest.mark.parametrize(
    ("probability", "degrees", "value"),
    [
        # Critical values as tables print them (NIST/SEMATECH e-Handbook 1.3.6.7.2), more digits
        # where other tables give them.
        (0.90, 1, 3.078),
        (0.975, 1, 12.7062),
        (0.975, 4, 2.77645),
        (0.995, 4, 4.60409),
        (0.95, 9, 1.83311),
        (0.90, 29, 1.31143),
        (0.995, 29, 2.75639),
        (0.975, 79, 1.99045),
        (0.995, 79, 2.63950),
        (0.9995, 3, 12.92398),
        (0.975, 1000, 1.96234),
    ],
)
def test_quantiles_are_those_of_the_tables(probability: float, degrees: int, value: float) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(value, abs=1e-3 if value < 4 else 1e-4)


@pytest.mark.parametrize("degrees", [1, 2, 4, 9, 29, 79, 500])
def test_the_two_sided_p_of_a_quantile_is_what_lies_outside(degrees: int) -> None:
    for probability in (0.6, 0.9, 0.975, 0.995, 0.9999):
        outside = t_two_sided_p(t_quantile(probability, degrees), degrees)
        assert outside == pytest.approx(2 * (1 - probability), rel=1e-9)


def test_one_degree_of_freedom_is_the_cauchy_distribution() -> None:
    for t in (0.1, 1.0, 3.0, 50.0):
        expected = 1 - 2 * math.atan(t) / math.pi
        assert t_two_sided_p(t, 1) == pytest.approx(expected, rel=1e-10)


def test_quantiles_below_a_half_mirror_those_above() -> None:
    assert t_quantile(0.025, 7) == -t_quantile(0.975, 7)


def test_the_incomplete_beta_function_has_its_known_values() -> None:
    # I_x(1, b) = 1 - (1 - x)^b and I_x(a, 1) = x^a.
    assert incomplete_beta(1, 3, 0.2) == pytest.approx(1 - 0.8**3)
    assert incomplete_beta(4, 1, 0.7) == pytest.approx(0.7**4)
    assert incomplete_beta(2, 2, 0.5) == pytest.approx(0.5)
    assert (incomplete_beta(2, 3, 0.0), incomplete_beta(2, 3, 1.0)) == (0.0, 1.0)


@pytest.mark.parametrize(("probability", "degrees"), [(0.0, 4), (1.0, 4), (0.9, 0)])
def test_there_is_no_quantile_outside_the_distribution(probability: float, degrees: int) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        t_quantile(probability, degrees)
