"""The stand-in openssl on the fixed PATH, and whether a real one with masks is here."""

import os
import shutil
from pathlib import Path

import pytest

from agents.executors import process
from tests.agents.workloads.fake_openssl import FakeOpenssl


@pytest.fixture
def fake_openssl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeOpenssl:
    """A fake in front of everything else on the PATH that our commands get."""
    fake = FakeOpenssl(tmp_path / "fake")
    path = os.pathsep.join((str(fake.folder / "bin"), process.FIXED_ENVIRONMENT["PATH"]))
    monkeypatch.setattr(process, "FIXED_ENVIRONMENT", {**process.FIXED_ENVIRONMENT, "PATH": path})
    return fake


@pytest.fixture
def without_openssl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PATH with timeout(1) and nothing else of use."""
    bin_dir = tmp_path / "empty"
    bin_dir.mkdir()
    timeout = shutil.which("timeout")
    assert timeout is not None
    (bin_dir / "timeout").symlink_to(timeout)
    monkeypatch.setattr(
        process, "FIXED_ENVIRONMENT", {**process.FIXED_ENVIRONMENT, "PATH": str(bin_dir)}
    )
