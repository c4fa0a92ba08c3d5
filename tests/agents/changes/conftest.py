"""Fixtures of the change engine's tests: a small host of its own, and engines that do not wait."""

from pathlib import Path

import pytest

from tests.agents.support.small_host import SmallHost


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Further looks at the host come at once: the small host never needs time to show something."""
    monkeypatch.setattr("agents.changes.context._REREAD_SECONDS", (0.01,))


@pytest.fixture
def host(tmp_path: Path) -> SmallHost:
    """A host with units `a` (2), `b` (0) and `c` (0), and a file."""
    return SmallHost(tmp_path / "host")
