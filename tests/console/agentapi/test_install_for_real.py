"""The one command, run for real: from a bare Python to an enrolled agent, off the console alone."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from console.config.env import ROOT
from tests.support.console import RunningConsole

pytestmark = [
    pytest.mark.integration,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not list((ROOT / ".tools" / "wheels").glob("keyrack_agent-*.whl")),
        reason="the agent's wheels are not built; `make setup` builds them",
    ),
]


@contextmanager
def arguments_watched() -> Iterator[set[str]]:
    """Collect the arguments of all processes that run meanwhile, as `ps` would show them."""
    seen: set[str] = set()
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(0.02):
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    seen.add(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
                except OSError:
                    continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        is_over.set()
        watcher.join()


def places(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.defpath + ":/usr/local/bin",
        "KEYRACK_AGENT_HOME": str(folder / "home"),
        "KEYRACK_AGENT_CONFIG": str(folder / "etc" / "agent.toml"),
        "KEYRACK_AGENT_STATE": str(folder / "state"),
        "KEYRACK_AGENT_NAME": "installed",
        "KEYRACK_AGENT_SYSTEMD": "no",
    }


def install(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Type `command` into a shell, as root does (without sudo)."""
    typed = command.replace("| sudo sh", "| sh") + "\n"
    return subprocess.run(
        ["sh"], input=typed, text=True, capture_output=True, env=places(folder), timeout=110
    )


def made_token(console: RunningConsole) -> Any:
    with console.client() as client:
        return client.post("/api/v1/enrolment-tokens/", json={"max_uses": 2}).json()


@dataclass
class Installation:
    """What the command did the first time."""

    folder: Path
    token: Any
    output: str
    arguments: set[str]


@pytest.fixture(scope="module")
def installation(
    running_console: RunningConsole, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    """The command run once, on a machine without an agent."""
    folder = tmp_path_factory.mktemp("machine")
    token = made_token(running_console)
    with arguments_watched() as arguments:
        done = install(token["install"]["command"], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return Installation(folder, token, done.stdout, arguments)


def test_the_command_installs_and_enrols(
    running_console: RunningConsole, installation: Installation
) -> None:
    assert "Enrolled as installed" in installation.output
    with running_console.client() as client:
        hosts = client.get("/api/v1/hosts/", params={"search": "installed"}).json()["results"]
    assert [(host["name"], host["state"]) for host in hosts] == [("installed", "pending")]


def test_a_command_that_does_not_reach_the_console_fails(
    installation: Installation, tmp_path: Path
) -> None:
    """Whoever scripts it must see that; an empty script alone would be a success."""
    command = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:1", installation.token["install"]["command"])
    assert install(command, tmp_path).returncode != 0


def test_no_process_had_the_token_in_its_arguments(installation: Installation) -> None:
    assert any("keyrack-agent enrol" in line for line in installation.arguments)
    secret = installation.token["secret"]
    assert not [line for line in installation.arguments if secret in line]


def test_what_is_installed_works(installation: Installation) -> None:
    agent = [str(installation.folder / "home" / "bin" / "keyrack-agent"), "inventory", "--json"]
    facts = subprocess.run(agent, capture_output=True, text=True, timeout=100, env={})
    assert '"platform": "linux"' in facts.stdout, facts.stderr


def test_a_second_time_it_enrols_the_same_host_again(installation: Installation) -> None:
    done = install(installation.token["install"]["command"], installation.folder)
    assert "Enrolled again" in done.stdout, done.stdout + done.stderr


def test_a_wheel_that_is_not_what_the_index_says_is_not_installed(
    running_console: RunningConsole, tmp_path: Path
) -> None:
    token = made_token(running_console)
    fake = tmp_path / "bin"
    fake.mkdir()
    # A curl that changes every wheel on its way.
    (fake / "curl").write_text(
        '#!/bin/sh\n/usr/bin/curl "$@" || exit\n'
        'case "$*" in *.whl) echo >>"$(echo "$*" | sed "s/.*-o \\([^ ]*\\).*/\\1/")" ;; esac\n'
    )
    (fake / "curl").chmod(0o755)
    command = f"PATH={fake}:$PATH\n{token['install']['command']}"
    done = install(command, tmp_path)
    assert done.returncode == 1
    assert "does not have the SHA-256" in done.stderr
    assert not (tmp_path / "home").exists()
