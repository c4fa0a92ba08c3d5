"""The programs and files of one host, as the kinds of change know them: real, or stand-ins.

Plans and kinds speak of real paths (`/usr/sbin/cryptoadm`); where a simulator stands in, this is
the one place that knows where its programs and files really are.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agents.executors.process import FIXED_ENVIRONMENT, CommandResult, run_command

READ_CAP_BYTES = 8 << 20
MAX_FILE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Runs a host's programs and finds its files. It reads; applying asks it where things are.

    `stand_ins`: the directory whose programs stand in for those of the same name; None: the real
    ones. `root`: what the paths of files hang off.
    """

    stand_ins: Path | None = None
    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=dict)

    def located(self, argv: Sequence[str]) -> list[str]:
        """Return the command as it is really started here."""
        program, *words = argv
        if self.stand_ins is not None:
            program = str(self.stand_ins / Path(program).name)
        return [program, *words]

    def file(self, path: str) -> Path:
        """Return where the file of that absolute path really is. Raises ValueError for others."""
        if not path.startswith("/") or ".." in Path(path).parts:
            raise ValueError(f"{path!r} is not an absolute path without '..'")
        return self.root / path.lstrip("/")

    def full_environment(self) -> dict[str, str]:
        """Return what is added to the fixed environment; stand-ins come first on PATH."""
        added = dict(self.environment)
        if self.stand_ins is not None:
            path = added.get("PATH", FIXED_ENVIRONMENT["PATH"])
            added["PATH"] = os.pathsep.join([str(self.stand_ins), path])
        return added

    def run(self, argv: Sequence[str], *, timeout_seconds: float = 30.0) -> CommandResult:
        """Run a command that only reads, by its full path. Raises CommandNotStarted."""
        return run_command(
            self.located(argv),
            timeout_seconds=timeout_seconds,
            env=self.full_environment(),
            output_cap_bytes=READ_CAP_BYTES,
        )

    def read_text(self, path: str) -> str | None:
        """Return a file's text; None where it is not there. Raises OSError for other reasons."""
        try:
            with self.file(path).open("rb") as stream:
                data = stream.read(MAX_FILE_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if len(data) > MAX_FILE_BYTES:
            raise OSError(f"{path} is longer than {MAX_FILE_BYTES} bytes")
        return data.decode("utf-8", "surrogateescape")
