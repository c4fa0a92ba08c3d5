"""Flags, names, figures, texts and keys in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pkcs11 import flags
from agents.pkcs11.identity import Keys, slot_key, token_key
from agents.pkcs11.names import key_size_unit, mechanism_name, return_value_name
from agents.pkcs11.text import clean_text

INITIALISED = 0x408


@pytest.mark.parametrize(
    ("bits", "state"),
    [
        (INITIALISED, "ok"),
        (INITIALISED | 0x10000, "count_low"),
        (INITIALISED | 0x30000, "final_try"),
        (INITIALISED | 0xF0000, "locked"),
        (INITIALISED | 0x80000, "to_be_changed"),
        (0x400, "not_initialised"),
        (0xF0000, "not_initialised"),
    ],
)
def test_the_worst_state_of_a_user_pin_wins(bits: int, state: str) -> None:
    assert flags.user_pin_state(bits) == state


@pytest.mark.parametrize(
    ("bits", "state"),
    [
        (0x400, "ok"),
        (0x100400, "count_low"),
        (0x300400, "final_try"),
        (0xF00400, "locked"),
        (0x800400, "to_be_changed"),
        (0xC00000, "not_initialised"),
    ],
)
def test_the_worst_state_of_the_officers_pin_wins(bits: int, state: str) -> None:
    assert flags.so_pin_state(bits) == state


def test_every_bit_of_a_token_has_a_word() -> None:
    words = flags.token_flags((1 << 64) - 1)
    assert len(set(words)) == 64
    assert "RNG" in words
    assert "0x00000010" in words


def test_elliptic_curve_flags_of_a_mechanism_are_spelled_out() -> None:
    assert flags.mechanism_attributes(0x1D00801) == {
        "ec_flags": ["F_P", "ECPARAMETERS", "OID", "UNCOMPRESS"]
    }
    assert flags.mechanism_operations(0x1D00801) == ["sign"]
    assert flags.mechanism_is_hardware(0x1D00801)


@pytest.mark.parametrize(
    ("value", "known"),
    [(0, 0), (7, 7), (-1, None), ((1 << 64) - 1, None), ((1 << 32) - 1, None), (1 << 63, None)],
)
def test_a_figure_that_is_unavailable_is_none(value: int, known: int | None) -> None:
    assert flags.figure(value) == known


def test_names_of_numbers() -> None:
    assert mechanism_name(0x1082) == "CKM_AES_CBC"
    assert mechanism_name(0x1040) == "CKM_EC_KEY_PAIR_GEN"
    assert mechanism_name(0x80000001) == "0x80000001"
    assert return_value_name(0x30) == "CKR_DEVICE_ERROR"
    assert return_value_name(0x80000BAD) == "0x80000bad"


@pytest.mark.parametrize(
    ("number", "unit"),
    [
        (0x0, "bits"),
        (0x40, "bits"),
        (0x1041, "bits"),
        (0x1080, "bytes"),
        (0x133, "bytes"),
        (0x250, ""),
        (0x80000001, ""),
    ],
)
def test_units_of_key_sizes(number: int, unit: str) -> None:
    assert key_size_unit(number) == unit


@given(st.binary(max_size=64))
def test_cleaned_text_can_be_shown_anywhere(field: bytes) -> None:
    text = clean_text(field)
    assert text == text.strip()
    assert all(char.isprintable() or char == "\ufffd" or char.isspace() for char in text)
    text.encode()


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_different_tokens_have_different_keys(a: str, b: str, c: str, d: str) -> None:
    if (a, b) != (c, d):
        assert token_key("/lib.so", a, b) != token_key("/lib.so", c, d)


def test_a_slots_own_number_is_no_part_of_its_key() -> None:
    first = slot_key("/lib.so", "SoftHSM slot ID 0x2", 2)
    assert first == slot_key("/lib.so", "SoftHSM slot ID 0x3a", 0x3A)
    assert slot_key("/lib.so", "Reader 00 01", 7) != slot_key("/lib.so", "Reader 00 02", 7)


def test_a_second_of_a_kind_is_a_copy() -> None:
    keys = Keys()
    assert [keys.take("pkcs11:serial=1?module-path=/l") for _ in range(3)] == [
        "pkcs11:serial=1?module-path=/l",
        "pkcs11:serial=1;copy=2?module-path=/l",
        "pkcs11:serial=1;copy=3?module-path=/l",
    ]
