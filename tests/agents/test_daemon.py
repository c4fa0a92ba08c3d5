"""The daemon as a whole: small and quiet when idle, one per state directory, supervised threads."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from agents.daemon import AlreadyRunning, Daemon, running_pid, take_lock
from agents.enrolment import machine_id
from agents.worker.core import Core
from tests.agents.support.console_stub import ConsoleStub
from tests.agents.support.daemons import DaemonProcess, enrolled, wait_until
from tests.support.redis import redis_running

PSS_LIMIT_BYTES = 60_000_000
CPU_LIMIT_PERCENT = 0.5


class SilentBell:
    """A doorbell that nobody rings."""

    def run(self) -> None:
        """Hear nothing."""

    def stop(self) -> None:
        """Hear nothing more."""


@pytest.fixture
def idle_daemon(stub: ConsoleStub, tmp_path: Path) -> Iterator[DaemonProcess]:
    """A daemon with a real broker that has scanned, connected and settled."""
    stub.heartbeat_seconds = 15
    (tmp_path / "redis").mkdir()
    with redis_running(tmp_path / "redis") as url:
        enrolled(tmp_path / "state", stub.url, broker_url=url)
        daemon = DaemonProcess(tmp_path / "state")
        wait_until(lambda: "broker.connected" in daemon.log.read_text())
        wait_until(lambda: stub.snapshots)
        yield daemon
        daemon.end()


def processes(daemon: DaemonProcess) -> list[psutil.Process]:
    root = psutil.Process(daemon.process.pid)
    return [root, *root.children(recursive=True)]


def cpu_seconds(daemon: DaemonProcess) -> float:
    times = [process.cpu_times() for process in processes(daemon)]
    return sum(
        time.user + time.system + time.children_user + time.children_system for time in times
    )


def test_an_idle_daemon_is_small_and_quiet(idle_daemon: DaemonProcess) -> None:
    time.sleep(8)
    before, begun = cpu_seconds(idle_daemon), time.monotonic()
    time.sleep(20)
    percent = 100 * (cpu_seconds(idle_daemon) - before) / (time.monotonic() - begun)
    pss = sum(process.memory_full_info().pss for process in processes(idle_daemon))
    assert pss <= PSS_LIMIT_BYTES
    assert percent < CPU_LIMIT_PERCENT


def test_sigterm_ends_it_at_once_with_code_zero(idle_daemon: DaemonProcess) -> None:
    begun = time.monotonic()
    assert idle_daemon.terminate() == 0
    assert time.monotonic() - begun < 5


def test_enrolled_again_it_starts_afresh_with_the_new_identity(
    stub: ConsoleStub, tmp_path: Path
) -> None:
    state_dir = tmp_path / "state"
    enrolled(state_dir, stub.url)
    known = machine_id(state_dir)
    daemon = DaemonProcess(state_dir)
    wait_until(lambda: "contact.made" in daemon.log.read_text())
    time.sleep(0.02)
    enrolled(state_dir, stub.url, host_id="h2")
    wait_until(lambda: daemon.log.read_text().count("contact.made") == 2)
    assert daemon.process.poll() is None
    assert machine_id(state_dir) == known
    daemon.end()


def test_a_state_directory_has_one_daemon(tmp_path: Path) -> None:
    lock = take_lock(tmp_path)
    assert running_pid(tmp_path) is not None
    with pytest.raises(AlreadyRunning, match="state_dir of its own"):
        take_lock(tmp_path)
    assert lock >= 0


def test_a_state_directory_without_a_daemon_has_no_pid(tmp_path: Path) -> None:
    assert running_pid(tmp_path) is None


def run_with(daemon: Daemon, name: str, loop: Callable[[], None]) -> None:
    daemon._kept_alive(name, loop)


def test_a_thread_that_fails_is_started_again(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.daemon._RESTART_SECONDS", 0.01)
    calls: list[int] = []

    def loop() -> None:
        calls.append(1)
        if len(calls) < 3:
            raise RuntimeError("a defect")

    run_with(Daemon(core, lambda _daemon: SilentBell()), "contact", loop)
    assert len(calls) == 3


def test_a_doorbell_rings_its_lane_or_both(core: Core) -> None:
    daemon = Daemon(core, lambda _daemon: SilentBell())
    rung: list[str] = []
    for lane, worker in daemon._lanes.items():
        worker.ring = lambda lane=lane: rung.append(lane)  # type: ignore[method-assign,misc]
    daemon.ring("quick", "")
    daemon.ring("nonsense", "")
    assert rung == ["quick", "work", "quick"]
