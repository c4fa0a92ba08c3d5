"""Small files that must survive a crash: written whole, private, and with fsync."""

import os
from pathlib import Path


def ensure_private_dir(path: Path) -> None:
    """Make a directory that only the agent's user may enter, and what is missing above it."""
    # Not by parents=True: that gives the parents whatever the umask allows.
    if not path.parent.exists():
        ensure_private_dir(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


def write_durably(path: Path, data: bytes, *, is_durable: bool = True) -> None:
    """Replace `path` by `data` in one step, mode 0600; after a crash it is the old or the new one.

    `is_durable` False leaves out the fsync, for what may be lost with the power.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        stream.flush()
        if is_durable:
            os.fsync(stream.fileno())
    os.replace(temporary, path)
    if is_durable:
        sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make names in a directory durable (fsync(2): a file's own fsync does not)."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
