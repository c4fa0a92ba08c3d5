"""Folders and files under KEYRACK_VAR are for their owner alone."""

import stat
from pathlib import Path

from console.core.embedded.layout import VarLayout, private_write, secret_ensure


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folders_are_for_their_owner_alone(tmp_path: Path) -> None:
    layout = VarLayout(tmp_path / "var")
    layout.prepare()
    assert {_mode(path) for path in (layout.root, layout.log, layout.redis, layout.agent)} == {
        0o700
    }


def test_a_folder_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    layout = VarLayout(tmp_path / "var")
    layout.root.mkdir(mode=0o755)
    layout.prepare()
    assert _mode(layout.root) == 0o700


def test_a_secret_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    first = secret_ensure(tmp_path / "secret")
    assert secret_ensure(tmp_path / "secret") == first
    assert len(first) >= 32
    assert _mode(tmp_path / "secret") == 0o600


def test_two_secrets_differ(tmp_path: Path) -> None:
    assert secret_ensure(tmp_path / "one") != secret_ensure(tmp_path / "two")


def test_a_private_file_is_replaced_whole_and_leaves_no_draft(tmp_path: Path) -> None:
    private_write(tmp_path / "file", "a long first content")
    private_write(tmp_path / "file", "short")
    assert (tmp_path / "file").read_text() == "short"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
