"""`keyrack-agent doctor`: each fault is found, and has a remedy."""

import json
from pathlib import Path

import pytest

from agents.cli import main
from agents.client import ConsoleClient
from agents.config import Config, ConsoleConfig, PinReference, Pkcs11Config
from agents.daemon import take_lock
from agents.doctor import Check, run_checks
from tests.agents.support.console_stub import ConsoleStub
from tests.agents.support.daemons import enrolled


def checks_of(config: Config) -> dict[str, Check]:
    """Return the checks by name; of several with one name the worst."""
    rank = {"ok": 0, "warning": 1, "failed": 2}
    found: dict[str, Check] = {}
    for check in run_checks(config):
        if check.name not in found or rank[check.state] > rank[found[check.name].state]:
            found[check.name] = check
    return found


@pytest.fixture
def config(tmp_path: Path, stub: ConsoleStub) -> Config:
    enrolled(tmp_path / "state", stub.url)
    return Config(state_dir=tmp_path / "state")


def test_a_healthy_agent_has_no_failed_check(config: Config) -> None:
    lock = take_lock(config.state_dir)
    found = checks_of(config)
    assert {check.name: check for check in found.values() if check.state == "failed"} == {}
    assert found["daemon"].message.startswith("runs with pid")
    assert found["credential"].message == "accepted"
    assert lock > 0


def test_every_fault_has_a_remedy(tmp_path: Path) -> None:
    for check in run_checks(Config(state_dir=tmp_path / "none")):
        assert check.state == "ok" or check.remedy


def test_an_agent_that_is_not_enrolled_is_told_so(tmp_path: Path) -> None:
    assert checks_of(Config(state_dir=tmp_path))["enrolment"].state == "failed"


def test_a_console_that_is_away_is_found(config: Config, stub: ConsoleStub) -> None:
    stub.refuse["healthz"] = (503, "server.down")
    check = checks_of(config)["console"]
    assert check.state == "failed"
    assert "server.down" in check.message


def test_a_credential_that_is_not_accepted_is_found(config: Config, stub: ConsoleStub) -> None:
    stub.refuse["lease"] = (401, "agent.unauthenticated")
    assert checks_of(config)["credential"].remedy == "Enrol this host again."


def test_an_open_identity_is_found(config: Config) -> None:
    (config.state_dir / "identity.json").chmod(0o644)
    check = checks_of(config)["state_dir"]
    assert (check.state, check.remedy.split()[0]) == ("failed", "chmod")


def test_a_wrong_clock_is_found(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConsoleClient, "clock_offset_seconds", lambda _: 100.0)
    check = checks_of(config)["clock"]
    assert check.state == "warning"
    assert "100 s ahead" in check.message


def test_a_broker_that_is_away_is_a_warning_because_work_still_arrives(
    config: Config, stub: ConsoleStub
) -> None:
    enrolled(config.state_dir, stub.url, broker_url="redis://u:secret-1@127.0.0.1:1/0")
    check = checks_of(config)["broker"]
    assert check.state == "warning"
    assert "Work still arrives" in check.remedy
    assert "secret-1" not in check.message


def test_missing_modules_and_open_pin_files_are_found(config: Config, tmp_path: Path) -> None:
    pin = tmp_path / "pin"
    pin.write_text("1234")
    pin.chmod(0o644)
    pkcs11 = Pkcs11Config(
        modules=("/nowhere/libtoken.so",),
        pins=(PinReference(token="t", source=f"file:{pin}"),),
    )
    found = checks_of(Config(state_dir=config.state_dir, pkcs11=pkcs11))
    assert found["pkcs11.modules"].state == "failed"
    assert "open to other users" in found["pkcs11.pin"].message


def test_a_configuration_that_means_another_console_is_found(config: Config) -> None:
    other = ConsoleConfig(url="https://other.example", pin="sha256//x")
    found = checks_of(Config(state_dir=config.state_dir, console=other))
    assert found["enrolment"].state == "warning"


def test_the_exit_code_says_whether_something_failed(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "agent.toml"
    path.write_text(f'state_dir = "{config.state_dir}"\n')
    assert main(["doctor", "--json", "--config", str(path)]) == 0
    assert {check["state"] for check in json.loads(capsys.readouterr().out)} <= {"ok", "warning"}
    (config.state_dir / "identity.json").unlink()
    assert main(["doctor", "--config", str(path)]) == 1
    assert "failed   enrolment" in capsys.readouterr().out
