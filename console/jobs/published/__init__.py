"""Speed-ups published elsewhere, shown beside measured ones; one data file per workload."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """One published ratio and its source. `input_bytes` None: not told, or no such thing."""

    reference: str
    title: str
    publisher: str
    system: str
    compared: str
    algorithm: str
    input_bytes: int | None
    operation: str
    ratio: float
    is_approximate: bool


@lru_cache(maxsize=32)
def published_figures(workload: str) -> tuple[PublishedFigure, ...]:
    """Return all published figures for `workload`; none is no error."""
    path = files(__name__) / f"{workload.replace('.', '_')}.json"
    if not path.is_file():
        return ()
    references = json.loads(path.read_text("utf-8"))["references"]
    return tuple(figure for reference in references for figure in _figures(reference))


def _figures(reference: dict[str, Any]) -> Iterable[PublishedFigure]:
    shared = {key: reference[key] for key in ("title", "publisher", "system", "compared")}
    for figure in reference["figures"]:
        yield PublishedFigure(reference=reference["id"], **shared, **figure)


def published_beside(
    workload: str, algorithm: str, input_bytes: int | None, operation: str
) -> list[PublishedFigure]:
    """Return what was published for this very cell, or for its algorithm where no size is told.

    A published family (`dsa`) stands for all its key sizes.
    """
    return [
        figure
        for figure in published_figures(workload)
        if _names(figure.algorithm, algorithm)
        and figure.operation == operation
        and figure.input_bytes in (None, input_bytes)
    ]


def _names(published: str, measured: str) -> bool:
    rest = measured.removeprefix(published)
    return measured == published or (rest != measured and rest.isdigit() and published.isalpha())
