"""Records from a child that a module shares: whatever they hold, a report comes out."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agents.pkcs11.modules import ModuleRegistration, ProbeOutcome
from agents.pkcs11.records import read_records
from agents.pkcs11.report import module_report
from agents.wire.codec import encode

NAMES = (
    *("at", "slot", "slots", "slots_after", "info", "token", "mechanisms", "objects"),
    *("certificate", "refused", "rv", "absurd", "count", "function", "library", "initialized"),
    *("load_error", "end", "certificates_capped", "is_thread_safe", "unknown"),
)
NUMBERS = st.integers(-3, 3) | st.integers()
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=8)
KEYS = st.sampled_from(["number", "rv", "min", "flags", "label", "serial", "sha256", "version"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
PLAUSIBLE = st.fixed_dictionaries(
    {"slot": st.integers(0, 2)},
    optional={
        "slots": st.lists(st.integers(0, 2), max_size=3),
        "info": st.dictionaries(KEYS, NUMBERS, max_size=3),
        "token": st.dictionaries(KEYS, NUMBERS | st.text(max_size=6), max_size=5),
        "mechanisms": st.lists(st.fixed_dictionaries({"number": NUMBERS}), max_size=3),
    },
)
RECORDS = st.lists(
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4) | PLAUSIBLE, max_size=8
)


def report_of(records: list[dict[str, Any]]) -> bytes:
    """Write records as a child would, read them back and return the report as it would be sent."""
    lines = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    read, is_damaged = read_records(lines)
    outcome = ProbeOutcome(records=read, is_complete=True, is_damaged=is_damaged)
    report = module_report(ModuleRegistration(name="m", path="/m.so"), outcome)
    return b"".join(map(encode, [report.provider, *report.findings, *report.gauges]))


@given(RECORDS)
def test_no_record_whatever_it_holds_breaks_the_report(records: list[dict[str, Any]]) -> None:
    assert b"pkcs11:/m.so" in report_of(records)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    records, _ = read_records(data)
    assert all(isinstance(record, dict) for record in records)


def test_a_line_cut_off_by_the_end_is_no_damage() -> None:
    records, is_damaged = read_records(b'{"at":"load"}\n{"at":"C_Init')
    assert records == [{"at": "load"}]
    assert not is_damaged


def test_numbers_beyond_63_bits_fit_the_wire() -> None:
    huge = (1 << 64) - 5
    token = {"flags": huge, "max_pin_length": huge}
    records = [
        {"slots": [huge]},
        {"slot": huge, "token": token},
        {"slot": huge, "mechanisms": [{"number": huge, "max": huge}]},
    ]
    sent, _ = json.JSONDecoder().raw_decode(report_of(records).decode())
    assert sent["slots"][0]["slot_id"] == -5
    assert sent["mechanisms"][0]["name"] == "0xfffffffffffffffb"
    assert sent["mechanisms"][0]["number"] is None
    assert sent["slots"][0]["token"]["max_pin_length"] is None
