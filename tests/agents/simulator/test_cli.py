"""`keyrack-agent simulate`: what an admin types beside a running agent."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.cli import main
from tests.support.simulated import Simulated

Type = Callable[..., str]


@pytest.fixture
def machine(tmp_path: Path) -> Simulated:
    """A T5120 below a state directory that a configuration names."""
    (tmp_path / "agent.toml").write_text(f'state_dir = "{tmp_path}/state"\nsimulate = "t5120"\n')
    return Simulated(tmp_path / "state", "t5120")


@pytest.fixture
def typed(machine: Simulated, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Type:
    """Run `keyrack-agent simulate …` and return what it prints."""

    def run(*words: str, code: int = 0) -> str:
        assert main(["simulate", *words, "--config", str(tmp_path / "agent.toml")]) == code
        captured = capsys.readouterr()
        return captured.out + captured.err

    return run


def test_show_names_domains_units_and_what_waits(machine: Simulated, typed: Type) -> None:
    machine.out("ldm start-reconf primary")
    machine.out("ldm set-crypto 1 primary")
    text = typed("show")
    assert "free units: 4, 5, 6, 7" in text
    assert "{'units': 1}" in text
    assert json.loads(typed("show", "--json"))["edition"] == "t5120"


def test_reboot_says_what_took_effect(machine: Simulated, typed: Type) -> None:
    machine.out("ldm start-reconf primary")
    machine.out("ldm set-crypto 1 primary")
    expected = "primary was rebooted. What waited for it has taken effect.\n"
    assert typed("reboot", "primary") == expected
    assert machine.units()["primary"] == [0]


def test_what_cannot_be_done_is_said_with_what_there_is(typed: Type) -> None:
    assert "there are primary, ldg1" in typed("reboot", "nosuch", code=2)
    assert "ldg4 is inactive" in typed("reboot", "ldg4", code=2)
    assert "no program" in typed("second-admin", "rm -rf /", code=2)
    assert "There is no variant" in typed("variant", "nosuch", "x", code=2)
    assert "is one of: no, yes" in typed("variant", "ldm.norm", "maybe", code=2)


def test_power_cycle_and_reset(machine: Simulated, typed: Type) -> None:
    machine.out("ldm set-crypto 1 primary")
    assert typed("power-cycle") == "Powered on with the configuration initial.\n"
    assert machine.units()["primary"] == [0, 1]
    assert typed("reset") == "t5120 is as it was delivered.\n"


def test_faults_are_added_listed_and_cleared(machine: Simulated, typed: Type) -> None:
    assert typed("fault", "list") == "No faults are set.\n"
    typed("fault", "add", "error", "ldm", "list", "--exit-code", "3", "--times", "0")
    assert machine.run("ldm list").returncode == 3
    assert typed("fault", "list") == "error: ldm list, call 1, from then on; 1 seen\n"
    assert typed("fault", "clear") == "1 fault(s) cleared.\n"


def test_a_second_admins_words_have_their_exit_code(machine: Simulated, typed: Type) -> None:
    typed("second-admin", "ldm set-crypto 0 ldg1")
    assert machine.units()["ldg1"] == []
    assert "LDom nosuch not found" in typed("second-admin", "ldm list nosuch", code=1)


def test_a_variant_is_turned_and_turned_back(machine: Simulated, typed: Type) -> None:
    assert typed("variant", "ldm.norm", "no") == "ldm.norm = no\n"
    assert typed("variant", "ldm.norm", "default") == "ldm.norm = yes\n"
    assert "[yes]" in typed("variant")


def test_editions_are_listed_without_a_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "editions"]) == 0
    assert "t4-1" in capsys.readouterr().out


def test_without_a_machine_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "other.toml"
    config.write_text(f'state_dir = "{tmp_path}/other"\n')
    assert main(["simulate", "show", "--config", str(config)]) == 2
    assert "There is no simulated machine" in capsys.readouterr().err
