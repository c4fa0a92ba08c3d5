"""Runs a command as `nobody`, also where the interpreter or the sources lie below a closed folder.

`unshare --mount python ordinary_user.py PATH… -- ARGV…`, as root: in a mount
namespace, each folder on the way to a PATH that others may not enter is replaced by an empty open
one, into which the PATHs are bound at their places. The machine itself is not changed.
"""

import os
import subprocess
import sys
from pathlib import Path

BECOME_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")


def closed_folder(path: Path) -> Path | None:
    """Return the outermost folder on the way to `path` that others may not enter."""
    way = [*reversed(path.parents), path]
    return next((folder for folder in way if not folder.stat().st_mode & 0o001), None)


def bind(source: Path, target: Path) -> None:
    """Make `source` visible at `target` too."""
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "--bind", str(source), str(target)], check=True)


def open_the_way(paths: list[Path]) -> None:
    """Make each of `paths` reachable for everybody, within this mount namespace."""
    hidden = [(path, folder) for path in paths if (folder := closed_folder(path)) is not None]
    kept = Path("/mnt")
    subprocess.run(["mount", "-t", "tmpfs", "none", str(kept)], check=True)
    for number, (path, _) in enumerate(hidden):
        bind(path, kept / str(number))
    for folder in {folder for _, folder in hidden}:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", str(folder)], check=True)
    for number, (path, _) in enumerate(hidden):
        bind(kept / str(number), path)


def main() -> None:
    """Open the way, then become the command."""
    end = sys.argv.index("--")
    paths = sorted({Path(path).resolve() for path in sys.argv[1:end]})
    os.umask(0o022)
    open_the_way(paths)
    argv = [*BECOME_NOBODY, *sys.argv[end + 1 :]]
    os.execvp(argv[0], argv)


if __name__ == "__main__":
    main()
