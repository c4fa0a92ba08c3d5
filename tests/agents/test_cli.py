"""The command line: exit codes, what is printed, and that no secret is."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.cli import TOKEN_VARIABLE, main
from agents.daemon import take_lock
from agents.enrolment import load_identity
from tests.agents.support.console_stub import CREDENTIAL, ConsoleStub
from tests.agents.support.daemons import enrolled

TOKEN = "kre_only-once-0001"


@pytest.fixture
def config(tmp_path: Path, stub: ConsoleStub) -> Path:
    path = tmp_path / "agent.toml"
    text = f'state_dir = "{tmp_path / "state"}"\n[console]\nurl = "{stub.url}"\n'
    path.write_text(text)
    return path


def run(config: Path, command: str, *arguments: str) -> int:
    return main([command, "--config", str(config), *arguments])


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_enrol_with_the_token_from_the_environment(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert run(config, "enrol", "--name", "shelf-9", "--json") == 0
    assert printed(capsys)["host_name"] == "shelf-9"
    assert load_identity(config.parent / "state").credential == CREDENTIAL


def test_enrol_with_the_token_from_a_file(config: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    assert run(config, "enrol", "--token-file", str(tmp_path / "token")) == 0


def test_enrol_prints_neither_token_nor_credential(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(config, "enrol", "--token", TOKEN)
    output = capsys.readouterr()
    assert TOKEN not in output.out + output.err
    assert CREDENTIAL not in output.out + output.err


def test_enrol_without_a_token_says_where_one_comes_from(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    assert run(config, "enrol") == 2
    assert "page 'Enrol host' makes one" in capsys.readouterr().err


def test_enrol_refused_by_the_console_repeats_its_words(
    config: Path, stub: ConsoleStub, capsys: pytest.CaptureFixture[str]
) -> None:
    stub.refuse["enrol"] = (401, "enrolment_token.expired")
    assert run(config, "enrol", "--token", TOKEN) == 4
    assert "refused: enrolment_token.expired" in capsys.readouterr().err


def test_enrol_with_a_console_that_is_not_there(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(config, "enrol", "--url", "http://127.0.0.1:1", "--token", TOKEN) == 5
    assert "no answer from http://127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "status"])
def test_what_needs_enrolment_says_so(
    config: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert run(config, command) == 3
    assert "not enrolled" in capsys.readouterr().err


def test_a_second_daemon_on_one_state_directory_is_refused(
    config: Path, stub: ConsoleStub, capsys: pytest.CaptureFixture[str]
) -> None:
    enrolled(config.parent / "state", stub.url)
    lock = take_lock(config.parent / "state")
    assert run(config, "run") == 6
    assert f"pid {os.getpid()}" in capsys.readouterr().err
    os.close(lock)


def test_status_tells_who_and_whether_it_runs(
    config: Path, stub: ConsoleStub, capsys: pytest.CaptureFixture[str]
) -> None:
    enrolled(config.parent / "state", stub.url)
    assert run(config, "status", "--json") == 0
    status = printed(capsys)
    assert (status["host_name"], status["is_running"]) == ("small", False)
    lock = take_lock(config.parent / "state")
    assert run(config, "status") == 0
    assert f"pid                {os.getpid()}" in capsys.readouterr().out
    os.close(lock)


def test_a_broken_configuration_is_exit_code_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "agent.toml"
    path.write_text("[agent]\nname = 3\n")
    assert run(path, "status") == 2
    assert "agent.name: must be a string" in capsys.readouterr().err


def test_an_unknown_key_is_warned_of_on_stderr_and_nothing_breaks(
    config: Path, stub: ConsoleStub, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text(config.read_text() + "tokn = 1\n")
    enrolled(config.parent / "state", stub.url)
    assert run(config, "status", "--json") == 0
    output = capsys.readouterr()
    assert "warning: " in output.err
    assert "tokn" in output.err
    json.loads(output.out)


def test_inventory_needs_no_enrolment_and_prints_facts(config: Path) -> None:
    argv = [sys.executable, "-m", "agents", "inventory", "--json", "--config", str(config)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=True)
    facts = json.loads(done.stdout)
    assert facts["host"]["platform"] == "linux"
    assert facts["host"]["hostname"]
    assert any(workload["name"] == "openssl.speed" for workload in facts["workloads"])


def test_inventory_for_a_person_names_units_and_providers(config: Path) -> None:
    argv = [sys.executable, "-m", "agents", "inventory", "--config", str(config)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=True)
    assert "Providers (" in done.stdout


def test_a_driver_that_does_not_exist_is_said(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text(config.read_text() + '[agent]\ndriver = "amiga"\n')
    assert run(config, "inventory") == 2
    assert "no driver 'amiga'" in capsys.readouterr().err
