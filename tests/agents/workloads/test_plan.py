"""What a run measures and in which order."""

import pytest

from agents.workloads.openssl_speed.parameters import SpeedParameters
from agents.workloads.openssl_speed.plan import (
    Measurement,
    control_algorithm,
    measurements,
    order_of,
    total_seconds,
    with_masks,
    without_control,
)

PARAMETERS = SpeedParameters(algorithms=("aes-128-cbc", "rsa2048"), sizes_bytes=(64, 16384))


def test_pairs_are_in_abba_order() -> None:
    assert [order_of(number)[0] for number in range(4)] == [
        "accelerated",
        "software",
        "accelerated",
        "software",
    ]
    assert all(set(order_of(number)) == {"accelerated", "software"} for number in range(4))


def test_a_signature_has_no_sizes_and_the_control_takes_the_one_nearest_8_kib() -> None:
    planned = measurements(PARAMETERS, "chacha20-poly1305")
    assert [(item.algorithm, item.size_bytes) for item in planned] == [
        ("aes-128-cbc", 64),
        ("aes-128-cbc", 16384),
        ("rsa2048", None),
        ("chacha20-poly1305", 16384),
    ]
    assert [item.is_control for item in planned] == [False, False, False, True]


def test_a_control_that_was_asked_for_anyway_is_only_marked() -> None:
    planned = measurements(SpeedParameters(algorithms=("md5", "rsa2048")), "md5")
    assert [(item.algorithm, item.is_control) for item in planned] == [
        ("md5", True),
        ("rsa2048", False),
    ]
    assert without_control(planned, SpeedParameters(algorithms=("md5", "rsa2048"))) == planned


@pytest.mark.parametrize(
    ("masks", "control"),
    [(("aes", "sha"), "chacha20-poly1305"), (("vector",), "md5"), (("aes", "vector"), "md5")],
)
def test_the_control_is_what_the_masks_cannot_touch(masks: tuple[str, ...], control: str) -> None:
    assert control_algorithm(masks, ["md5", "chacha20-poly1305"]) == control
    assert control_algorithm(masks, ["aes-128-cbc"]) is None


def test_commands_always_measure_elapsed_time_and_name_what_they_measure() -> None:
    parameters = SpeedParameters(seconds=2, processes=3)
    cipher = Measurement(algorithm="aes-256-gcm", size_bytes=1400).argv("/x/openssl", parameters)
    assert " ".join(cipher) == (
        "/x/openssl speed -mr -elapsed -seconds 2 -multi 3 -bytes 1400 -evp aes-256-gcm"
    )
    rsa = Measurement(algorithm="rsa2048", size_bytes=None).argv("openssl", SpeedParameters())
    assert " ".join(rsa) == "openssl speed -mr -elapsed -seconds 1 rsa2048"


@pytest.mark.parametrize(
    ("algorithm", "cells"),
    [
        ("sm4-ctr", ["sm4-ctr/64/encrypt"]),
        ("sha512-256", ["sha512-256/64/digest"]),
        ("chacha20", ["chacha20/64/encrypt"]),
    ],
)
def test_cells_say_what_was_done(algorithm: str, cells: list[str]) -> None:
    measurement = Measurement(algorithm=algorithm, size_bytes=64)
    assert [measurement.cell(word) for word in measurement.operations] == cells


def test_newer_versions_time_more_loops_for_rsa_than_asked_for() -> None:
    planned = measurements(SpeedParameters(algorithms=("rsa2048",)), None)
    parameters = SpeedParameters(algorithms=("rsa2048",), pairs=5)
    assert total_seconds(planned, parameters, "3.0.15") == pytest.approx(20.5)
    assert total_seconds(planned, parameters, "3.5.1") == pytest.approx(100.5)


def test_default_masks_are_aes_and_sha_as_far_as_they_are_there() -> None:
    assert with_masks(SpeedParameters(), ("aes", "vector")).masks == ("aes",)
    assert with_masks(SpeedParameters(masks=("vector",)), ("aes",)).masks == ("vector",)
