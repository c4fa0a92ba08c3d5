"""From output to samples: shares of CPU time, doubts, and figures that cannot be true."""

from dataclasses import replace
from typing import Any

import pytest

from agents.executors.process import CommandResult
from agents.parsers.openssl import parse_speed
from agents.wire.work import CpuSplit, SampleData
from agents.workloads.openssl_speed.plan import Measurement
from agents.workloads.openssl_speed.samples import ImpossibleFigure, TimedCommand, read_samples

CIPHER_OUT = "+H:8192\n+F:25:AES-128-CBC:819200000.00\n"
CIPHER_ERR = "+DT:AES-128-CBC:1:8192\n+R:100000:AES-128-CBC:1.000000\n"
RSA_OUT = "+F2:2:2048:2000.000000:60000.000000\n"
RSA_ERR = (
    "+DTP:2048:private:rsa:1\n+R1:2000:2048:1.00\n+DTP:2048:public:rsa:1\n+R2:180000:2048:3.00\n"
)
CIPHER = Measurement(algorithm="aes-128-cbc", size_bytes=8192)
RSA = Measurement(algorithm="rsa2048", size_bytes=None)


def timed(measurement: Measurement = CIPHER, **changes: Any) -> TimedCommand:
    result = CommandResult(
        argv=("openssl", "speed"),
        returncode=0,
        stdout="",
        stderr="",
        wall_seconds=changes.pop("wall", 1.01),
        user_seconds=changes.pop("user", 1.0),
        system_seconds=changes.pop("system", 0.0),
    )
    command = TimedCommand(
        measurement=measurement,
        variant="software",
        round=3,
        started_at="2026-01-02T03:04:05.678+00:00",
        result=result,
        host_cpu=CpuSplit(user=0.5, idle=0.5),
        processes=1,
        cpu_count=2,
    )
    return replace(command, **changes)


def read(command: TimedCommand, out: str = CIPHER_OUT, err: str = CIPHER_ERR) -> list[SampleData]:
    return read_samples(command, parse_speed(out, err), position=7)


def test_a_cipher_gives_one_sample_with_figure_counts_and_cpu_time() -> None:
    (sample,) = read(timed())
    assert (sample.cell, sample.variant, sample.round) == (
        "aes-128-cbc/8192/encrypt",
        "software",
        3,
    )
    assert (sample.metric, sample.unit, sample.value) == ("throughput", "B/s", 819200000.0)
    assert (sample.operations, sample.bytes) == (100000, 819200000)
    assert (sample.wall_seconds, sample.user_seconds) == (1.01, 1.0)
    assert sample.notes == []


def test_sign_and_verify_share_the_commands_time_as_their_loops_did() -> None:
    sign, verify = read(timed(RSA, wall=4.0, user=3.6, system=0.4), RSA_OUT, RSA_ERR)
    assert (sign.cell, sign.value, sign.unit) == ("rsa2048/sign", 2000.0, "ops/s")
    assert (verify.cell, verify.operations, verify.bytes) == ("rsa2048/verify", 180000, None)
    assert (sign.wall_seconds, verify.wall_seconds) == (1.0, 3.0)
    assert (sign.user_seconds, verify.system_seconds) == pytest.approx((0.9, 0.3))
    assert (sign.position, verify.position) == (7, 8)


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({"wall": 1.3, "user": 1.2}, "timed 1.00 s of the 1.30 s"),
        ({"user": 0.6, "host_cpu": CpuSplit(user=0.3)}, "only 59% of the processor time"),
        ({"host_cpu": CpuSplit(user=0.5, steal=0.07)}, "took 7% of the host's processor time"),
        ({"host_cpu": CpuSplit(user=0.9)}, "other programs kept 0.8 of 2 processors busy"),
    ],
    ids=["clock", "starved", "steal", "other load"],
)
def test_what_makes_a_figure_doubtful_is_noted(changes: dict[str, Any], doubt: str) -> None:
    (sample,) = read(timed(**changes))
    assert len(sample.notes) == 1
    assert doubt in sample.notes[0]


def test_a_figure_whose_own_times_cannot_be_read_is_noted_as_unchecked() -> None:
    (sample,) = read(timed(), err="")
    assert "could not be read" in sample.notes[0]
    assert sample.operations is None


@pytest.mark.parametrize(
    ("out", "err", "problem"),
    [
        (CIPHER_OUT.replace("819200000.00", "inf"), CIPHER_ERR, "inf is no speed"),
        (CIPHER_OUT.replace("819200000.00", "nan"), CIPHER_ERR, "nan is no speed"),
        (CIPHER_OUT.replace("819200000.00", "0.00"), CIPHER_ERR, "0.0 is no speed"),
        (CIPHER_OUT.replace("8192000", "9192000"), CIPHER_ERR, "own count gives 8.192e"),
        (CIPHER_OUT, CIPHER_ERR.replace("1.000000", "1.400000"), "only 1.01 s passed"),
        (CIPHER_OUT + CIPHER_OUT, CIPHER_ERR, "2 lines came"),
        ("Forked child 0\n" + CIPHER_OUT, CIPHER_ERR, "1 started"),
        (RSA_OUT, RSA_ERR, "0 lines came"),
    ],
)
def test_a_figure_that_cannot_be_true_is_refused(out: str, err: str, problem: str) -> None:
    with pytest.raises(ImpossibleFigure, match=problem):
        read(timed(), out, err)


def test_a_signature_needs_exactly_its_one_line() -> None:
    with pytest.raises(ImpossibleFigure, match="2 came"):
        read(timed(RSA), RSA_OUT + RSA_OUT, RSA_ERR)


def test_all_processes_asked_for_must_have_run() -> None:
    with pytest.raises(ImpossibleFigure, match="2 processes were asked for, and 0 started"):
        read(timed(processes=2))


def test_two_processes_are_summed() -> None:
    out = "Forked child 0\nForked child 1\n+F:25:AES-128-CBC:1638400000.00\n"
    (sample,) = read(timed(processes=2, user=2.0), out, CIPHER_ERR + CIPHER_ERR)
    assert (sample.operations, sample.value) == (200000, 1638400000.0)
    assert sample.notes == []
