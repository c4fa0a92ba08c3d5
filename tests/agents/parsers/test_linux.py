"""Linux parsers: every case is two files, the text and what it must parse to."""

import json
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.parsers.base import UnexpectedOutput
from agents.parsers.linux.ap import (
    parse_ap_domains,
    parse_ap_mask,
    parse_ap_matrix,
    parse_ap_mkvps,
)
from agents.parsers.linux.cpuinfo import parse_cpuinfo
from agents.parsers.linux.keyvalues import parse_meminfo, parse_sysinfo, parse_tls_stat
from agents.parsers.linux.openssl_list import (
    parse_openssl_engines,
    parse_openssl_provided,
    parse_openssl_providers,
)
from agents.parsers.linux.os_release import parse_os_release
from agents.parsers.linux.p11kit import parse_p11_kit_config
from agents.parsers.linux.proc_crypto import parse_proc_crypto

CASES = Path(__file__).parent / "cases"
PARSERS: dict[str, Callable[[str], Any]] = {
    "ap_domains": parse_ap_domains,
    "ap_mask": parse_ap_mask,
    "ap_matrix": parse_ap_matrix,
    "ap_mkvps": parse_ap_mkvps,
    "cpuinfo": parse_cpuinfo,
    "meminfo": parse_meminfo,
    "openssl_engines": parse_openssl_engines,
    "openssl_provided": parse_openssl_provided,
    "openssl_providers": parse_openssl_providers,
    "os_release": parse_os_release,
    "p11_kit_config": parse_p11_kit_config,
    "proc_crypto": parse_proc_crypto,
    "sysinfo": parse_sysinfo,
    "tls_stat": parse_tls_stat,
}
WORDS = (
    *("processor", "flags", "Features", "features", "facilities", ":", " : ", "=", "\n", "\n\n"),
    *("name", "driver", "priority", "min keysize", "Providers:", "Engines:", "  a", "    name: b"),
    *(" @ default", "{ 1.2, X }", "0x", "05.", ".0047", "AES NEW: empty 0x0", "kB", "9" * 30),
    *("[x]", "#", '"', "'", "\\", "\0", "\r", "²", "processor 0: machine = 8561"),
)
TEXTS = st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=20).map("".join)


def plain(value: Any) -> Any:
    """Return parsed data as JSON would carry it."""
    if is_dataclass(value) and not isinstance(value, type):
        return json.loads(json.dumps(asdict(value)))
    if isinstance(value, list):
        return [plain(item) for item in value]
    return sorted(value) if isinstance(value, frozenset) else value


def cases() -> list[Any]:
    paths = sorted(path for name in PARSERS for path in (CASES / name).glob("*.txt"))
    return [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in paths]


@pytest.mark.parametrize("path", cases())
def test_text_parses_to_what_stands_beside_it(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text())
    parse = PARSERS[path.parent.name]
    text = path.read_bytes().decode()
    if isinstance(expected, dict) and "error" in expected:
        with pytest.raises(UnexpectedOutput) as raised:
            parse(text)
        assert {"line_no": raised.value.line_no, "line": raised.value.line} == expected["error"]
    else:
        assert plain(parse(text)) == expected


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_every_parser_has_cases(name: str) -> None:
    assert list((CASES / name).glob("*.txt"))


@pytest.mark.parametrize("name", sorted(PARSERS))
@given(text=TEXTS)
def test_no_text_raises_anything_but_unexpected_output(name: str, text: str) -> None:
    refused = refusal(PARSERS[name], text)
    if refused is not None:
        assert refused.line_no >= 1
        assert refused.line == text.split("\n")[refused.line_no - 1]


def refusal(parse: Callable[[str], Any], text: str) -> UnexpectedOutput | None:
    """Return what the parser raised, None where it parsed; any other exception passes."""
    try:
        parse(text)
    except UnexpectedOutput as error:
        return error
    return None
