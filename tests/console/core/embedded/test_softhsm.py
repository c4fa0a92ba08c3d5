"""The token for a host that has none is a real one, and its PIN stays in its file."""

import os
import stat
import subprocess
from pathlib import Path

from console.core.embedded.layout import VarLayout
from console.core.embedded.softhsm import softhsm_existing, softhsm_make


def _layout(tmp_path: Path) -> VarLayout:
    layout = VarLayout(tmp_path / "var")
    layout.prepare()
    return layout


def test_a_token_is_made_and_found_again(tmp_path: Path) -> None:
    layout = _layout(tmp_path)
    assert softhsm_existing(layout) is None
    token = softhsm_make(layout)
    assert token is not None
    assert softhsm_existing(layout) == token


def test_softhsm_itself_shows_the_token_as_initialised(tmp_path: Path) -> None:
    token = softhsm_make(_layout(tmp_path))
    assert token is not None
    environment = {**os.environ, "SOFTHSM2_CONF": str(token.configuration)}
    shown = subprocess.run(
        ["softhsm2-util", "--show-slots"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "keyrack-softhsm" in shown
    assert "User PIN init.:   yes" in shown


def test_the_pin_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    token = softhsm_make(_layout(tmp_path))
    assert token is not None
    assert stat.S_IMODE(token.pin_file.stat().st_mode) == 0o600
    assert len(token.pin_file.read_text().strip()) >= 12
