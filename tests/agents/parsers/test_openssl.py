"""Every case is two files: what openssl printed, and what it must parse to."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.parsers.base import UnexpectedOutput
from agents.parsers.openssl import (
    parse_algorithm_list,
    parse_cpusettings,
    parse_speed,
    parse_version,
)

CASES = Path(__file__).parent / "cases"


def _speed(text: str) -> Any:
    stdout, _, stderr = text.partition("--- stderr\n")
    return parse_speed(stdout, stderr)


PARSERS = {
    "openssl_speed": _speed,
    "openssl_version": parse_version,
    "openssl_cpusettings": parse_cpusettings,
    "openssl_list": parse_algorithm_list,
}


def _cases() -> list[Any]:
    paths = sorted(path for name in PARSERS for path in (CASES / name).glob("*.txt"))
    return [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in paths]


def _plain(parsed: Any) -> Any:
    if parsed is None:
        return None
    plain = {
        key: sorted(value) if isinstance(value, frozenset) else value
        for key, value in asdict(parsed).items()
    }
    return json.loads(json.dumps(plain))


@pytest.mark.parametrize("path", _cases())
def test_output_parses_to_what_stands_beside_it(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text())
    parse = PARSERS[path.parent.name]
    if expected is not None and "error" in expected:
        with pytest.raises(UnexpectedOutput) as raised:
            parse(path.read_text())
        assert {"line_no": raised.value.line_no, "line": raised.value.line} == expected["error"]
    else:
        assert _plain(parse(path.read_text())) == expected


@pytest.mark.parametrize("name", PARSERS)
def test_every_parser_has_cases(name: str) -> None:
    outputs = {path.stem for path in (CASES / name).glob("*.txt")}
    expected = {path.stem for path in (CASES / name).glob("*.json")}
    assert outputs == expected
    assert len(outputs) >= 3


@given(st.text(alphabet="+FRDTPGot:0123456789. \nforkedchilinf-", max_size=200))
def test_no_output_whatever_breaks_the_speed_parser_in_another_way(text: str) -> None:
    try:
        output = parse_speed(text, text)
    except UnexpectedOutput:
        return
    assert output.throughputs or output.rates
