"""Ctrl-C during the set-up."""

import pytest

from tools.setup import __main__ as setup


def test_an_interrupted_set_up_says_so_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_goal: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(setup, "_prepare", interrupted)
    assert setup.main("run") == 130
    assert capsys.readouterr().err.startswith("set-up interrupted")
