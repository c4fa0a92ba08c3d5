"""CPU accounting from /proc/stat."""

from pathlib import Path

import pytest

from agents.parsers.base import UnexpectedOutput
from agents.workloads.cpu import CpuMeter, CpuTicks, cpu_split, parse_proc_stat


def test_nice_counts_as_user_and_interrupts_as_system() -> None:
    ticks = parse_proc_stat("cpu  10 2 30 400 5 6 7 8 9 1\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
    assert ticks == CpuTicks(user=12, system=43, idle=400, iowait=5, steal=8)


def test_an_old_kernel_without_steal_still_counts() -> None:
    assert parse_proc_stat("cpu 1 2 3 4\n") == CpuTicks(user=3, system=3, idle=4, iowait=0, steal=0)


@pytest.mark.parametrize("text", ["", "cpu0 1 2 3 4\n", "cpu a b c d\n", "cpu 1 2\n"])
def test_another_file_is_not_taken_for_it(text: str) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_proc_stat(text)


def ticks(**counts: int) -> CpuTicks:
    return CpuTicks(**{"user": 0, "system": 0, "idle": 0, "iowait": 0, "steal": 0, **counts})


def test_a_split_is_fractions_of_all_processors_time() -> None:
    split = cpu_split(ticks(user=100, steal=5), ticks(user=150, idle=25, system=15, steal=15))
    assert (split.user, split.system, split.idle, split.steal) == (0.5, 0.15, 0.25, 0.1)


def test_a_counter_that_went_back_counts_as_nothing() -> None:
    assert cpu_split(ticks(iowait=50), ticks(iowait=40, idle=10)).iowait == 0


def test_no_time_passed_is_all_zero() -> None:
    assert cpu_split(ticks(user=1), ticks(user=1)).user == 0


def test_a_host_without_the_file_has_no_split(tmp_path: Path) -> None:
    assert CpuMeter(tmp_path / "stat").split() is None
