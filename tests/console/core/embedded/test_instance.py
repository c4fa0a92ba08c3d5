"""One supervisor per folder; what a killed one left behind is found and ended."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.core.embedded.instance import (
    AlreadyRunning,
    InstanceLock,
    ProcessId,
    instance_stop,
    process_start,
)
from console.core.embedded.layout import VarLayout


@pytest.fixture
def layout(tmp_path: Path) -> VarLayout:
    layout = VarLayout(tmp_path / "var")
    layout.prepare()
    return layout


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


def _identity(pid: int) -> ProcessId:
    return ProcessId(pid, process_start(pid) or 0)


def test_a_second_supervisor_is_refused_and_told_where_the_first_runs(layout: VarLayout) -> None:
    first = InstanceLock(layout)
    first.acquire()
    first.write_record("http://127.0.0.1:8123", {})
    with pytest.raises(AlreadyRunning, match=f"http://127.0.0.1:8123 .process {os.getpid()}."):
        InstanceLock(layout).acquire()


def test_the_lock_ends_with_its_holder_however_that_ends(layout: VarLayout) -> None:
    code = (
        "import os, signal; from pathlib import Path\n"
        "from console.core.embedded.instance import InstanceLock\n"
        "from console.core.embedded.layout import VarLayout\n"
        f"InstanceLock(VarLayout(Path({str(layout.root)!r}))).acquire()\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert not InstanceLock(layout).is_held()


def test_a_process_with_a_reused_number_is_not_taken_for_the_old_one(
    sleeper: subprocess.Popen[bytes],
) -> None:
    real = _identity(sleeper.pid)
    assert real.is_alive()
    assert not ProcessId(sleeper.pid, real.start_ticks - 1).is_alive()


def test_a_program_left_by_a_killed_supervisor_is_ended(
    layout: VarLayout, sleeper: subprocess.Popen[bytes]
) -> None:
    lock = InstanceLock(layout)
    lock.write_record("http://127.0.0.1:8123", {"web": _identity(sleeper.pid)})
    assert lock.end_leftovers() == ["web"]
    assert sleeper.wait(5) == -15


def test_stop_says_so_when_nothing_runs(layout: VarLayout) -> None:
    assert instance_stop(layout) == "Nothing runs here."


def test_stop_works_before_anything_was_ever_started(tmp_path: Path) -> None:
    assert instance_stop(VarLayout(tmp_path / "nowhere")) == "Nothing runs here."
