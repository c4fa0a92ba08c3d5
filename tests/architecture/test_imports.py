"""Who may import whom."""

import subprocess
import sys
from pathlib import Path

from console.config.env import ROOT


def test_the_import_contracts_of_the_project_file_hold() -> None:
    """Agents stand alone; the console knows the contract only; the contract knows itself only."""
    program = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [str(program), "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stdout
