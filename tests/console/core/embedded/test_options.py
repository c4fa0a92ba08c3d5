"""What one start was asked for, refused where it cannot be meant."""

from pathlib import Path

import pytest

from console.config.env import InvalidSetting
from console.core.embedded.layout import VarLayout
from console.core.embedded.options import options_read


def test_half_a_certificate_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYRACK_TLS_CERT", __file__)
    monkeypatch.delenv("KEYRACK_TLS_KEY", raising=False)
    with pytest.raises(InvalidSetting, match="Set both KEYRACK_TLS_CERT and KEYRACK_TLS_KEY"):
        options_read(VarLayout(tmp_path))


def test_a_key_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYRACK_TLS_CERT", __file__)
    monkeypatch.setenv("KEYRACK_TLS_KEY", str(tmp_path / "none.key"))
    with pytest.raises(InvalidSetting, match=r"KEYRACK_TLS_KEY=.*none\.key cannot be read"):
        options_read(VarLayout(tmp_path))


@pytest.mark.parametrize(("wanted", "edition"), [("t5440", "t5440"), ("none", ""), (None, "t5120")])
def test_a_simulated_host_is_chosen_or_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str | None, edition: str
) -> None:
    monkeypatch.delenv("KEYRACK_SIMULATE", raising=False)
    if wanted is not None:
        monkeypatch.setenv("KEYRACK_SIMULATE", wanted)
    assert options_read(VarLayout(tmp_path)).simulate == edition


def test_an_edition_that_could_break_a_configuration_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYRACK_SIMULATE", 't5120"\nallow = []')
    with pytest.raises(InvalidSetting, match="KEYRACK_SIMULATE"):
        options_read(VarLayout(tmp_path))
