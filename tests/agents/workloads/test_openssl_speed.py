"""openssl.speed against a stand-in program: choices, refusals, interleaving, raw output kept."""

from pathlib import Path
from typing import Any

import pytest

from agents.executors.process import run_command
from agents.wire.inventory import HostFacts, WorkloadFacts
from agents.wire.work import RunOutcome
from agents.workloads.base import InvalidParameters, WorkloadHost, WorkloadRefused
from agents.workloads.openssl_speed import OpensslSpeed
from agents.workloads.registry import WORKLOADS, get_workload
from tests.agents.workloads.context import RecordingContext
from tests.agents.workloads.fake_openssl import FakeOpenssl

AES: dict[str, Any] = {"algorithms": ["aes-128-cbc"], "control": False}


def check(state_dir: Path, *, is_simulated: bool = False) -> WorkloadFacts:
    facts = HostFacts(hostname="h", platform="linux", is_simulated=is_simulated)
    return OpensslSpeed().check(WorkloadHost(facts=facts, state_dir=state_dir))


def refusal(tmp_path: Path, parameters: dict[str, Any] = AES, **limits: float) -> str:
    context = RecordingContext(tmp_path, parameters, **limits)  # type: ignore[arg-type]
    with pytest.raises(WorkloadRefused) as raised:
        OpensslSpeed().run(context)
    return raised.value.sentence


def test_choices_are_what_the_program_offers_and_really_does(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    fake_openssl.answer(refuses_sha256="0:error:0308010C:envelope routines:fetch:unsupported:x:1\n")
    facts = check(tmp_path)
    assert facts.is_eligible
    assert facts.choices["algorithms"][:2] == ["aes-128-cbc", "chacha20-poly1305"]
    assert facts.choices["masks"] == ["aes", "sha"]
    unavailable = facts.choices["algorithms_unavailable"]
    assert "sha256: envelope routines: unsupported" in unavailable
    assert "rc4: known to OpenSSL, but no active provider offers it (legacy)" in unavailable


def test_choices_are_tried_once_and_again_after_a_change(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    first = check(tmp_path)
    tried = len(fake_openssl.calls("speed"))
    assert check(tmp_path) == first
    assert len(fake_openssl.calls("speed")) == tried > 0
    fake_openssl.answer(version="OpenSSL 3.2.10 1 May 2025\n")
    check(tmp_path)
    assert len(fake_openssl.calls("speed")) > tried


@pytest.mark.parametrize("kept", ["", "[]", '{"key": 1}', '{"key": "x", "available": 3}'])
def test_a_broken_cache_is_asked_again(
    fake_openssl: FakeOpenssl, tmp_path: Path, kept: str
) -> None:
    (tmp_path / "openssl_speed_choices.json").write_text(kept)
    assert "aes-128-cbc" in check(tmp_path).choices["algorithms"]


def test_a_state_directory_that_is_not_there_costs_only_time(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    assert check(tmp_path / "missing").is_eligible


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"version": "LibreSSL 3.8.2\n"}, "is LibreSSL 3.8.2"),
        ({"version": "OpenSSL 1.1.1w  11 Sep 2023\n"}, "needs OpenSSL 3.0 or later"),
        ({"version": "what?\n"}, "gives no version"),
        ({"info": "Undefined\n"}, "does not say which CPU instructions"),
        ({"info": "OPENSSL_ia32cap=0x1:0x1\n"}, "nothing to switch off"),
    ],
)
def test_a_host_that_cannot_compare_says_why(
    fake_openssl: FakeOpenssl, tmp_path: Path, answers: dict[str, str], reason: str
) -> None:
    fake_openssl.answer(**answers)
    facts = check(tmp_path)
    assert not facts.is_eligible
    assert reason in facts.reason


def test_a_host_without_openssl_says_so(without_openssl: None, tmp_path: Path) -> None:
    assert check(tmp_path).reason.startswith("There is no openssl program")
    assert refusal(tmp_path).startswith("There is no openssl program")


def test_a_simulated_host_measures_nothing(tmp_path: Path) -> None:
    assert "not live hardware" in check(tmp_path, is_simulated=True).reason


