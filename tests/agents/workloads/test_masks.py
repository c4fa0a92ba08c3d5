"""Masks: the exact values, what they switch off, and what counts as a mask that took effect."""

import pytest

from agents.executors.process import run_command
from agents.parsers.openssl import CpuSettings, parse_cpusettings
from agents.workloads.openssl_speed.masks import (
    MaskHasNoEffect,
    check_effect,
    check_unchanged,
    mask_choices,
    masked_variants,
)
from agents.workloads.openssl_speed.program import OpensslUnusable, ask_openssl, read_settings

ALL_BITS = "0x" + "f" * 16


def settings(text: str) -> CpuSettings:
    parsed = parse_cpusettings(text)
    assert parsed is not None
    return parsed


X86 = settings(f"OPENSSL_ia32cap={':'.join([ALL_BITS] * 5)}")
ARM = settings("OPENSSL_armcap=0x1bdff")
S390X = settings(
    "OPENSSL_s390xcap=stfle:0x1:0x1:0x4300080000000000:0x0:kimd:0x70000000fc000000:"
    "0x4000000000000000:km:0x7000380000002800:0x0"
)


@pytest.mark.parametrize(
    ("masks", "value"),
    [
        (["aes"], "~0x200000200000000:~0x60000000000:~0x0:~0x0:~0x0"),
        (["sha"], "~0x0:~0x20000000:~0x700000000:~0x0:~0x0"),
        (["aes", "sha"], "~0x200000200000000:~0x60020000000:~0x700000000:~0x0:~0x0"),
        (
            ["vector", "sha", "aes"],
            "~0x200000200000000:~0x600e0230000:~0x80000700000000:~0x80000:~0x0",
        ),
    ],
)
def test_x86_masks_always_give_all_five_words(masks: list[str], value: str) -> None:
    variants = masked_variants(X86, masks)
    assert variants.software == {"OPENSSL_ia32cap": value}
    assert variants.accelerated == {}


def test_arm_sets_the_probed_value_and_takes_bits_from_it() -> None:
    variants = masked_variants(ARM, ["aes"])
    assert variants.accelerated == {"OPENSSL_armcap": "0x1bdff"}
    assert variants.software == {"OPENSSL_armcap": "0xaddb"}


def test_s390x_names_each_instruction_with_two_words_and_stfle_with_three() -> None:
    variants = masked_variants(S390X, ["vector"])
    assert variants.software == {"OPENSSL_s390xcap": "stfle:~0x0:~0x0:~0x4300080000000000"}
    value = masked_variants(S390X, ["sha"]).software["OPENSSL_s390xcap"]
    assert value == "kimd:~0x70000000fc000000:~0x0;klmd:~0x70000000fc000000:~0x0"


def test_s390x_aes_covers_every_chaining_mode_xts_and_ghash() -> None:
    value = masked_variants(S390X, ["aes"]).software["OPENSSL_s390xcap"]
    tokens = dict(token.split(":", 1) for token in value.split(";"))
    assert list(tokens) == ["km", "kmc", "kmac", "kmctr", "kmo", "kmf", "kma", "pcc", "kimd"]
    assert tokens["km"] == "~0x380000002800:~0x0"
    assert tokens["kimd"] == "~0x0:~0x4000000000000000"


def test_what_is_switched_off_is_named_and_only_what_was_on() -> None:
    some = settings("OPENSSL_ia32cap=0x0200000000000000:0x20000000000")
    assert masked_variants(some, ["aes"]).switched_off == ("AES-NI", "VAES")


def test_a_set_that_the_cpu_lacks_is_no_choice_and_the_reason_names_it() -> None:
    choices = mask_choices(settings("OPENSSL_ia32cap=0x0200000200000000:0x0"))
    assert choices.available == ("aes",)
    assert choices.unavailable["sha"].startswith("OpenSSL uses none of SHA-NI")


def test_an_unknown_platform_has_no_masks() -> None:
    choices = mask_choices(settings("OPENSSL_ppccap=0x3"))
    assert choices.available == ()
    assert set(choices.unavailable) == {"aes", "sha", "vector"}


BEFORE = settings("OPENSSL_ia32cap=0x0200000200000001:0x0000060020000021")


def test_a_mask_that_clears_what_it_names_and_nothing_else_is_accepted() -> None:
    check_effect(BEFORE, settings("OPENSSL_ia32cap=0x1:0x0000000020000021"), ["aes"])


@pytest.mark.parametrize(
    ("after", "problem"),
    [
        ("OPENSSL_ia32cap=0x0200000200000001:0x0000060020000021", "still uses AES-NI"),
        ("OPENSSL_ia32cap=0x1:0x0000060020000021", "still uses VAES, VPCLMULQDQ"),
        ("OPENSSL_ia32cap=0x1:0x0", "changed more than it names"),
        ("OPENSSL_armcap=0x1", "does not say"),
    ],
    ids=["nothing happened", "word 1 kept", "one-word mask", "another variable"],
)
def test_a_mask_that_does_not_do_exactly_what_it_says_is_refused(after: str, problem: str) -> None:
    with pytest.raises(MaskHasNoEffect, match=problem):
        check_effect(BEFORE, settings(after), ["aes"])


def test_a_set_with_nothing_to_switch_off_is_refused() -> None:
    bare = settings("OPENSSL_ia32cap=0x1:0x1")
    with pytest.raises(MaskHasNoEffect, match="nothing to switch off"):
        check_effect(bare, bare, ["sha"])


def test_the_accelerated_variant_must_have_everything() -> None:
    check_unchanged(BEFORE, BEFORE)
    with pytest.raises(MaskHasNoEffect, match="lacks something"):
        check_unchanged(BEFORE, settings("OPENSSL_ia32cap=0x1:0x0"))


@pytest.mark.parametrize("name", ["aes", "sha", "vector"])
def test_this_hosts_openssl_itself_says_that_the_mask_took_effect(name: str) -> None:
    try:
        openssl = ask_openssl(run_command)
    except OpensslUnusable as error:
        pytest.skip(str(error))
    if name not in mask_choices(openssl.settings).available:
        pytest.skip(mask_choices(openssl.settings).unavailable[name])
    variants = masked_variants(openssl.settings, [name])
    after = read_settings(run_command, openssl.path, variants.software)
    check_effect(openssl.settings, after, [name])
    assert variants.switched_off
