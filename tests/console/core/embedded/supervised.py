"""A supervisor in a process of its own, for the tests: `supervised.py VAR PROGRAMS-AS-JSON`."""

import json
import os
import sys
from pathlib import Path

from console.core.embedded.instance import InstanceLock
from console.core.embedded.layout import VarLayout
from console.core.embedded.processes import Program
from console.core.embedded.supervisor import StopRequested, Supervisor


def main(var: str, programs: str) -> None:
    """Supervise `{name: argv}` until told to stop."""
    layout = VarLayout(Path(var))
    layout.prepare()
    lock = InstanceLock(layout)
    lock.acquire()
    with Supervisor(lock, "http://127.0.0.1:1", lambda text: print(text, flush=True)) as supervisor:
        for name, argv in json.loads(programs).items():
            log = layout.log_file(name)
            supervisor.start(Program(name, tuple(argv), log, Path(var), dict(os.environ), 1.0))
        print("started", flush=True)
        try:
            supervisor.run()
        except StopRequested:
            print("stopping", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
