"""Fixtures of the agent's tests: a console in memory and an agent's core that talks to it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.config import AgentConfig, Config
from agents.daemon import open_core
from agents.enrolment import Identity
from agents.worker import changes, runs, scans
from agents.worker.core import Core
from tests.agents.support.console_stub import ConsoleStub, StubServer
from tests.agents.support.daemons import enrolled

MakeCore = Callable[..., Core]


@pytest.fixture
def stub() -> Iterator[ConsoleStub]:
    """A console in memory, served on loopback."""
    stub = ConsoleStub()
    server = StubServer(stub)
    yield stub
    server.close()


@pytest.fixture
def identity(stub: ConsoleStub, tmp_path: Path) -> Identity:
    """An agent enrolled with that console."""
    return enrolled(tmp_path / "state", stub.url)


@pytest.fixture
def make_core(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MakeCore]:
    """Opens the core of that agent, as often as asked: with test workloads and a small scan."""
    monkeypatch.setattr(runs, "JOB_ENTRY", ("-m", "tests.agents.support.workloads"))
    monkeypatch.setattr(changes, "CHANGE_ENTRY", ("-m", "tests.agents.support.change_entry"))
    monkeypatch.setattr(scans, "SCAN_ENTRY", ("-m", "tests.agents.support.scan_entry"))
    cores: list[Core] = []

    def make(**agent: Any) -> Core:
        config = Config(agent=replace(AgentConfig(), **agent), state_dir=tmp_path / "state")
        cores.append(open_core(config, identity))
        return cores[-1]

    yield make
    for core in cores:
        core.stop.set()
        core.client.close()


@pytest.fixture
def core(make_core: MakeCore) -> Core:
    """The core of that agent."""
    return make_core()
