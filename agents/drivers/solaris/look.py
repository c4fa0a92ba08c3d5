"""Looking at a Solaris host for an inventory: what cannot be read is said and never raised."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from agents.changes.base import ChangeRefused
from agents.changes.tools import Tools
from agents.drivers.solaris.kinds.commands import ProgramMissing, answer
from agents.executors.process import CommandNotStarted
from agents.parsers.base import UnexpectedOutput
from agents.wire.inventory import FindingFacts, Severity

T = TypeVar("T")
_SHOWN = 120


@dataclass(slots=True)
class Look:
    """One look: runs reading commands, and gathers what it could not see."""

    tools: Tools
    blind_spots: list[str] = field(default_factory=list)
    findings: list[FindingFacts] = field(default_factory=list)

    def read(
        self, argv: Sequence[str], parser: Callable[[str], T], tolerated: str = ""
    ) -> T | None:
        """Return a command's answer, or None where there is none: then it says why.

        A program that is not there makes a blind spot; one that fails, hangs or writes what is no
        answer of it a finding. Lines that are not understood are blind spots beside the answer.
        """
        try:
            text = answer(self.tools, argv, tolerated=tolerated)
        except ProgramMissing as error:
            self.blind(error.refusal.message)
            return None
        except ChangeRefused as error:
            self.unreadable(argv, error.refusal.message)
            return None
        return self.understood(argv, text, parser)

    def understood(self, argv: Sequence[str], text: str, parser: Callable[[str], T]) -> T | None:
        """Return what a command wrote, as its parser reads it; the rest as for `read`."""
        try:
            found = parser(text)
        except UnexpectedOutput as error:
            self.unreadable(argv, f"`{shlex.join(argv)}` wrote what no parser knows: {error}.")
            return None
        unread = list(getattr(found, "unread", ()))
        if unread:
            first = f"line {unread[0].line_no}: {unread[0].line[:_SHOWN]!r}"
            count = "a line that was" if len(unread) == 1 else f"{len(unread)} lines that were"
            self.blind(
                f"`{shlex.join(argv)}` wrote {count} not understood ({first}); "
                f"`keyrack-agent parse {_command(argv)}` names them."
            )
        return found

    def said(self, argv: Sequence[str]) -> str:
        """Return what a command wrote where it succeeded; empty otherwise, and nothing is said."""
        try:
            result = self.tools.run(argv)
        except CommandNotStarted:
            return ""
        return result.stdout.strip() if result.is_ok else ""

    def blind(self, sentence: str) -> None:
        """Say what cannot be seen, once."""
        if sentence not in self.blind_spots:
            self.blind_spots.append(sentence)

    def unreadable(self, argv: Sequence[str], message: str) -> None:
        """Say that a command gives no answer."""
        self.findings.append(
            FindingFacts(
                code="host.unreadable",
                severity=Severity.WARNING.value,
                subject_kind="host",
                subject_key=shlex.join(argv),
                message=message,
                remedy="Run that command by hand on the host and look at what it says; "
                f"`keyrack-agent parse {_command(argv)} < output` shows what is understood.",
            )
        )


def _command(argv: Sequence[str]) -> str:
    return shlex.quote(shlex.join([Path(argv[0]).name, *argv[1:]]))
