"""What the console knows of a workload: how to ask for it, whom it fits, how to read its cells."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from console.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class VariantInfo:
    """One of the variants that are compared. `is_baseline`: the one ratios are taken against."""

    name: str
    title: str
    is_baseline: bool


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """What is measured: `unit` as on the wire; more is better."""

    name: str
    unit: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CellInfo:
    """A cell in a person's words: `title` is `AES-128-CBC at 8 KiB`;
    `without` says what the baseline lacks."""

    cell: str
    algorithm: str
    input_bytes: int | None
    operation: str
    title: str
    without: str
    is_negative_control: bool


class CatalogueWorkload(ABC):
    """One kind of job. `schema` is a JSON Schema (2020-12) of its parameters, defaults included."""

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    """What it measures."""
    load: ClassVar[str]
    """What it will load on the host; shown before it is started."""
    schema: ClassVar[Mapping[str, Any]]
    variants: ClassVar[tuple[VariantInfo, ...]]
    metrics: ClassVar[tuple[MetricInfo, ...]]

    @property
    def defaults(self) -> dict[str, Any]:
        """Every parameter's default."""
        properties = self.schema["properties"]
        return {name: rule["default"] for name, rule in properties.items() if "default" in rule}

    @property
    def baseline(self) -> VariantInfo:
        """The variant that ratios are taken against."""
        return next(variant for variant in self.variants if variant.is_baseline)

    @property
    def contender(self) -> VariantInfo:
        """The variant whose worth is asked for."""
        return next(variant for variant in self.variants if not variant.is_baseline)

    def complete(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return `parameters` with defaults filled in.

        Raise InvalidInput `job.parameters`, its `extra.fields` naming each path that is wrong.
        """
        whole = self.defaults | dict(parameters)
        problems: dict[str, list[str]] = {}
        for error in Draft202012Validator(self.schema).iter_errors(whole):
            problems.setdefault(_path_of(error), []).append(error.message[:300])
        if problems:
            first, sentences = next(iter(sorted(problems.items())))
            raise InvalidInput(
                "job.parameters", f"{first}: {sentences[0]}", extra={"fields": problems}
            )
        return whole

    @abstractmethod
    def refusal(self, parameters: Mapping[str, Any], choices: Mapping[str, list[str]]) -> str:
        """Say why a host with these `choices` (its WorkloadFacts) cannot do it; empty: it can."""

    @abstractmethod
    def expected_seconds(self, parameters: Mapping[str, Any]) -> float:
        """Return how long a run takes about, in seconds of wall time."""

    def limit_seconds(self, parameters: Mapping[str, Any]) -> int:
        """Return the run's hard limit: generous, because a slow machine is not a broken one."""
        return int(self.expected_seconds(parameters) * 3) + 300

    @abstractmethod
    def cell_info(
        self, cell: str, parameters: Mapping[str, Any], result: Mapping[str, Any]
    ) -> CellInfo:
        """Describe one cell of a run; `result` is what the agent said of the run as a whole."""


def _path_of(error: ValidationError) -> str:
    path = "parameters"
    for step in error.absolute_path:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path
