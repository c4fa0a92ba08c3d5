"""Where set-up puts things. Everything lies inside the repository's folder."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / ".tools"
"""uv and Node.js, with their caches."""
VENV = ROOT / ".venv"
FRONTEND = ROOT / "frontend"
REQUIREMENTS = ROOT / "requirements"
WHEELS = ROOT / ".tools" / "wheels"
"""The agent's wheel and what it needs, which the console serves to hosts."""


def child_environment() -> dict[str, str]:
    """Return the environment for uv, pip and npm: their caches stay inside the repository.

    PATH starts with the tool environment, so that npm's scripts find the Node.js from there.
    """
    return {
        **os.environ,
        "UV_CACHE_DIR": str(TOOLS / "cache" / "uv"),
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NO_PROGRESS": "1",
        "PIP_CACHE_DIR": str(TOOLS / "cache" / "pip"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "npm_config_cache": str(TOOLS / "cache" / "npm"),
        "npm_config_update_notifier": "false",
        "PATH": os.pathsep.join([str(TOOLS / "bin"), os.environ.get("PATH", os.defpath)]),
    }
