"""What planning and reading back get: a look at the host that cannot change it."""

from collections.abc import Sequence
from pathlib import Path

from agents.changes.tools import Tools
from agents.executors.process import CommandResult

_READS_BY_FIRST_WORD = {
    "cryptoadm": ("list", "--help"),
    "ksslcfg": ("--help",),
    "ldm": ("list", "ls", "-V", "--version"),
    "p11-kit": ("list-modules", "--version"),
    "svcadm": (),
}
"""Programs that also change things: the first words (or how they begin) with which they read."""

_ONLY_READ = frozenset(
    {"isainfo", "kstat", "modinfo", "psrinfo", "pkginfo", "prtdiag", "svcprop", "svcs", "uname"}
)


class NotAReadingCommand(Exception):
    """A kind of change wanted to run something while it should only look: a defect of that kind."""

    def __init__(self, argv: Sequence[str]) -> None:
        super().__init__(f"`{' '.join(argv)}` is not known to only read, so it was not run")


class Reading:
    """A host's reader: runs what is known to only read, and opens files for reading."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def run(self, argv: Sequence[str], *, timeout_seconds: float = 30.0) -> CommandResult:
        """Run a command that only reads. Raises NotAReadingCommand, and CommandNotStarted."""
        if not only_reads(argv):
            raise NotAReadingCommand(argv)
        return self._tools.run(argv, timeout_seconds=timeout_seconds)

    def read_text(self, path: str) -> str | None:
        """Return a file's text; None where it is not there. Raises OSError for other reasons."""
        return self._tools.read_text(path)


def only_reads(argv: Sequence[str]) -> bool:
    """Return whether a command is known to change nothing, by its name and first word."""
    name = Path(argv[0]).name
    if name in _ONLY_READ:
        return True
    words = _READS_BY_FIRST_WORD.get(name, ())
    return len(argv) > 1 and any(_begins(argv[1], word) for word in words)


def _begins(word: str, reading: str) -> bool:
    """`list-bindings` reads as `list` does; `listen` would not."""
    return word == reading or word.startswith(f"{reading}-")
