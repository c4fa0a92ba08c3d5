"""The agent's wheel and what it needs: the console serves them to hosts that reach only it."""

import shutil

from tools.setup.places import REQUIREMENTS, ROOT, TOOLS, VENV, WHEELS
from tools.setup.running import run, say
from tools.setup.stamps import fingerprint, forget, is_current, write_stamp


def agent_wheels_ensure() -> None:
    """Build the agent's wheel and fetch the locked wheels that it needs, when either changed."""
    lock = REQUIREMENTS / "agent.txt"
    value = fingerprint([ROOT / "agents", lock])
    if is_current("wheels", value) and any(WHEELS.glob("keyrack_agent-*.whl")):
        return
    say("building the agent's wheel")
    forget("wheels")
    shutil.rmtree(WHEELS, ignore_errors=True)
    pip = [TOOLS / "bin" / "pip", "--python", VENV / "bin" / "python"]
    run([*pip, "wheel", "-q", "--no-deps", "--require-hashes", "-w", WHEELS, "-r", lock])
    run([TOOLS / "bin" / "uv", "build", "-q", "--wheel", "-o", WHEELS, ROOT / "agents"])
    write_stamp("wheels", value)
