"""Solaris parsers raise nothing but UnexpectedOutput, and take no more than linear time."""

import contextlib
import gc
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.parsers.base import UnexpectedOutput
from agents.parsers.commands import PARSERS, CommandParser

CASES = [p.read_bytes().decode() for p in (Path(__file__).parent / "cases/solaris").glob("*.txt")]
SOLARIS = [p for p in PARSERS if p.parse.__module__.startswith("agents.parsers.solaris")]
WORDS = (
    *("|", "=", "\n", "\t", " ", "(", ")", ",", "-", ":", "/", "#", "$ ", ".", "%", "<", ">", "\\"),
    *("VERSION 1.4\n", "DOMAIN|name=a", "MAU\n", "VCPU\n", "|vid=0|pid=", "NAME STATE FLAGS\n"),
    *("CKM_AES_CBC", "Mechanisms:\n", "Slot #1\n", "aes: all mechanisms are enabled", " except "),
    *("kcf:0:a:b", "module: n2cp instance: 0\n", "9" * 40, "²", "٣", "\0", "\x85", "\r", "\x1b["),
    *(
        "The core has ",
        "<Item>",
        "<Content id='a'>",
        "fmri svc:/a\n",
        "SOFTSTATE\n",
        "# ldm list\n",
    ),
)
LINES = sorted({line for text in CASES for line in text.split("\n")})
TEXTS = (
    st.text(max_size=120)
    | st.lists(st.sampled_from(WORDS), max_size=30).map("".join)
    | st.lists(st.sampled_from(LINES), max_size=25).map("\n".join)
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A capture with lines cut, folded, doubled or left out."""
    lines = draw(st.sampled_from(CASES)).split("\n")
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, len(lines) - 1))
        cut = draw(st.integers(0, len(lines[place])))
        line = lines[place]
        new = {0: [], 1: [line, line], 2: [line[:cut], line[cut:]], 3: [line[:cut]]}
        lines[place : place + 1] = new[draw(st.integers(0, 3))] or [""]
    return "\n".join(lines)


@pytest.mark.parametrize("parser", SOLARIS, ids=lambda parser: f"{parser.program}-{parser.name}")
@given(text=TEXTS | damaged())
@settings(max_examples=60, deadline=None)
def test_nothing_but_unexpected_output_is_raised(parser: CommandParser, text: str) -> None:
    lines = text.count("\n") + text.count("\r") + 1
    try:
        numbers = [line.line_no for line in parser.parse(text).unread]
    except UnexpectedOutput as error:
        numbers = [error.line_no]
    assert all(1 <= number <= lines for number in numbers)


@pytest.mark.parametrize("piece", [word for word in WORDS if word.strip()], ids=repr)
def test_time_grows_no_faster_than_the_input(piece: str) -> None:
    """Sixteen times the input may take at most a hundred times as long: quadratic takes 256."""
    for parser in SOLARIS:
        short = _seconds(parser, piece * (8_000 // len(piece)))
        long = _seconds(parser, piece * (128_000 // len(piece)))
        assert long < max(100 * short, 0.5), (parser.name, short, long)


def _seconds(parser: CommandParser, text: str) -> float:
    gc.disable()  # a collection of all that pytest holds takes longer than any parser
    try:
        began = time.process_time()
        with contextlib.suppress(UnexpectedOutput):
            parser.parse(text)
        return time.process_time() - began
    finally:
        gc.enable()
