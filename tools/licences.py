"""`python -m tools.licences FILE`: write the table of licences from what is installed.

Run by the interpreter of the environment whose packages it reads (`make licences`).
"""

import json
import re
import sys
from dataclasses import dataclass
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import cast

from tools.setup.places import FRONTEND, REQUIREMENTS

HEAD = Path(__file__).with_suffix(".head.md")
NAME = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[.*?\])?==([^ ;\\]+)", re.MULTILINE)
CLASSIFIER = "License :: OSI Approved :: "


@dataclass(frozen=True)
class Licence:
    """One package and its licence, in the package's own words."""

    package: str
    version: str
    licence: str


def main(arguments: list[str]) -> int:
    """Write the table to the file named; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m tools.licences FILE", file=sys.stderr)
        return 2
    Path(arguments[0]).write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    """Return docs/licences.md as it should be."""
    sections = [
        ("Console", python_licences("console")),
        ("Agent", python_licences("agent")),
        ("Dashboard", npm_licences()),
    ]
    return "\n".join(
        [HEAD.read_text(encoding="utf-8"), *(_table(title, rows) for title, rows in sections)]
    )


def python_licences(name: str) -> list[Licence]:
    """Return what requirements/<name>.txt locks and this environment has installed."""
    text = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")
    found = []
    for package, version in NAME.findall(text):
        try:
            fields = cast(Message, metadata(package))
        except PackageNotFoundError:
            continue  # for another platform or Python version
        found.append(Licence(package, version, _python_licence(fields)))
    return found


def npm_licences() -> list[Licence]:
    """Return the dashboard's packages that are not for development alone, from the lock file."""
    lock = json.loads((FRONTEND / "package-lock.json").read_text(encoding="utf-8"))
    return [
        Licence(path.rpartition("node_modules/")[2], entry["version"], entry.get("license", "?"))
        for path, entry in lock["packages"].items()
        if path and not entry.get("dev") and not entry.get("devOptional")
    ]


def _python_licence(fields: Message) -> str:
    expression = fields.get("License-Expression")
    if expression:
        return str(expression)
    classifiers = [str(value) for value in fields.get_all("Classifier", [])]
    named = [
        value.removeprefix(CLASSIFIER) for value in classifiers if value.startswith(CLASSIFIER)
    ]
    if named:
        return ", ".join(named)
    return str(fields.get("License", "?")).strip().splitlines()[0]


def _table(title: str, rows: list[Licence]) -> str:
    lines = [f"## {title}", "| package | version | licence |", "|---|---|---|"]
    ordered = sorted(set(rows), key=lambda row: (row.package.lower(), row.version))
    lines += [f"| {row.package} | {row.version} | {row.licence} |" for row in ordered]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
