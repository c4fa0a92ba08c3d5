"""The agent's own distribution: its wheel in an empty environment, on its locked packages."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.setup.places import REQUIREMENTS, ROOT, WHEELS

SOURCES = ROOT / "agents"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this source."""
    folder = tmp_path_factory.mktemp("wheel")
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"
    subprocess.run(
        [sys.executable, "-c", code], cwd=SOURCES, check=True, capture_output=True, timeout=120
    )
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with that wheel and its locked packages alone."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
    pip = [str(folder / "bin" / "pip"), "install", "-q", "--disable-pip-version-check"]
    if any(WHEELS.glob("celery-*.whl")):
        locked = ["--no-index", "--find-links", str(WHEELS)]
    else:
        locked = ["--only-binary=:all:"]
    requirements = ["--require-hashes", "-r", str(REQUIREMENTS / "agent.txt")]
    subprocess.run([*pip, *locked, *requirements], check=True, timeout=600)
    subprocess.run([*pip, "--no-index", "--no-deps", str(wheel)], check=True, timeout=120)
    return folder / "bin" / "python"


def run(python: Path, tmp_path: Path, *argv: str) -> "subprocess.CompletedProcess[str]":
    """Run a program of that environment, away from this source."""
    environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(tmp_path)}
    return subprocess.run(
        [str(python.parent / argv[0]), *argv[1:]],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_the_wheel_holds_every_module_and_no_build_script(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.endswith(".py")}
    sources = {f"agents/{path.relative_to(SOURCES)}" for path in SOURCES.rglob("*.py")}
    assert packed == sources - {"agents/setup.py"}


def test_building_leaves_nothing_in_the_source_folder(wheel: Path) -> None:
    assert wheel.exists()
    assert not (SOURCES / "build").exists()
    assert not list(SOURCES.glob("*.egg-info"))


def test_its_packages_are_complete_and_agree(python: Path, tmp_path: Path) -> None:
    done = run(python, tmp_path, "pip", "check")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("module", ["django", "rest_framework", "console", "pydantic"])
def test_nothing_of_the_console_can_be_imported(python: Path, tmp_path: Path, module: str) -> None:
    done = run(python, tmp_path, "python", "-c", f"import {module}")
    assert "ModuleNotFoundError" in done.stderr


def test_inventory_works_from_the_wheel_alone(python: Path, tmp_path: Path) -> None:
    config = tmp_path / "agent.toml"
    config.write_text(f'state_dir = "{tmp_path / "state"}"\n')
    done = run(python, tmp_path, "keyrack-agent", "inventory", "--json", "--config", str(config))
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["host"]["platform"] == "linux"
    assert facts["providers"]


def test_every_module_of_the_wheel_can_be_imported(
    python: Path, wheel: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name.removesuffix(".py").replace("/", ".") for name in archive.namelist()
                 if name.endswith(".py") and not name.endswith("__main__.py")]  # fmt: skip
    code = f"import importlib\nfor name in {names!r}: importlib.import_module(name)"
    done = run(python, tmp_path, "python", "-c", code)
    assert done.returncode == 0, done.stderr
