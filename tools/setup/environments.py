"""The tool environment (.tools: uv, Node.js) and the Python environment (.venv)."""

import shutil
import sys
from pathlib import Path

from tools.setup.places import REQUIREMENTS, TOOLS, VENV
from tools.setup.running import SetupError, run, say
from tools.setup.stamps import fingerprint, forget, is_current, write_stamp

RUN_SETS = ("console", "agent")
TEST_SET = "dev"
"""Locked so that it contains the run sets in the same versions."""


def tools_ensure() -> None:
    """Make .tools with the locked uv and Node.js, both from PyPI."""
    value = fingerprint([REQUIREMENTS / "tools.txt"], sys.version)
    if is_current("tools", value) and (TOOLS / "bin" / "uv").exists():
        return
    say("fetching uv and Node.js")
    forget("tools")
    run([sys.executable, "-m", "venv", TOOLS])
    lock = REQUIREMENTS / "tools.txt"
    run([TOOLS / "bin" / "pip", "install", "-qq", "--require-hashes", "-r", lock])
    write_stamp("tools", value)


def python_ensure(*, with_tests: bool) -> None:
    """Make .venv hold exactly the locked packages for running, or for running and testing.

    An environment made for tests also serves for running.
    """
    _python_check()
    for_tests = fingerprint([REQUIREMENTS / f"{TEST_SET}.txt"], sys.version)
    for_running = fingerprint([REQUIREMENTS / f"{name}.txt" for name in RUN_SETS], sys.version)
    has_python = (VENV / "bin" / "python").exists()
    if has_python and is_current("python-test", for_tests):
        return
    if has_python and not with_tests and is_current("python-run", for_running):
        return
    say(f"installing Python packages for {'tests' if with_tests else 'running'}")
    forget("python-test")
    forget("python-run")
    if not _is_usable(VENV):
        shutil.rmtree(VENV, ignore_errors=True)
        run([TOOLS / "bin" / "uv", "venv", "-q", "--python", sys.executable, VENV])
    names = (TEST_SET,) if with_tests else RUN_SETS
    locks = [REQUIREMENTS / f"{name}.txt" for name in names]
    sync = [TOOLS / "bin" / "uv", "pip", "sync", "-q", "--require-hashes"]
    run([*sync, "--python", VENV / "bin" / "python", *locks])
    if with_tests:
        write_stamp("python-test", for_tests)
    else:
        write_stamp("python-run", for_running)


def _is_usable(venv: Path) -> bool:
    config = venv / "pyvenv.cfg"
    version = f"{sys.version_info.major}.{sys.version_info.minor}."
    return (venv / "bin" / "python").exists() and version in config.read_text()


def _python_check() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036  (set-up itself may be started by an older Python)
        found = ".".join(str(part) for part in sys.version_info[:3])
        raise SetupError(f"Keyrack needs Python 3.11 or newer; {sys.executable} is {found}")
