"""Recorded trees: one text file each, unfolded into a directory that stands in for a root."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents.config import Config, LinuxConfig
from agents.drivers.base import Inventory, ScanContext
from agents.drivers.registry import choose_driver

TREES = Path(__file__).resolve().parent / "trees"


def unfold(source: Path, root: Path) -> Path:
    """Make the directory that a `.tree` file describes.

    `= path text`: a file of one line; `< path`: the lines up to the next entry; `@ path -> target`:
    a link; `x path offset hex …`: bytes at an offset; `// …`: a comment.
    """
    target: Path | None = None
    for line in source.read_text().split("\n"):
        kind, _, rest = line.partition(" ")
        if kind == "//":
            continue
        if kind in ("=", "<", "@", "x") and rest.startswith("/"):
            target = _entry(root, kind, rest)
        elif target is not None:
            with target.open("a") as stream:
                stream.write(line + "\n")
    return root


def _entry(root: Path, kind: str, rest: str) -> Path | None:
    path_text, _, value = rest.partition(" ")
    path = root / path_text.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "@":
        path.symlink_to(value.removeprefix("-> "))
    elif kind == "x":
        offset, _, words = value.partition(" ")
        path.write_bytes(bytes(int(offset, 16)) + bytes.fromhex(words.replace(" ", "")))
    else:
        path.write_text(f"{value}\n" if kind == "=" else "")
    return path if kind == "<" else None


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[[str], Config]:
    """Return a configuration whose root is the named tree."""

    def unfolded(name: str) -> Config:
        root = unfold(TREES / f"{name}.tree", tmp_path / name)
        return Config(linux=LinuxConfig(root=root))

    return unfolded


@pytest.fixture
def scanned(recorded: Callable[[str], Config]) -> Callable[[str], Inventory]:
    """Return the inventory of the named tree."""

    def scan(name: str) -> Inventory:
        config = recorded(name)
        return choose_driver(config).inventory(ScanContext.from_config(config))

    return scan
