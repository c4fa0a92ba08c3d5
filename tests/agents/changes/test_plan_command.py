"""`keyrack-agent plan`: a dry run by hand, for a person and as JSON."""

import json
from pathlib import Path

import pytest

from agents import cli
from agents.changes import command
from tests.agents.support.small_host import BASE, KIND, SmallHost

WANTED = {"unit/a": "1", "file": "new\n"}


@pytest.fixture(autouse=True)
def small_driver(host: SmallHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "choose_driver", lambda _: host.driver())


def planned(tmp_path: Path, kind: str, *words: str) -> int:
    config = tmp_path / "agent.toml"
    config.write_text('[agent]\nallow = ["unit.*"]\n')
    return cli.main(["plan", "--config", str(config), kind, *words])


def test_a_person_sees_commands_changes_and_undo(
    host: SmallHost, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert planned(tmp_path, KIND, "--parameters", json.dumps(WANTED)) == 0
    text = capsys.readouterr().out
    assert f"     $ {host.place}/tool set a 1\n     unit/a: 2 → 1\n" in text
    assert f"     undo: {host.place}/tool set a 2\n" in text
    assert f"     writes {host.place}/small.conf\n     -old\n     +new\n" in text
    assert "own admin does not allow small.set" in text
    assert host.parts() == BASE


def test_the_plan_as_json_is_what_the_console_gets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert planned(tmp_path, KIND, "--json", "--parameters", json.dumps(WANTED)) == 0
    plan = json.loads(capsys.readouterr().out)["plan"]
    assert plan["request"] == {"kind": KIND, "parameters": WANTED}
    assert len(plan["digest"]) == 64


def test_a_refusal_has_an_exit_code_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert planned(tmp_path, "disk.format") == cli.EXIT_REFUSED
    assert "refused (kind.unknown): The small driver knows no change" in capsys.readouterr().err
    assert planned(tmp_path, "disk.format", "--json") == cli.EXIT_REFUSED
    assert json.loads(capsys.readouterr().out)["refusal"]["code"] == "kind.unknown"


@pytest.mark.parametrize("parameters", ["[", "[]", "3"])
def test_parameters_that_are_no_object_are_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], parameters: str
) -> None:
    assert planned(tmp_path, KIND, "--parameters", parameters) == cli.EXIT_CONFIGURATION
    assert "--parameters is no" in capsys.readouterr().err
