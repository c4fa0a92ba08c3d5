"""Reading /proc, /sys and /etc below one root, so that a recorded tree can stand in for a host.

Absolute symbolic links inside a recorded tree are followed inside it, and none leads out of it.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from agents.parsers.base import UnexpectedOutput
from agents.wire.inventory import FindingFacts, Severity

T = TypeVar("T")

_READ_CAP_BYTES = 4 << 20
_DENIED = (errno.EACCES, errno.EPERM)
_MAX_LINKS = 40


class Tree:
    """Files of one host by their absolute path on it. `denied` is what rights kept from us."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        self.is_live = root == Path("/")
        self.denied: set[str] = set()
        self.findings: list[FindingFacts] = []

    def parse(self, path: str, parser: Callable[[str], T]) -> T | None:
        """Return a parsed file, None where it is missing; what does not fit becomes a finding."""
        text = self.read(path)
        return None if text is None else self.parse_text(path, text, parser)

    def parse_text(self, source: str, text: str, parser: Callable[[str], T]) -> T | None:
        """Return parsed text; `source` names it in the finding that replaces what does not fit."""
        try:
            return parser(text)
        except UnexpectedOutput as error:
            self.findings.append(
                FindingFacts(
                    code="source.unexpected",
                    severity=Severity.NOTICE.value,
                    subject_kind="host",
                    subject_key="",
                    message=f"{source} has a line that is not known: {error}.",
                    remedy="The rest is shown. Report the line, so that Keyrack learns it.",
                    evidence={"source": source, "line_no": error.line_no},
                )
            )
            return None

    def locate(self, path: str) -> Path:
        """Return where a host's absolute path is on this machine, links of the tree resolved."""
        if self.is_live:
            return Path(path)
        return self.root / self.resolve(path).lstrip("/")

    def resolve(self, path: str) -> str:
        """Return the path with all its links followed, as realpath(3) on that host would."""
        if self.is_live:
            return os.path.realpath(path)
        done: list[str] = []
        waiting = [part for part in reversed(path.split("/")) if part not in ("", ".")]
        links = 0
        while waiting:
            part = waiting.pop()
            if part == "..":
                del done[-1:]
                continue
            done.append(part)
            here = self.root.joinpath(*done)
            if links < _MAX_LINKS and here.is_symlink():
                links += 1
                target = os.readlink(here)
                done = [] if target.startswith("/") else done[:-1]
                waiting += [word for word in reversed(target.split("/")) if word not in ("", ".")]
        return "/" + "/".join(done)

    def read(self, path: str) -> str | None:
        """Return a file's text (at most 4 MiB), None where it is missing or cannot be read."""
        try:
            with open(self.locate(path), "rb") as stream:
                return stream.read(_READ_CAP_BYTES).decode("utf-8", "replace")
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno in _DENIED:
                self.denied.add(path)
            return None

    def read_bytes(self, path: str) -> bytes:
        """Return a binary attribute (PCI configuration space), empty where it cannot be read."""
        try:
            return self.locate(path).read_bytes()[:_READ_CAP_BYTES]
        except (OSError, ValueError):
            return b""

    def read_word(self, path: str) -> str | None:
        """Return a sysfs attribute without the blanks and NULs around it."""
        text = self.read(path)
        return None if text is None else text.strip(" \t\r\n\0")

    def read_int(self, path: str) -> int | None:
        """Return a sysfs attribute as a number (decimal or 0x…), None where it is none."""
        return to_int(self.read_word(path))

    def names(self, path: str) -> list[str]:
        """Return the sorted names in a directory; empty where there is none."""
        try:
            return sorted(os.listdir(self.locate(path)))
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno in _DENIED:
                self.denied.add(path)
            return []

    def exists(self, path: str) -> bool:
        """Return whether the path leads to something."""
        try:
            return self.locate(path).exists()
        except (OSError, ValueError):
            return False

    def is_dir(self, path: str) -> bool:
        """Return whether the path leads to a directory."""
        try:
            return self.locate(path).is_dir()
        except (OSError, ValueError):
            return False

    def link_name(self, path: str) -> str | None:
        """Return the last part of a link's target (`driver`, `iommu_group` …), None for no link.

        Looks at the link itself, so that a recorded tree need not hold what it leads to.
        """
        parent, _, name = path.rpartition("/")
        try:
            target = os.readlink(self.locate(parent or "/") / name)
        except (OSError, ValueError):
            return None
        return target.rstrip("/").rpartition("/")[2] or None


def to_int(text: str | None) -> int | None:
    """Return decimal or 0x… text as a number, None where it is none or longer than 64 bits."""
    if text is None or len(text) > 20:
        return None
    try:
        value = int(text, 0) if text[:2].lower() == "0x" else int(text)
    except ValueError:
        return None
    return value if -(1 << 63) <= value < 1 << 63 else None
