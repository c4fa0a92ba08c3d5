"""The catalogue's view of openssl.speed: parameters, refusals, duration, cells, publications."""

from typing import Any

import pytest

from console.core.errors import InvalidInput
from console.jobs.published import published_beside, published_figures
from console.jobs.workloads.openssl_speed import OpensslSpeed, cell_title

WORKLOAD = OpensslSpeed()
CHOICES = {
    "algorithms": ["aes-128-cbc", "sha256", "rsa2048"],
    "algorithms_unavailable": ["rc4: known to OpenSSL, but no active provider offers it"],
    "masks": ["aes", "sha"],
    "masks_unavailable": ["vector: OpenSSL uses none of AVX512F on this CPU"],
}


def complete(**parameters: Any) -> dict[str, Any]:
    return WORKLOAD.complete(parameters)


def refusal(**parameters: Any) -> str:
    return WORKLOAD.refusal(complete(**parameters), CHOICES)


def test_defaults_fill_what_is_left_out() -> None:
    assert complete(algorithms=["sha256"]) == {
        "algorithms": ["sha256"],
        "sizes_bytes": [8192],
        "seconds": 1,
        "pairs": 5,
        "processes": 1,
        "masks": [],
        "control": True,
    }


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({"pairs": 4}, "parameters.pairs"),
        ({"seconds": 11}, "parameters.seconds"),
        ({"seconds": "1"}, "parameters.seconds"),
        ({"processes": 0}, "parameters.processes"),
        ({"algorithms": []}, "parameters.algorithms"),
        ({"algorithms": ["-help"]}, "parameters.algorithms[0]"),
        ({"algorithms": ["sha256", "sha256"]}, "parameters.algorithms"),
        ({"sizes_bytes": [8192, 8]}, "parameters.sizes_bytes[1]"),
        ({"masks": ["mmx"]}, "parameters.masks[0]"),
        ({"rounds": 5}, "parameters"),
    ],
)
def test_what_does_not_fit_is_named_by_its_path(parameters: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        WORKLOAD.complete(parameters)
    assert caught.value.code == "job.parameters"
    assert list(caught.value.extra["fields"]) == [path]


def test_a_host_that_has_all_of_it_is_not_refused() -> None:
    assert refusal(algorithms=["rsa2048"], masks=["aes"]) == ""
    assert refusal() == ""


def test_an_algorithm_that_the_host_lacks_is_refused_with_its_reason() -> None:
    assert refusal(algorithms=["aes-128-cbc", "rc4"]) == (
        "OpenSSL on this host cannot measure rc4 (known to OpenSSL, but no active provider offers "
        "it)."
    )


def test_a_mask_without_effect_is_refused_with_its_reason() -> None:
    assert "vector (OpenSSL uses none of AVX512F on this CPU)" in refusal(masks=["vector"])


def test_default_masks_need_one_that_has_an_effect() -> None:
    bare = {**CHOICES, "masks": ["vector"]}
    assert "neither AES nor SHA" in WORKLOAD.refusal(complete(), bare)


def test_the_duration_counts_every_timed_loop_twice_per_pair() -> None:
    one = WORKLOAD.expected_seconds(complete(algorithms=["sha256"], control=False))
    assert one == pytest.approx(2 + 5 * 2 * 1.1)
    both = WORKLOAD.expected_seconds(complete(algorithms=["sha256", "rsa2048"], control=False))
    assert both == pytest.approx(2 + 5 * 2 * 3 * 1.1)


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        (("aes-128-cbc", 8192, "encrypt"), "AES-128-CBC at 8 KiB"),
        (("sha256", 64, "digest"), "SHA-256 at 64 B"),
        (("sha3-256", 1048576, "digest"), "SHA3-256 at 1 MiB"),
        (("chacha20-poly1305", 1400, "encrypt"), "ChaCha20-Poly1305 at 1400 B"),
        (("rsa2048", None, "sign"), "RSA-2048 sign"),
        (("ecdsap256", None, "verify"), "ECDSA P-256 verify"),
        (("ed25519", None, "sign"), "Ed25519 sign"),
    ],
)
def test_cells_have_names_that_people_use(parts: tuple[str, int | None, str], title: str) -> None:
    assert cell_title(*parts) == title


def test_what_the_agent_says_of_a_cell_goes_before_its_name() -> None:
    result = {
        "cells": {"md5/8192/digest": {"is_negative_control": True}},
        "parameters": {"masks": ["aes", "sha", "vector"]},
    }
    info = WORKLOAD.cell_info("md5/8192/digest", complete(), result)
    assert info.is_negative_control
    aes = WORKLOAD.cell_info("aes-256-gcm/16/encrypt", complete(), result)
    assert (aes.without, aes.is_negative_control) == ("AES, vector units", False)


def test_a_mask_of_vector_units_leaves_chacha_no_control() -> None:
    info = WORKLOAD.cell_info("chacha20/16/encrypt", complete(masks=["vector"]), {})
    assert not info.is_negative_control


def test_published_figures_stand_beside_the_same_algorithm_size_and_operation() -> None:
    (figure,) = published_beside("openssl.speed", "sha256", 8192, "digest")
    assert (figure.ratio, figure.publisher) == (8.0, "Oracle blog, 2012")
    assert published_beside("openssl.speed", "sha256", 16384, "digest") == []
    assert [f.ratio for f in published_beside("openssl.speed", "dsa2048", None, "sign")] == [5.0]
    assert published_figures("no.such_workload") == ()
