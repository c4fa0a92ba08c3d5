"""Lines of captured output as people paste them: cleaned, numbered, without prompts and commands.

A capture may be a whole terminal session. What a shell printed (its prompt, the command line) is
left out here; what a program printed stays, so that no parser has to know about shells.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from agents.parsers.base import UnexpectedOutput

PROGRAMS = frozenset(
    (
        "ldm", "cryptoadm", "kstat", "psrinfo", "isainfo", "uname", "svcs", "svcprop", "svcadm",
        "ksslcfg", "kssladm", "openssl", "pktool", "netstat", "prtdiag", "cat", "head", "more",
        "digest", "mac", "script", "exit", "date",
    )
)  # fmt: skip
"""Programs by which a line `prompt program …` is known as a command line."""

LONGEST_NUMBER = 18
"""Digits of a number that is taken as one; longer is text (and int() stays linear)."""

_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]{0,20}[ -/]{0,4}[@-~]|[@-Z\\-_])")
_CONTROL: dict[int, str | None] = dict.fromkeys(
    (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xFEFF)
)
_CONTROL[0xA0] = " "
_COMMAND = re.compile(
    r"(?P<prompt>[^#$%>|=]{0,80}[#$%>]) {0,4}"
    r"(?P<command>(?:(?:LC_ALL|LANG)=\S{1,20} |sudo |pfexec |time )*(?:/[\w./-]{0,80}/)?"
    r"(?P<program>[a-z]\w{0,20})(?: .*)?)"
)
_BARE = re.compile(
    r"(?:/[\w./-]{0,80}/)?(?P<program>ldm|cryptoadm|kstat|psrinfo|isainfo) "
    r"[a-z-][\w./:=,$ -]{0,200}"
)
_IDLE_PROMPT = re.compile(r"(?:[\w.@:~/-]{0,60}|\[[^\]]{0,60}\])[#$%>]")
_SHARE = re.compile(r"[\d.]{1,12}%")
"""A share that a terminal folded off its row; it looks like the prompt of csh."""
_COMMENT = re.compile(r"#(?:\s.*|-{3,}.*)?")
_RULE = re.compile(r"[-=*_~]{3,}")
_SESSION = re.compile(r"Script (?:started|done|command)\b.*|Last login: .*|logout|exit", re.I)


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that no rule fitted. `line_no` counts from 1 in the text as it was given."""

    line_no: int
    line: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text: its number, and its words without the trailing blanks."""

    number: int
    text: str

    @property
    def stripped(self) -> str:
        """The line without its indentation."""
        return self.text.strip()

    @property
    def is_indented(self) -> bool:
        """Whether it begins with a blank or a TAB."""
        return self.text[:1].isspace()

    def unread(self) -> UnreadLine:
        """Return it as one that was not understood."""
        return UnreadLine(self.number, self.text)

    def unexpected(self) -> UnexpectedOutput:
        """Return the error that names this line."""
        return UnexpectedOutput(self.number, self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """One command of a capture and what followed it; `command` is empty before the first."""

    command: str
    lines: tuple[Line, ...]


def lines_of(text: str) -> list[Line]:
    """Return the lines of output, blank ones included, without what a shell printed."""
    return [line for block in blocks_of(text) for line in block.lines]


def blocks_of(text: str) -> list[Block]:
    """Split a capture at the command lines in it. Linear in the length of the text."""
    blocks: list[Block] = []
    command, lines, prompts = "", list[Line](), set[str]()
    for line in _cleaned(text):
        if command.endswith("\\") and not lines:
            command = command[:-1] + line.stripped.removeprefix(">").lstrip()
            continue
        said = _command(line.text, prompts)
        if said is not None:
            blocks.append(Block(command, tuple(lines)))
            command, lines = said, []
        elif not _is_noise(line.text, prompts):
            lines.append(line)
    blocks.append(Block(command, tuple(lines)))
    return [block for block in blocks if block.command or any(line.text for line in block.lines)]


def chosen_text(text: str, fits: Callable[[str], bool]) -> str:
    """Return the capture with only what commands that `fits` approves printed.

    Lines keep their numbers. Everything stays where no command line in the capture fits.
    """
    blocks = blocks_of(text)
    fitting = [block for block in blocks if block.command and fits(block.command)]
    if not fitting:
        return text
    kept = {line.number: line.text for block in fitting for line in block.lines}
    last = max(kept, default=0)
    return "\n".join(kept.get(number, "") for number in range(1, last + 1))


def is_rule(text: str) -> bool:
    """Tell whether a line is only a ruler, as `------` or `=====`."""
    return _RULE.fullmatch(text.replace(" ", "")) is not None


def number_of(text: str) -> int | None:
    """Return a whole number in decimal, or None."""
    word = text.strip()
    is_number = word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER
    return int(word) if is_number else None


def require_found(found: object, lines: list[Line]) -> None:
    """Raise UnexpectedOutput with the first line that says something where nothing was found."""
    if not found:
        raise first_said(lines).unexpected()


def first_said(lines: list[Line]) -> Line:
    """Return the first line that is not blank; an empty line 1 where all are."""
    return next((line for line in lines if line.text), Line(1, ""))


def _cleaned(text: str) -> list[Line]:
    plain = _ESCAPE.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    plain = plain.translate(_CONTROL)
    return [Line(number, line.rstrip()) for number, line in enumerate(plain.split("\n"), start=1)]


def _command(text: str, prompts: set[str]) -> str | None:
    """Return the command line in a shell's line, or None where it is a program's output."""
    head = text[:400]
    found = _COMMAND.fullmatch(head.strip())
    if found and (found["program"] in PROGRAMS or (found["prompt"].strip() in prompts)):
        prompts.add(found["prompt"].strip())
        return found["command"]
    bare = _BARE.fullmatch(head.strip())
    return bare[0] if bare and not text[:1].isspace() else None


def _is_noise(text: str, prompts: set[str]) -> bool:
    if not text or _SHARE.fullmatch(text):
        return False
    is_prompt = text.strip() in prompts
    return is_prompt or any(shape.fullmatch(text) for shape in (_IDLE_PROMPT, _COMMENT, _SESSION))
