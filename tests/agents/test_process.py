"""The subprocess helper: deadlines, caps, cancel, and that nothing is left behind."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from agents.executors.process import (
    CommandNotStarted,
    child_environment,
    run_command,
    spawn_detached,
    stream_command,
)
from agents.executors.processtree import (
    MARK_VARIABLE,
    ProcessIdentity,
    descendants,
    end_process_tree,
    identify,
    marked,
)

SLEEPER = "import time; time.sleep(60)"
ESCAPEE = f"import os,time; os.setsid(); print(os.getpid(), flush=True); {SLEEPER}"
STUBBORN = f"import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def wait_for_pid(path: Path) -> int:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        time.sleep(0.01)
    raise AssertionError(f"{path} never appeared")


def is_running(pid: int) -> bool:
    return identify(pid) is not None


def is_gone_soon(pid: int) -> bool:
    """SIGKILL has been sent; a busy kernel takes a moment to carry it out."""
    until = time.monotonic() + 2
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_running(pid)


def test_output_code_and_argv_come_back() -> None:
    result = run_command(
        python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"),
        timeout_seconds=10,
    )
    assert (result.stdout, result.stderr, result.returncode) == ("out\n", "err\n", 3)
    assert not result.is_ok


def test_a_program_sees_only_the_fixed_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_AGENT", "x")
    result = run_command(["/usr/bin/env"], timeout_seconds=10, env={"EXTRA": "1"})
    names = {line.partition("=")[0] for line in result.stdout.splitlines()}
    assert names == {"LC_ALL", "TZ", "HOME", "PATH", "EXTRA"}


def test_a_missing_program_is_named() -> None:
    with pytest.raises(CommandNotStarted, match="/nowhere/tool could not be started"):
        run_command(["/nowhere/tool"], timeout_seconds=1)


def test_a_command_line_as_one_string_is_refused() -> None:
    with pytest.raises(TypeError, match="no shell"):
        run_command("echo hello", timeout_seconds=1)


def test_standard_input_larger_than_a_pipe_arrives_whole() -> None:
    data = b"x" * 300_000
    result = run_command(
        python("import sys; print(len(sys.stdin.buffer.read()))"), timeout_seconds=10, stdin=data
    )
    assert result.stdout.strip() == "300000"


def test_output_beyond_the_cap_is_dropped_and_said() -> None:
    result = run_command(python("print('y' * 500_000)"), timeout_seconds=10, output_cap_bytes=1000)
    assert (len(result.stdout), result.truncated, result.returncode) == (1000, True, 0)


def test_a_deadline_ends_a_program_that_ignores_sigterm_within_two_seconds() -> None:
    started = time.monotonic()
    result = run_command(python(STUBBORN), timeout_seconds=0.5)
    assert result.timed_out
    assert result.returncode == -signal.SIGKILL
    assert time.monotonic() - started < 2.5


def test_a_deadline_also_ends_a_grandchild_in_its_own_session(tmp_path: Path) -> None:
    code = "import subprocess,sys,time; subprocess.Popen([sys.executable,'-c',sys.argv[1]])\n"
    result = run_command(python(code + SLEEPER, ESCAPEE), timeout_seconds=1.0)
    grandchild = int(result.stdout)
    assert result.timed_out
    assert is_gone_soon(grandchild)


def test_a_background_child_that_keeps_the_pipe_does_not_hold_us() -> None:
    started = time.monotonic()
    code = "import subprocess,sys; subprocess.Popen([sys.executable,'-c',sys.argv[1]])"
    result = run_command(python(code, SLEEPER), timeout_seconds=30)
    assert result.returncode == 0
    assert time.monotonic() - started < 5


def test_cpu_seconds_are_the_childs_own() -> None:
    busy = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    result = run_command(python(busy), timeout_seconds=20)
    assert 0.25 < result.user_seconds + result.system_seconds < 2.0
    assert result.wall_seconds >= 0.3


def test_streaming_gives_output_as_it_comes_and_stops_when_told() -> None:
    seen: list[bytes] = []
    code = "import time\nfor i in range(1000): print(i, flush=True); time.sleep(0.05)"
    result = stream_command(
        python(code),
        timeout_seconds=30,
        on_output=lambda _stream, data: seen.append(data),
        should_stop=lambda: len(seen) >= 3,
    )
    assert result.stopped
    assert not result.timed_out
    assert b"".join(seen).startswith(b"0\n1\n2\n")


def test_a_failing_sink_leaves_no_process_behind() -> None:
    pids: list[int] = []

    def sink(_stream: str, data: bytes) -> None:
        pids.append(int(data))
        raise RuntimeError("sink is full")

    with pytest.raises(RuntimeError, match="sink is full"):
        stream_command(
            python(ESCAPEE.replace("os.setsid(); ", "")), timeout_seconds=9, on_output=sink
        )
    assert is_gone_soon(pids[0])


def test_an_identity_is_not_fooled_by_another_start_time() -> None:
    mine = identify(os.getpid())
    assert mine is not None
    assert mine.is_alive()
    assert not ProcessIdentity(pid=os.getpid(), start_time="another").is_alive()


def test_a_detached_process_is_in_its_own_session_and_writes_to_its_file(tmp_path: Path) -> None:
    log = tmp_path / "log"
    child = spawn_detached(python(ESCAPEE.replace("os.setsid(); ", "")), stdout_path=log)
    pid = wait_for_pid(log)
    assert os.getsid(pid) == pid == child.identity.pid
    assert end_process_tree(child.identity)
    assert child.poll() == -signal.SIGTERM


def test_ending_a_tree_finds_what_left_the_tree_by_its_mark(tmp_path: Path) -> None:
    code = (
        "import subprocess,sys,time\n"
        "subprocess.Popen([sys.executable,'-c','import subprocess,sys; "
        'subprocess.Popen([sys.executable,"-c",sys.argv[1]])\',sys.argv[1]]).wait()\n'
    )
    log = tmp_path / "log"
    child = spawn_detached(
        python(code + SLEEPER, ESCAPEE),
        stdout_path=log,
        env=child_environment({MARK_VARIABLE: "run-of-this-test"}),
    )
    orphan = wait_for_pid(log)
    started = time.monotonic()
    assert orphan not in {identity.pid for identity in descendants(child.identity.pid)}
    assert orphan in {identity.pid for identity in marked("run-of-this-test")}
    assert end_process_tree(child.identity, mark="run-of-this-test")
    assert not is_running(orphan)
    assert time.monotonic() - started < 2


def test_ending_a_stubborn_tree_takes_less_than_two_seconds(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = STUBBORN.replace("time.sleep(60)", "print(1, flush=True); time.sleep(60)")
    child = spawn_detached(python(code), stdout_path=log)
    wait_for_pid(log)
    started = time.monotonic()
    assert end_process_tree(child.identity)
    assert time.monotonic() - started < 2
    assert child.poll() == -signal.SIGKILL
