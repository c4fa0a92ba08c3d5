"""The compressed JavaScript of the first page, as the build wrote it."""

import gzip
import re
from pathlib import Path

from console.config.env import ROOT
from tests.load.report import Row

DIST = ROOT / "frontend" / "dist"
MOST_BYTES = 400 * 1024
_FIRST_PAGES = ("LoginPage", "OverviewPage")
"""Chunks that a first visit loads besides the entry: it logs in and sees the overview."""


def measure() -> list[Row]:
    """Add up the scripts of the page, the first pages' chunks, and all that these import."""
    page = (DIST / "index.html").read_text("utf-8")
    found = [DIST / name for name in re.findall(r'(?:src|href)="/?([^"]+\.js)"', page)]
    scripts = _with_imports([*found, *(_chunk(name) for name in _FIRST_PAGES)])
    size = sum(len(gzip.compress(script.read_bytes(), 9)) for script in scripts)
    charts = [script.name for script in scripts if b"echarts" in script.read_bytes()]
    return [
        Row(
            name="JavaScript of the first load, compressed",
            measured=f"{size / 1024:.0f} KB in {len(scripts)} files",
            promise=f"≤ {MOST_BYTES // 1024} KB",
            is_met=0 < size <= MOST_BYTES,
            how="gzip -9 of frontend/dist: entry, login, overview and all that they import",
        ),
        Row(
            name="chart library in the first load",
            measured=", ".join(charts) or "no",
            promise="no",
            is_met=not charts,
            how="the same files searched for it",
        ),
    ]


def _chunk(page: str) -> Path:
    found = list((DIST / "assets").glob(f"{page}-*.js"))
    if len(found) != 1:
        raise RuntimeError(f"{len(found)} chunks of {page} in {DIST}, not one; build it first")
    return found[0]


def _with_imports(scripts: list[Path]) -> list[Path]:
    """Follow static imports (`import … from"./x.js"`), not dynamic ones (`import("./x.js")`)."""
    found: dict[Path, None] = {}
    waiting = list(scripts)
    while waiting:
        script = waiting.pop().resolve()
        if script in found:
            continue
        found[script] = None
        text = script.read_text("utf-8")
        names = re.findall(r'(?:from|import)\s*"(\./[^"]+\.js)"', text)
        waiting += [script.parent / name for name in names]
    return list(found)
