"""Several real processes doing the same thing at the same moment to one database."""

import json
import os
import secrets
import subprocess
import sys
from typing import Any

from console.config.env import ROOT

# One for all: what one process hands out, another must know again.
_SECRET_KEY = secrets.token_urlsafe(50)

# Children wait for a line on standard input, so that all of them start together.
_CHILD = """
import sys, django
django.setup()
from {module} import {function}
print("ready", flush=True)
sys.stdin.readline()
import json
print(json.dumps({function}(*json.loads(sys.argv[1]))), flush=True)
"""


def environment_for(database_url: str) -> dict[str, str]:
    """Return the environment in which programs use that database."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "console.config.settings.test",
        "KEYRACK_DATABASE_URL": database_url,
        "KEYRACK_TEST_SECRET_KEY": _SECRET_KEY,
    }


def migrate(database_url: str) -> None:
    """Bring the database up to date."""
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env=environment_for(database_url),
        check=True,
        timeout=120,
    )


def run_once(database_url: str, target: str, *arguments: Any) -> Any:
    """Call `module:function(*arguments)` in one process; return its result (JSON)."""
    return race(database_url, target, *arguments, processes=1)[0]


def race(database_url: str, target: str, *arguments: Any, processes: int = 4) -> list[Any]:
    """Call `module:function(*arguments)` in several processes at once; return their results."""
    module, _, function = target.partition(":")
    argv = [sys.executable, "-c", _CHILD.format(module=module, function=function)]
    argv.append(json.dumps(arguments))
    children = [
        subprocess.Popen(
            argv,
            cwd=ROOT,
            env=environment_for(database_url),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(processes)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    return [json.loads(child.communicate(timeout=60)[0]) for child in children]