def test_pairs_alternate_and_every_sample_knows_its_place(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    context = RecordingContext(tmp_path, AES)
    result = OpensslSpeed().run(context)
    assert result.outcome is RunOutcome.SUCCEEDED
    assert [(s.round, s.variant[0]) for s in context.samples] == [
        *((0, "a"), (0, "s"), (1, "s"), (1, "a"), (2, "a"), (2, "s")),
        *((3, "s"), (3, "a"), (4, "a"), (4, "s")),
    ]
    assert [s.position for s in context.samples] == list(range(10))


def test_the_result_holds_versions_masks_and_the_programs_own_word(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    result = OpensslSpeed().run(RecordingContext(tmp_path, AES)).result
    assert result["openssl"]["version"] == "3.2.9"
    assert result["switched_off"] == ["AES-NI", "PCLMULQDQ", "VAES", "VPCLMULQDQ", "SHA-NI"]
    assert result["cpusettings"]["software"].startswith("OPENSSL_ia32cap=0x1:0x1 env:")
    assert "switches off AES-NI, PCLMULQDQ" in result["mask_sentence"]
    assert result["cells"]["aes-128-cbc/8192/encrypt"]["is_negative_control"] is False


def test_progress_counts_down_to_nothing_left(fake_openssl: FakeOpenssl, tmp_path: Path) -> None:
    context = RecordingContext(tmp_path, AES)
    OpensslSpeed().run(context)
    assert [step["done"] for step in context.progress] == list(range(11))
    assert context.progress[-1]["remaining_seconds"] == 0
    assert context.progress[1]["doing"] == "aes-128-cbc, software"


def test_raw_output_is_kept_with_the_command_and_its_environment(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    context = RecordingContext(tmp_path, AES)
    OpensslSpeed().run(context)
    texts = [text for stream, text in context.output if stream == "stdout"]
    assert len(texts) == 10
    assert texts[1].startswith("# round 0, software: OPENSSL_ia32cap=~0x200000200000000:~0x60020")
    assert texts[1].endswith("+F:25:AES-128-CBC:81920000.00\n")


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"speed_stdout": "+F:25:AES-128-CBC:inf\n"}, "inf is no speed"),
        ({"speed_stdout": "Segmentation fault\n"}, "cannot read"),
        ({"speed_stdout": ""}, "cannot read"),
        ({"speed_code": "3\n", "speed_stderr": "no memory\n"}, "ended with code 3: no memory"),
        ({"speed_stderr": "+DT:A:1:8192\n+R:100:A:99.000000\n"}, "99.00 s, but only"),
    ],
    ids=["infinite", "garbage", "empty", "failed", "too long"],
)
def test_an_output_that_is_no_figure_ends_the_run_and_is_kept(
    fake_openssl: FakeOpenssl, tmp_path: Path, answers: dict[str, str], sentence: str
) -> None:
    check(tmp_path)
    fake_openssl.answer(**answers)
    context = RecordingContext(tmp_path, AES)
    with pytest.raises(WorkloadRefused, match=sentence) as raised:
        OpensslSpeed().run(context)
    assert context.samples == []
    assert answers.get("speed_stdout", "+F") in "".join(text for _, text in context.output)
    assert raised.value.result["openssl"]["version"] == "3.2.9"


@pytest.mark.parametrize(
    ("masked", "sentence"),
    [
        ("OPENSSL_ia32cap=0x0200000200000001:0x0000060020000001", "still uses AES-NI"),
        ("OPENSSL_ia32cap=0x0:0x0", "changed more than it names"),
        ("Undefined", "does not say which instructions"),
    ],
)
def test_a_mask_that_did_not_do_what_it_says_measures_nothing(
    fake_openssl: FakeOpenssl, tmp_path: Path, masked: str, sentence: str
) -> None:
    check(tmp_path)
    tried = len(fake_openssl.calls("speed"))
    fake_openssl.answer(info_masked=masked + "\n")
    assert sentence in refusal(tmp_path)
    assert len(fake_openssl.calls("speed")) == tried


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"algorithms": ["rc4"]}, r"cannot measure rc4 \(known to OpenSSL"),
        ({"algorithms": ["enigma"]}, r"cannot measure enigma \(no algorithm"),
        ({"masks": ["vector"]}, "Both variants would be the same"),
        ({"processes": 1000}, "1000 processes were asked for"),
    ],
)
def test_what_the_host_cannot_do_is_refused_with_the_reason(
    fake_openssl: FakeOpenssl, tmp_path: Path, parameters: dict[str, Any], sentence: str
) -> None:
    context = RecordingContext(tmp_path, {**AES, **parameters})
    with pytest.raises(WorkloadRefused, match=sentence):
        OpensslSpeed().run(context)


def test_a_run_that_cannot_end_in_time_is_not_started(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    sentence = refusal(tmp_path, AES | {"pairs": 100}, seconds=60.0)
    assert "would take about 210 s, but the run may last" in sentence


@pytest.mark.parametrize(("seconds", "controls"), [(60.0, 1), (15.0, 0)])
def test_a_negative_control_is_added_as_long_as_there_is_time(
    fake_openssl: FakeOpenssl, tmp_path: Path, seconds: float, controls: int
) -> None:
    context = RecordingContext(tmp_path, {"algorithms": ["aes-128-cbc"]}, seconds=seconds)
    result = OpensslSpeed().run(context).result
    marked = [cell for cell, what in result["cells"].items() if what["is_negative_control"]]
    assert marked == ["chacha20-poly1305/8192/encrypt"] * controls
    assert ("left out" in result["control"]) is (controls == 0)


def test_figures_of_two_versions_never_stand_in_one_run(
    fake_openssl: FakeOpenssl, tmp_path: Path
) -> None:
    def upgrade() -> bool:
        if len(context.samples) == 9:
            fake_openssl.answer(version="OpenSSL 3.2.10 1 May 2025\n")
        return False

    context = RecordingContext(tmp_path, AES, cancel_when=upgrade)
    with pytest.raises(WorkloadRefused, match="OpenSSL was changed on this host during the run"):
        OpensslSpeed().run(context)


def test_wrong_parameters_are_refused_by_both_ways_in(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="pairs: expected 5 to 200"):
        OpensslSpeed().validate({"pairs": 1})
    assert "does not accept these parameters: pairs" in refusal(tmp_path, {"pairs": 1})


def test_the_registry_knows_each_workload_by_its_own_name() -> None:
    assert [get_workload(workload.name) for workload in WORKLOADS] == list(WORKLOADS)
    with pytest.raises(WorkloadRefused, match=r"does not know the workload 'x'.*openssl\.speed"):
        get_workload("x")


def test_the_real_program_offers_what_this_test_needs(tmp_path: Path) -> None:
    facts = check(tmp_path)
    if not facts.is_eligible:
        pytest.skip(facts.reason)
    assert run_command(["openssl", "version"], timeout_seconds=5).is_ok
    assert {"sha256", "rsa2048", "ecdsap256"} <= set(facts.choices["algorithms"])
