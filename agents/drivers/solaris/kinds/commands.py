"""Running a read-only command for a kind: what goes wrong becomes a refusal that names it."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from agents.changes.base import ChangeRefused, Reader
from agents.executors.process import CommandNotStarted
from agents.parsers.base import UnexpectedOutput

CRYPTOADM = "/usr/sbin/cryptoadm"
READ_SECONDS = 30.0
_SAID = 400

T = TypeVar("T")


class ProgramMissing(ChangeRefused):
    """The program could not be started; it may lie elsewhere."""


def answer(reader: Reader, argv: Sequence[str], *, tolerated: str = "") -> str:
    """Return what a command wrote to its standard output.

    Raises ChangeRefused with `host.unreadable` where it cannot be started, fails or hangs. An exit
    code 1 does not count where the output holds `tolerated`.
    """
    try:
        result = reader.run(list(argv), timeout_seconds=READ_SECONDS)
    except CommandNotStarted as error:
        refusal = _unreadable(argv, f"could not be started: {error.reason}").refusal
        raise ProgramMissing(refusal.code, refusal.message, refusal.remedy) from error
    if result.timed_out:
        raise _unreadable(argv, f"did not answer within {READ_SECONDS:.0f} seconds")
    if result.truncated:
        raise _unreadable(argv, "wrote more than can be read")
    is_tolerated = result.returncode == 1 and tolerated and tolerated in result.stdout
    if result.returncode != 0 and not is_tolerated:
        said = (result.stderr.strip() or result.stdout.strip())[:_SAID]
        raise _unreadable(argv, f"failed with exit code {result.returncode}: {said}")
    return result.stdout


def parsed(
    reader: Reader, argv: Sequence[str], parser: Callable[[str], T], *, tolerated: str = ""
) -> T:
    """Return a command's output as its parser understands it. Raises ChangeRefused, see `answer`.

    Planning on half-understood output would be guessing, so a line that does not fit refuses.
    """
    text = answer(reader, argv, tolerated=tolerated)
    try:
        found = parser(text)
    except UnexpectedOutput as error:
        raise unknown_output(argv, str(error)) from error
    for line in getattr(found, "unread", ()):
        raise unknown_output(argv, f"line {line.line_no}: {line.line[:_SAID]!r}")
    return found


def unknown_output(argv: Sequence[str], what: str) -> ChangeRefused:
    """Return the refusal of output that is not known, with how to report it."""
    command = shlex.join([Path(argv[0]).name, *argv[1:]])
    return ChangeRefused(
        "host.unreadable",
        f"`{' '.join(argv)}` wrote what no parser knows, {what}.",
        f"`keyrack-agent parse {shlex.quote(command)} < output` shows what is understood of it: "
        "report the lines that it names. Until then nothing is planned or changed.",
    )


def can_start(reader: Reader, argv: Sequence[str]) -> str:
    """Return why a program cannot be started, empty where it can."""
    try:
        reader.run(list(argv), timeout_seconds=READ_SECONDS)
    except CommandNotStarted as error:
        return f"{argv[0]} could not be started: {error.reason}."
    return ""


def cryptoadm_missing(reader: Reader) -> str:
    """Return why cryptoadm cannot be used here, empty where it can (`--help` reads nothing)."""
    return can_start(reader, [CRYPTOADM, "--help"])


def _unreadable(argv: Sequence[str], what: str) -> ChangeRefused:
    return ChangeRefused(
        "host.unreadable",
        f"`{' '.join(argv)}` {what}.",
        "Without a clean look at the host nothing is planned or changed.",
    )


def concerns_a_library(argv: Sequence[str]) -> bool:
    """Return whether a call of cryptoadm is about a user-level library.

    Of the kernel's providers it writes the file first and tells the kernel then; its listings of
    policies and software providers show the file [src]. So only its exit code tells the rest.
    """
    return any(word.startswith("provider=/") for word in argv)
