"""docs/licences.md lists every package that a running Keyrack contains."""

from pathlib import Path

import pytest

from tools.licences import npm_licences, python_licences

PAGE = (Path(__file__).parents[2] / "docs" / "licences.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["console", "agent"])
def test_every_locked_python_package_is_listed_with_a_licence(name: str) -> None:
    rows = python_licences(name)
    missing = [r for r in rows if f"| {r.package} | {r.version} | {r.licence} |" not in PAGE]
    assert len(rows) > 20
    assert missing == [], "run: make licences"


def test_every_package_of_the_dashboard_is_listed_with_a_licence() -> None:
    rows = npm_licences()
    missing = [r for r in rows if f"| {r.package} | {r.version} | {r.licence} |" not in PAGE]
    assert len(rows) > 10
    assert missing == [], "run: make licences"


def test_no_licence_is_unknown() -> None:
    rows = [*python_licences("console"), *python_licences("agent"), *npm_licences()]
    assert [row.package for row in rows if row.licence in {"", "?", "UNKNOWN"}] == []
