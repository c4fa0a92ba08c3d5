"""What may become a word of a Solaris command, and what may not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.changes.base import ChangeRefused
from agents.drivers.solaris import validation

HOSTILE = ['a"b', "a$b", "a`b", "a\\b", "a=b", "a\nb", "a\x00b", "x" * 33, "-x", "", " a", "a;b"]
LIBRARY = "/usr/lib/security/$ISA/pkcs11_softtoken.so"


@pytest.mark.parametrize("label", HOSTILE)
def test_a_hostile_token_label_is_refused(label: str) -> None:
    with pytest.raises(ChangeRefused) as caught:
        validation.token_label(label)
    assert caught.value.refusal.code == "parameters.invalid"


@pytest.mark.parametrize("label", ["Sun Software PKCS#11 softtoken", "x" * 32, "Schlüssel (1)"])
def test_an_ordinary_token_label_is_taken_as_it_is(label: str) -> None:
    assert validation.token_label(label) == label


def test_a_label_is_measured_in_bytes_not_in_signs() -> None:
    with pytest.raises(ChangeRefused):
        validation.token_label("ü" * 17)


def test_a_slot_description_may_have_64_bytes() -> None:
    assert validation.slot_description("s" * 64)
    with pytest.raises(ChangeRefused):
        validation.slot_description("s" * 65)


@pytest.mark.parametrize("name", ['a"b', "a$b", "a`b", "a=b", "a\nb", "-x", "", "ldg 1", "a/b"])
def test_a_hostile_domain_name_is_refused(name: str) -> None:
    with pytest.raises(ChangeRefused):
        validation.domain_name(name, "counts")


@pytest.mark.parametrize("name", ["aes", "ncp/0", "n2cp/12", LIBRARY, "/opt/vendor/lib/libv.so.1"])
def test_the_three_forms_of_provider_names_are_taken(name: str) -> None:
    assert validation.provider_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "metaslotX",
        "a/b/c",
        "ncp/",
        "-aes",
        "/usr/lib/$ISA/$ISA/x.so",
        "/usr/lib/$HOME/x.so",
        "/usr/lib/../../tmp/x.so",
        "/usr/lib//x.so",
        "/tmp/x.so",
        "/usr/lib/a=b.so",
        "/usr/lib/a:b.so",
        "/usr/lib/a b.so",
        "/usr/lib/x.so\n",
    ],
)
def test_a_provider_name_that_cryptoadm_would_misread_is_refused(name: str) -> None:
    with pytest.raises(ChangeRefused):
        validation.provider_name(name)


@pytest.mark.parametrize(
    "names", [["CKM_AES_CBC,CKM_RC4"], ["CKM_A=B"], ["*", "CKM_RC4"], [1], "x"]
)
def test_a_mechanism_list_that_would_be_cut_or_split_is_refused(names: Any) -> None:
    with pytest.raises(ChangeRefused):
        validation.mechanism_names(names, "disable")


def test_vendor_mechanisms_are_numbers_from_the_vendor_range() -> None:
    assert validation.mechanism_names(["0x80000001", "CKM_RC4"], "enable")
    with pytest.raises(ChangeRefused):
        validation.mechanism_name("0x00000001", "enable[0]")


def test_factory_default_is_no_name_for_a_saved_configuration() -> None:
    with pytest.raises(ChangeRefused):
        validation.spconfig_name("factory-default")


@pytest.mark.parametrize("value", [True, 1.0, "1", -1, 10**9, None])
def test_only_whole_numbers_of_a_sane_size_are_counts(value: Any) -> None:
    with pytest.raises(ChangeRefused):
        validation.whole_number(value, "counts.ldg1")


def test_force_needs_a_reason_and_a_truth_value() -> None:
    assert validation.force({"force": True, "force_reason": "replaced"}) == "replaced"
    for parameters in ({"force": True}, {"force": "false"}, {"force": True, "force_reason": " "}):
        with pytest.raises(ChangeRefused):
            validation.force(parameters)


@given(st.text())
def test_whatever_passes_as_a_label_stays_whole_in_argv_and_file(label: str) -> None:
    try:
        taken = validation.token_label(label)
    except ChangeRefused:
        return
    assert taken == label
    assert len(taken.encode()) <= 32
    assert not set(taken) & set('=;:"$`\\\n\r\0')
    assert not taken.startswith("-")
