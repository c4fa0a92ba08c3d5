"""A set-up step is skipped exactly while its inputs stand."""

from pathlib import Path

import pytest

from tools.setup import stamps


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stamps, "ROOT", tmp_path)
    monkeypatch.setattr(stamps, "TOOLS", tmp_path / ".tools")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.ts").write_text("one")
    return tmp_path


def test_a_step_is_current_after_its_success_and_until_an_input_changes(checkout: Path) -> None:
    stamps.write_stamp("build", stamps.fingerprint([checkout / "src"]))
    assert stamps.is_current("build", stamps.fingerprint([checkout / "src"]))
    (checkout / "src" / "main.ts").write_text("two")
    assert not stamps.is_current("build", stamps.fingerprint([checkout / "src"]))


def test_a_renamed_file_counts_as_a_change(checkout: Path) -> None:
    before = stamps.fingerprint([checkout / "src"])
    (checkout / "src" / "main.ts").rename(checkout / "src" / "other.ts")
    assert stamps.fingerprint([checkout / "src"]) != before


def test_what_a_build_leaves_behind_does_not_count(checkout: Path) -> None:
    before = stamps.fingerprint([checkout / "src"])
    (checkout / "src" / "node_modules").mkdir()
    (checkout / "src" / "node_modules" / "x.js").write_text("x")
    assert stamps.fingerprint([checkout / "src"]) == before


def test_facts_count_too(checkout: Path) -> None:
    assert stamps.fingerprint([], "3.11") != stamps.fingerprint([], "3.12")


def test_a_step_that_was_forgotten_is_done_again() -> None:
    stamps.write_stamp("build", "x")
    stamps.forget("build")
    assert not stamps.is_current("build", "x")
