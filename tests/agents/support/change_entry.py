"""Entry of a change's process for tests of the daemon: works on a small host, may be killed.

`python -m tests.agents.support.change_entry <run directory>`; the variable SMALL_HOST names the
host's directory. A file `kill` there (name and number of a point) kills the next such process,
`kill_all` all of them.
"""

import json
import os
import sys
from pathlib import Path

from tests.agents.support.change_engine import Kill, run_entry
from tests.agents.support.small_host import SmallDriver, SmallKind


def ordered_kill(place: Path) -> Kill | None:
    """Return where this process is to die, and forget it."""
    for name in ("kill", "kill_all"):
        path = place / name
        if path.exists():
            point, nth = json.loads(path.read_text())
            if name == "kill":
                path.unlink()
            return Kill(point, nth, "after")
    return None


def main() -> int:
    """Carry out one directory's order on the small host."""
    place = Path(os.environ["SMALL_HOST"])
    driver = SmallDriver(SmallKind(place, 20, waits=False))
    return run_entry(Path(sys.argv[1]), driver, ordered_kill(place))


if __name__ == "__main__":
    sys.exit(main())
