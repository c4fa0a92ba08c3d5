"""Stamps: a step is done when the hash of its inputs equals the one its last success wrote down."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from tools.setup.places import ROOT, TOOLS

IGNORED = {"__pycache__", "node_modules", "dist", "build", "coverage"}


def fingerprint(paths: Iterable[Path], *facts: str) -> str:
    """Return one hash over `facts` and the names and contents of all files at or below `paths`."""
    digest = hashlib.sha256()
    for fact in facts:
        digest.update(f"{fact}\0".encode())
    for file in sorted(found for path in paths for found in _files(path)):
        digest.update(f"{file.relative_to(ROOT)}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return [
        file
        for file in path.rglob("*")
        if file.is_file() and IGNORED.isdisjoint(file.relative_to(path).parts)
    ]


def is_current(name: str, value: str) -> bool:
    """Return whether step `name` last succeeded with inputs hashing to `value`."""
    stamp = _stamp(name)
    return stamp.is_file() and stamp.read_text() == value


def write_stamp(name: str, value: str) -> None:
    """Remember that step `name` succeeded with inputs hashing to `value`."""
    stamp = _stamp(name)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(value)


def forget(name: str) -> None:
    """Forget that step `name` ever succeeded: it is about to change what it made."""
    _stamp(name).unlink(missing_ok=True)


def _stamp(name: str) -> Path:
    return TOOLS / "stamps" / name
