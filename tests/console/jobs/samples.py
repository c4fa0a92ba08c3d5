"""Samples as a test needs them: a cell's pairs from two lists of figures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.wire.work import SampleData


@dataclass
class FakeSample:
    """What console.jobs.comparison needs of a sample."""

    cell: str
    variant: str
    round: int
    position: int
    value: float
    metric: str = "throughput"
    unit: str = "B/s"
    operations: int | None = None
    bytes: int | None = None
    wall_seconds: float = 1.0
    user_seconds: float = 0.9
    system_seconds: float = 0.1
    host_cpu: Any = field(default_factory=dict)


def interleaved(
    cell: str, software: Sequence[float], accelerated: Sequence[float], start: int = 0
) -> list[FakeSample]:
    """Return the samples of one cell, a pair per index; each second of wall time is one of CPU."""
    made: list[FakeSample] = []
    for number, pair in enumerate(zip(software, accelerated, strict=True)):
        for variant, value in zip(("software", "accelerated"), pair, strict=True):
            position = start + len(made)
            made.append(FakeSample(cell, variant, number, position, value, bytes=int(value)))
    return made


def sample_data(
    *, cell: str = "aes-128-cbc/8192/encrypt", variant: str, round: int, value: float, position: int
) -> SampleData:
    """Return one sample as an agent reports it."""
    return SampleData(
        cell=cell,
        variant=variant,
        round=round,
        position=position,
        metric="throughput",
        unit="B/s",
        value=value,
        bytes=int(value),
        wall_seconds=1.0,
        user_seconds=0.97,
        system_seconds=0.02,
    )
