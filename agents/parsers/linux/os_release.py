"""`/etc/os-release` as os-release(5) describes it."""

import re
import shlex

from agents.parsers.base import UnexpectedOutput

_ASSIGNMENT = re.compile(r"^([A-Za-z_][A-Za-z0-9_]*)=(.*)$")


def parse_os_release(text: str) -> dict[str, str]:
    """Return its variables without quotes; lines that assign nothing are passed over.

    Raises UnexpectedOutput where no line assigns anything.
    """
    values: dict[str, str] = {}
    for line in text.split("\n"):
        match = _ASSIGNMENT.match(line.strip())
        if match is not None:
            values[match[1]] = _unquoted(match[2])
    if not values:
        raise UnexpectedOutput(1, text.split("\n", 1)[0])
    return values


def _unquoted(value: str) -> str:
    try:
        return "".join(shlex.split(value, comments=False))
    except ValueError:
        return value
