"""The console's catalogue and the agent's workloads mean the same by the same words."""

from typing import Any

import pytest

from agents.workloads.openssl_speed.parameters import SpeedParameters, parse_parameters
from agents.workloads.registry import WORKLOADS
from console.jobs.workloads.registry import WORKLOADS as CATALOGUE
from console.jobs.workloads.registry import workload_get

PROPERTIES: dict[str, Any] = workload_get("openssl.speed").schema["properties"]


def test_every_workload_of_the_catalogue_can_be_run_by_an_agent() -> None:
    assert {w.name for w in CATALOGUE} == {w.name for w in WORKLOADS}


def test_parameters_and_their_defaults_are_the_same_on_both_sides() -> None:
    defaults = {name: schema["default"] for name, schema in PROPERTIES.items()}
    assert defaults == SpeedParameters().as_json()


@pytest.mark.parametrize("name", [n for n, s in PROPERTIES.items() if s["type"] == "integer"])
def test_the_agent_accepts_all_numbers_that_the_console_does(name: str) -> None:
    for bound in (PROPERTIES[name]["minimum"], PROPERTIES[name]["maximum"]):
        assert getattr(parse_parameters({name: bound}), name) == bound


@pytest.mark.parametrize("bound", ["minimum", "maximum"])
def test_the_agent_accepts_all_sizes_that_the_console_does(bound: str) -> None:
    size = PROPERTIES["sizes_bytes"]["items"][bound]
    assert parse_parameters({"sizes_bytes": [size]}).sizes_bytes == (size,)


def test_the_agent_accepts_as_many_entries_and_the_same_masks() -> None:
    names = [f"a{number}" for number in range(PROPERTIES["algorithms"]["maxItems"])]
    sizes = [16 + number for number in range(PROPERTIES["sizes_bytes"]["maxItems"])]
    masks = PROPERTIES["masks"]["items"]["enum"]
    parsed = parse_parameters({"algorithms": names, "sizes_bytes": sizes, "masks": masks})
    assert (list(parsed.algorithms), list(parsed.sizes_bytes)) == (names, sizes)
    assert list(parsed.masks) == masks
