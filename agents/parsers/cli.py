"""`keyrack-agent parse`: what Keyrack understands of captured output, and what it does not."""

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from agents.config import Config
from agents.parsers.base import UnexpectedOutput
from agents.parsers.commands import UnknownCommand, read_output
from agents.parsers.solaris.text import UnreadLine

EXIT_OK = 0
EXIT_UNEXPECTED = 1
EXIT_ARGUMENTS = 2
_PAIRS = frozenset(("extra", "fields", "settings", "marks", "parts"))
_MOST_BYTES = 32 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command line whose output is read, and where the output is."""
    parser.add_argument("command_line", metavar="COMMAND", help="as typed: 'ldm list-bindings -p'")
    parser.add_argument(
        "file", nargs="?", default="-", help="file with its output (default: standard input)"
    )


def parse_command(_config: Config, chosen: argparse.Namespace) -> int:
    """Print as JSON what is understood of a command's captured output; runs nothing."""
    try:
        text = _decoded(_read(chosen.file))
    except (OSError, ValueError) as error:
        return _complain(f"{chosen.file} cannot be read: {error}", EXIT_ARGUMENTS)
    try:
        reading = read_output(chosen.command_line, text)
    except UnknownCommand as error:
        return _complain(str(error), EXIT_ARGUMENTS)
    except UnexpectedOutput as error:
        where = f"Line {error.line_no}: {error.line[:200]!r}. " if error.line else "It is empty. "
        return _complain(
            f"This is not the output of {chosen.command_line!r} that Keyrack knows. {where}"
            "If it is genuine, please report it with the command line, the release "
            "(uname -a, ldm -V) and this output.",
            EXIT_UNEXPECTED,
        )
    understood = _plain(reading.understood)
    unread = understood.pop("unread", []) if isinstance(understood, dict) else []
    answer = {
        "command": chosen.command_line,
        "parser": reading.parser.name,
        "understood": understood,
        "unread": unread,
    }
    sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
    if unread:
        numbers = ", ".join(str(line["line_no"]) for line in unread[:10])
        more = " …" if len(unread) > 10 else ""
        _complain(f"{len(unread)} lines were not understood: {numbers}{more}", EXIT_OK)
    return EXIT_OK


def _read(name: str) -> bytes:
    if name == "-":
        data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    else:
        with Path(name).open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"it is longer than {_MOST_BYTES // 1024 // 1024} MiB; cut it")
    return data


def _decoded(data: bytes) -> str:
    """Decode a capture of any terminal: UTF-16 by its mark, else UTF-8, else Latin-1."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _plain(value: Any) -> Any:
    """Return JSON's types for what parsers return."""
    if isinstance(value, UnreadLine):
        return {"line_no": value.line_no, "line": value.line}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: _field(name, getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(_plain(item) for item in value)
    return value


def _field(name: str, value: Any) -> Any:
    """Return a field; pairs of key and value become an object."""
    if name in _PAIRS:
        return {key: _plain(item) for key, item in value}
    return [dict(row) for row in value] if name == "rows" else _plain(value)


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"keyrack-agent: {text}\n")
    return code
