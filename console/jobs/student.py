"""Student's t distribution by the regularised incomplete beta function. Standard library only.

Abramowitz and Stegun, Handbook of Mathematical Functions: 26.5.8 (continued fraction of the
incomplete beta function), 26.7.1 (t by it).
"""

import math
from functools import lru_cache

_TINY = 1e-300
_CLOSE = 1e-15


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b), the regularised incomplete beta function, for a, b > 0 and 0 ≤ x ≤ 1."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(log_front + a * math.log(x) + b * math.log1p(-x))
    # The fraction converges fast below the mean; above it the symmetry relation is used.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction by Lentz's method."""
    numerator, denominator = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = denominator
    for m in range(1, 1000):
        for coefficient in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            denominator = 1 / _nonzero(1 + coefficient * denominator)
            numerator = _nonzero(1 + coefficient / numerator)
            step = numerator * denominator
            value *= step
        if abs(step - 1) < _CLOSE:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def t_two_sided_p(t: float, degrees: int) -> float:
    """Return P(|T| ≥ |t|) with `degrees` (≥ 1) degrees of freedom."""
    return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))


@lru_cache(maxsize=512)
def t_quantile(probability: float, degrees: int) -> float:
    """Return the t with P(T ≤ t) = `probability`, 0 < probability < 1, by bisection.

    Raise ValueError outside that range or below one degree of freedom.
    """
    if not 0 < probability < 1 or degrees < 1:
        raise ValueError(f"no quantile {probability} with {degrees} degrees of freedom")
    if probability < 0.5:
        return -t_quantile(1 - probability, degrees)
    wanted = 2 * (1 - probability)
    low, high = 0.0, 1.0
    while t_two_sided_p(high, degrees) > wanted:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_two_sided_p(middle, degrees) > wanted else (low, middle)
    return (low + high) / 2
