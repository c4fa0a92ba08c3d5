"""Parameters of openssl.speed: defaults, bounds, and errors that name the path."""

from typing import Any

import pytest

from agents.workloads.base import InvalidParameters
from agents.workloads.openssl_speed.parameters import SpeedParameters, parse_parameters


def test_everything_may_be_left_out() -> None:
    assert parse_parameters({}) == SpeedParameters()
    assert SpeedParameters().pairs == 5


def test_parameters_survive_the_way_through_json() -> None:
    given = {
        "algorithms": ["rsa2048"],
        "sizes_bytes": [64, 16384],
        "seconds": 3,
        "pairs": 30,
        "processes": 2,
        "masks": ["vector"],
        "control": False,
    }
    assert parse_parameters(given).as_json() == given


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"algorithm": ["sha1"]}, "algorithm: unknown"),
        ({"algorithms": "sha1"}, "algorithms: expected a list"),
        ({"algorithms": []}, "algorithms: expected 1 to 32 entries"),
        ({"algorithms": ["sha1", "sha1"]}, "algorithms[1]: 'sha1' stands there twice"),
        ({"algorithms": ["-engine"]}, "algorithms[0]: expected a lower-case name"),
        ({"algorithms": ["sha1; reboot"]}, "algorithms[0]: expected a lower-case name"),
        ({"algorithms": [7]}, "algorithms[0]: expected a lower-case name"),
        ({"sizes_bytes": [64, 15]}, "sizes_bytes[1]: expected 16 to 1048576, got 15"),
        ({"sizes_bytes": [True]}, "sizes_bytes[0]: expected a whole number"),
        ({"seconds": 0}, "seconds: expected 1 to 60"),
        ({"seconds": 0.5}, "seconds: expected a whole number"),
        ({"pairs": 4}, "pairs: expected 5 to 200"),
        ({"processes": 1025}, "processes: expected 1 to 1024"),
        ({"masks": ["sse"]}, "masks[0]: 'sse' is none of aes, sha, vector"),
        ({"control": 1}, "control: expected true or false"),
    ],
)
def test_what_does_not_fit_names_its_path(parameters: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidParameters) as raised:
        parse_parameters(parameters)
    assert len(raised.value.problems) == 1
    assert raised.value.problems[0].startswith(problem)


def test_all_problems_come_at_once() -> None:
    with pytest.raises(InvalidParameters) as raised:
        parse_parameters({"seconds": 61, "pairs": 0, "extra": 1})
    assert len(raised.value.problems) == 3
