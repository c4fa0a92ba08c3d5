"""The one command, run for real: from a bare Python to an enrolled agent, off the console alone."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from console.config.env import ROOT
from tests.support.console import RunningConsole

pytestmark = [
    pytest.mark.integration,
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


def test_the_command_installs_and_enrols_and_shows_its_token_to_nobody(
    running_console: RunningConsole, tmp_path: Path
) -> None:
    token = made_token(running_console)
    with arguments_watched() as arguments:
        done = install(token["install"]["command"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert any("keyrack-agent enrol" in line for line in arguments)
    assert not [line for line in arguments if token["secret"] in line]
    with running_console.client() as client:
        hosts = client.get("/api/v1/hosts/", params={"search": "installed"}).json()["results"]
    assert [(host["name"], host["state"]) for host in hosts] == [("installed", "pending")]
    agent = [str(tmp_path / "home" / "bin" / "keyrack-agent"), "inventory", "--json"]
    facts = subprocess.run(agent, capture_output=True, text=True, timeout=100, env={})
    assert '"platform": "linux"' in facts.stdout, facts.stderr


def test_a_second_time_it_enrols_the_same_host_again(
    running_console: RunningConsole, tmp_path: Path
) -> None:
    command = made_token(running_console)["install"]["command"]
    for said in ("Enrolled as", "Enrolled again"):
        done = install(command, tmp_path)
        assert said in done.stdout, done.stdout + done.stderr


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
