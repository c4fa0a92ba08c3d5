"""A simulated machine of its own for each test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.simulated import Simulated


@pytest.fixture
def simulated(tmp_path: Path) -> Callable[[str], Simulated]:
    """Return a maker of simulated machines by edition."""
    return lambda edition: Simulated(tmp_path / edition, edition)


@pytest.fixture
def t5120(simulated: Callable[[str], Simulated]) -> Simulated:
    """The machine with dynamic units."""
    return simulated("t5120")


@pytest.fixture
def ldoms11(simulated: Callable[[str], Simulated]) -> Simulated:
    """The machine as in 2009."""
    return simulated("t5120-ldoms11")
