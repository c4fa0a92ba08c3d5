"""The agent's wheel and what it needs: the console serves them to hosts that reach only it."""

import platform
import re
import shutil
import sys
from pathlib import Path

from tools.setup.places import REQUIREMENTS, ROOT, TOOLS, VENV, WHEELS
from tools.setup.running import SetupError, run, say
from tools.setup.stamps import fingerprint, forget, is_current, write_stamp

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""Versions that hosts of this console's architecture may have."""
GLIBC_TAGS = ("manylinux_2_28", "manylinux_2_24", "manylinux_2_17", "manylinux2014")
PYTHON_MARKER = re.compile(r" ; python_full_version [^\\\n]*(?= \\)")


def agent_wheels_ensure() -> None:
    """Build the agent's wheel and fetch the locked wheels that it needs, when either changed."""
    lock = REQUIREMENTS / "agent.txt"
    value = fingerprint([ROOT / "agents", lock], sys.version, *PYTHONS)
    if is_current("wheels", value) and any(WHEELS.glob("keyrack_agent-*.whl")):
        return
    say("building the agent's wheel")
    forget("wheels")
    shutil.rmtree(WHEELS, ignore_errors=True)
    WHEELS.mkdir(parents=True)
    for_any_python = TOOLS / "agent-any-python.txt"
    for_any_python.write_text(PYTHON_MARKER.sub("", lock.read_text()))
    pip = [TOOLS / "bin" / "pip", "--python", VENV / "bin" / "python"]
    run([*pip, "wheel", "-qq", "--no-deps", "--require-hashes", "-w", WHEELS, "-r", for_any_python])
    for name in _version_bound(WHEELS):
        _fetch_for_other_pythons(name, lock.read_text())
    run([TOOLS / "bin" / "uv", "build", "-q", "--wheel", "-o", WHEELS, ROOT / "agents"])
    write_stamp("wheels", value)


def _version_bound(folder: Path) -> list[str]:
    """Return the packages whose wheels fit one Python version alone (tags as in PEP 425)."""
    return [
        wheel.name.split("-")[0]
        for wheel in folder.glob("*.whl")
        if wheel.name.split("-")[-2] not in {"none", "abi3"}
    ]


def _fetch_for_other_pythons(name: str, lock: str) -> None:
    """Fetch the wheels of a locked package for the other versions, as far as there are any."""
    entry = re.search(rf"^{re.escape(name)}==(?:.*\\\n)*.*\n", lock, re.MULTILINE | re.IGNORECASE)
    if entry is None:
        raise SetupError(f"{name} has a wheel but no line in requirements/agent.txt")
    wanted = TOOLS / "agent-one-package.txt"
    wanted.write_text(entry[0])
    platforms = [f"--platform={tag}_{platform.machine()}" for tag in GLIBC_TAGS]
    download = [TOOLS / "bin" / "pip", "download", "-qq", "--no-deps", "--only-binary=:all:"]
    download.append("--require-hashes")
    for version in PYTHONS:
        try:
            run([*download, f"--python-version={version}", *platforms, "-d", WHEELS, "-r", wanted])
        except SetupError:
            say(f"no wheel of {name} for Python {version}: such hosts need a compiler")
