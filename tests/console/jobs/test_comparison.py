"""From samples to comparisons and their sentences."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.jobs.comparison import CellComparison, compare_run, figures_plain
from console.jobs.enums import Verdict
from console.jobs.sentences import comparison_sentence, headline
from console.jobs.workloads.openssl_speed import OpensslSpeed
from tests.console.jobs.samples import FakeSample, interleaved

AES = "aes-128-cbc/8192/encrypt"
SOFT = [250e6, 248e6, 252e6, 249e6, 251e6]
FAST = [1340e6, 1370e6, 1330e6, 1365e6, 1345e6]
WOBBLE = [1.0, 1.3, 0.8, 1.2, 0.7]
PARAMETERS = {"masks": ["aes", "sha"]}


def compared(
    samples: list[FakeSample], parameters: dict[str, object] | None = None
) -> list[CellComparison]:
    return compare_run(OpensslSpeed(), parameters or PARAMETERS, {}, samples)


def sentence(samples: list[FakeSample], **options: bool) -> str:
    simulated = options.get("is_simulated", False)
    return comparison_sentence(compared(samples)[0], is_simulated=simulated)


def test_a_faster_cell_says_how_much_by_what_and_what_it_saves() -> None:
    assert sentence(interleaved(AES, SOFT, FAST)) == (
        "AES-128-CBC at 8 KiB: 5.4 × faster with the CPU's instructions (AES), "
        "95 % interval 5.3–5.5, CPU per MB down 81 %."
    )


def test_a_slower_cell_says_that_acceleration_loses() -> None:
    said = sentence(interleaved(AES, FAST, SOFT))
    assert said.startswith("AES-128-CBC at 8 KiB: acceleration loses here, 0.19 × the speed")
    assert said.endswith("CPU per MB up 440 %.")


def test_no_difference_shown_says_what_could_have_been_found() -> None:
    said = sentence(interleaved(AES, SOFT, [s * w for s, w in zip(SOFT, WOBBLE, strict=True)]))
    assert "no difference shown (ratio 0.9" in said
    assert "5 pairs could have found" in said


def test_equal_variants_are_called_equivalent() -> None:
    said = sentence(interleaved(AES, SOFT, [value * 1.001 for value in reversed(SOFT)]))
    assert "equivalent with and without the CPU's instructions (AES), within 3 %" in said


def test_too_few_rounds_are_counted() -> None:
    assert sentence(interleaved(AES, SOFT[:4], FAST[:4])).endswith(
        "too few rounds for a verdict, 4 usable pairs where 5 are needed."
    )


def test_a_noisy_host_is_told() -> None:
    loud = [s * w for s, w in zip(SOFT * 3, WOBBLE * 3, strict=True)]
    said = sentence(interleaved(AES, SOFT * 3, loud))
    assert "this host is too noisy for a verdict" in said
    assert "even 80 pairs would leave ±" in said


def test_a_simulated_host_is_labelled_in_every_sentence() -> None:
    said = sentence(interleaved(AES, SOFT, FAST), is_simulated=True)
    assert said.startswith("Simulated host. AES-128-CBC")


def test_a_control_that_differs_warns_of_the_whole_run() -> None:
    said = sentence(interleaved("chacha20-poly1305/8192/encrypt", SOFT, FAST))
    assert said.startswith("Negative control ChaCha20-Poly1305 at 8 KiB: 5.4 × faster")
    assert said.endswith("trust the other figures of this run less.")


def test_half_a_pair_is_not_compared_but_stands_in_the_figures() -> None:
    samples = interleaved(AES, SOFT, FAST)[:-1]
    (cell,) = compared(samples)
    assert cell.paired.pairs == 4
    assert cell.verdict is Verdict.TOO_FEW_ROUNDS
    assert cell.baseline is not None
    assert (cell.baseline.samples, cell.baseline.median) == (5, 250e6)


def test_cells_keep_the_order_in_which_they_were_measured() -> None:
    first = interleaved("sha256/8192/digest", SOFT, FAST)
    second = interleaved(AES, SOFT, FAST, start=len(first))
    assert [c.info.cell for c in compared([*second, *first])] == ["sha256/8192/digest", AES]


def test_figures_hold_the_cpu_split_of_the_host() -> None:
    samples = interleaved(AES, SOFT, FAST)
    for sample in samples:
        sample.host_cpu = {"user": 0.5, "idle": 0.5} if sample.variant == "software" else {}
    (cell,) = compared(samples)
    assert cell.baseline is not None
    assert cell.baseline.host_cpu["user"] == pytest.approx(0.5)
    assert cell.baseline.host_cpu["steal"] == 0


def test_signatures_are_counted_by_operations() -> None:
    samples = interleaved("rsa2048/sign", SOFT, FAST)
    for sample in samples:
        sample.bytes, sample.operations, sample.unit = None, 1000, "ops/s"
    (cell,) = compared(samples)
    assert cell.cpu_unit == "operation"
    assert cell.baseline is not None
    assert cell.baseline.cpu_seconds_per_unit == pytest.approx(0.001)
    assert "CPU per operation unchanged" in comparison_sentence(cell, is_simulated=False)


@given(
    st.lists(
        st.builds(
            FakeSample,
            cell=st.text(max_size=20) | st.sampled_from([AES, "rsa2048/sign", "x/²/y", "a/b/c/d"]),
            variant=st.sampled_from(["software", "accelerated", "other"]),
            round=st.integers(0, 6),
            position=st.integers(0, 99),
            value=st.just(0.0) | st.floats(1e-9, 1e18),
            bytes=st.none() | st.integers(-5, 2**62),
            operations=st.none() | st.integers(-5, 2**62),
            host_cpu=st.sampled_from([{}, {"user": None}, {"user": 0.5}]),
        ),
        max_size=40,
    )
)
def test_whatever_an_agent_measures_can_be_compared_and_told(samples: list[FakeSample]) -> None:
    cells = compared(samples)
    assert len(cells) == len({sample.cell for sample in samples})
    for cell in cells:
        assert comparison_sentence(cell, is_simulated=False).endswith(".")
        assert json.dumps(figures_plain(cell.baseline), allow_nan=False)
    assert bool(headline(cells, is_simulated=False)) == bool(cells)


def test_the_headline_is_the_largest_difference_that_is_no_control() -> None:
    control = interleaved("chacha20/8192/encrypt", SOFT, [v * 9 for v in SOFT])
    small = interleaved("sha256/8192/digest", SOFT, [v * 3 for v in SOFT], start=10)
    large = interleaved(AES, SOFT, FAST, start=20)
    assert "AES-128-CBC" in headline(compared([*control, *small, *large]), is_simulated=False)
    assert headline([], is_simulated=False) == ""
