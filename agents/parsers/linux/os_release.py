"""`/etc/os-release` as os-release(5) describes it."""

import re
import shlex

from agents.parsers.base import UnexpectedOutput

_ASSIGNMENT = re.compile(r"^([A-Za-z_][A-Za-z0-9_]*)=(.*)$")


def parse_os_release(text: str) -> dict[str, str]:
    """Return its variables without quotes. Raises UnexpectedOutput where a line assigns nothing."""
    values: dict[str, str] = {}
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        match = _ASSIGNMENT.match(line)
        if match is None:
            raise UnexpectedOutput(number, raw)
        try:
            values[match[1]] = "".join(shlex.split(match[2], comments=False))
        except ValueError:
            raise UnexpectedOutput(number, raw) from None
    return values
