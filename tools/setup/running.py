"""Saying what is done, running commands, and stopping with a sentence."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tools.setup.places import ROOT, child_environment


class SetupError(Exception):
    """Set-up cannot go on; the message says what to do."""


def say(text: str) -> None:
    """Tell the person what is being done."""
    print(f"set-up: {text}", flush=True)


def run(argv: Iterable[object], *, cwd: Path = ROOT, **environment: str) -> None:
    """Run a command, its output shown. Raises SetupError naming the command when it fails."""
    words = [str(word) for word in argv]
    result = subprocess.run(
        words,
        cwd=cwd,
        env={**child_environment(), **environment},
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        check=False,
    )
    if result.returncode != 0:
        raise SetupError(f"`{' '.join(words)}` failed with exit code {result.returncode}")
