"""openssl.speed with this host's own OpenSSL, as short as it goes. No test asserts a speed."""

import threading
import time
from pathlib import Path

import pytest

from agents.executors.process import run_command
from agents.executors.processtree import MARK_VARIABLE, marked
from agents.workloads.base import RunCancelled, RunResult
from agents.workloads.openssl_speed import OpensslSpeed
from agents.workloads.openssl_speed.masks import mask_choices
from agents.workloads.openssl_speed.program import OpensslUnusable, ask_openssl
from tests.agents.workloads.context import RecordingContext


@pytest.fixture(scope="module")
def masks() -> tuple[str, ...]:
    """The masks of this host; the tests here need one."""
    try:
        found = mask_choices(ask_openssl(run_command).settings).available
    except OpensslUnusable as error:
        pytest.skip(str(error))
    if not found:
        pytest.skip("no mask has an effect on this CPU")
    return found


@pytest.fixture(scope="module")
def live(
    masks: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> tuple[RecordingContext, RunResult]:
    """One run of ten seconds."""
    parameters = {"algorithms": ["sha256"], "masks": [masks[0]], "control": False}
    context = RecordingContext(tmp_path_factory.mktemp("live"), parameters)
    return context, OpensslSpeed().run(context)


def test_a_run_gives_five_pairs(live: tuple[RecordingContext, RunResult]) -> None:
    context, _ = live
    assert len(context.samples) == 10
    for number in range(5):
        pair = {s.variant for s in context.samples if s.round == number}
        assert pair == {"accelerated", "software"}


def test_the_program_never_claims_more_than_our_own_clock_allows(
    live: tuple[RecordingContext, RunResult],
) -> None:
    context, _ = live
    for sample in context.samples:
        assert sample.bytes is not None
        assert sample.value > 0.95 * sample.bytes / sample.wall_seconds


def test_cpu_seconds_are_those_of_the_program(live: tuple[RecordingContext, RunResult]) -> None:
    context, _ = live
    for sample in context.samples:
        assert 0 < sample.user_seconds + sample.system_seconds <= sample.wall_seconds * 1.05
        assert 0 < sample.host_cpu.user <= 1


def test_the_proof_differs_between_the_variants(live: tuple[RecordingContext, RunResult]) -> None:
    _, result = live
    said = result.result["cpusettings"]
    assert said["accelerated"] != said["software"]
    assert result.result["switched_off"]


def test_two_processes_and_a_signature_are_read_too(masks: tuple[str, ...], tmp_path: Path) -> None:
    parameters = {
        "algorithms": ["ecdsap256"],
        "masks": [masks[0]],
        "control": False,
        "processes": 2,
    }
    context = RecordingContext(tmp_path, parameters, cancel_when=lambda: len(context.samples) == 4)
    with pytest.raises(RunCancelled):
        OpensslSpeed().run(context)
    assert {s.cell for s in context.samples} == {"ecdsap256/sign", "ecdsap256/verify"}


def test_cancel_ends_the_program_within_two_seconds(
    masks: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = f"cancel-test-{tmp_path.name}"
    monkeypatch.setenv(MARK_VARIABLE, mark)
    asked: list[float] = []
    parameters = {"algorithms": ["sha256"], "masks": [masks[0]], "seconds": 30, "processes": 2}
    context = RecordingContext(tmp_path, parameters, seconds=3600, cancel_when=lambda: bool(asked))
    thread = threading.Thread(target=_ask_once_it_runs, args=(context, asked))
    thread.start()
    with pytest.raises(RunCancelled):
        OpensslSpeed().run(context)
    thread.join()
    assert time.monotonic() - asked[0] < 2
    assert not marked(mark)


def _ask_once_it_runs(context: RecordingContext, asked: list[float]) -> None:
    while not context.progress:
        time.sleep(0.05)
    time.sleep(0.3)
    asked.append(time.monotonic())
