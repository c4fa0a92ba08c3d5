"""Serving what Vite built, under a strict content security policy."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client


@pytest.fixture
def dist(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """A built dashboard."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Keyrack</title>")
    (folder / "assets" / "index-Ab3_d-9x.js").write_text("export {};" * 100)
    packed = gzip.compress(b"export {};" * 100)
    (folder / "assets" / "index-Ab3_d-9x.js.gz").write_bytes(packed)
    (folder / "favicon.svg").write_text("<svg/>")
    settings.DASHBOARD_DIR = folder
    return folder


@pytest.mark.parametrize("path", ["/", "/hosts", "/jobs/0190/", "/login"])
def test_every_page_is_the_same_file(dist: Path, path: str) -> None:
    """Which one it is, the browser decides; it is asked for anew each time."""
    response = Client().get(path)
    assert response.content == b"<!doctype html><title>Keyrack</title>"
    assert response["Cache-Control"] == "no-cache"
    assert "csrftoken" in response.cookies


def test_a_rebuilt_page_is_served_without_a_restart(dist: Path) -> None:
    """After make build."""
    Client().get("/")
    (dist / "index.html").write_text("<!doctype html><title>New</title>")
    assert b"New" in Client().get("/").content


def test_hashed_files_are_kept_for_ever_and_others_for_minutes(dist: Path) -> None:
    """Their name changes with their content."""
    hashed = Client().get("/assets/index-Ab3_d-9x.js")
    assert hashed["Cache-Control"] == "max-age=315360000, public, immutable"
    assert hashed["Content-Type"].startswith("text/javascript")
    assert Client().get("/favicon.svg")["Cache-Control"] == "max-age=300, public"


def test_the_compressed_form_is_served_where_there_is_one(dist: Path) -> None:
    """To browsers that take it."""
    client = Client()
    packed = client.get("/assets/index-Ab3_d-9x.js", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == b"export {};" * 100
    assert client.get("/assets/index-Ab3_d-9x.js").content == b"export {};" * 100


def test_a_missing_asset_is_no_page(dist: Path) -> None:
    """Otherwise a browser would run HTML as a script."""
    assert Client().get("/assets/gone-12345678.js").status_code == 404


def test_without_a_build_a_page_says_how_to_make_one(settings: Any, tmp_path: Path) -> None:
    """The console itself runs."""
    settings.DASHBOARD_DIR = tmp_path / "nothing"
    response = Client().get("/")
    assert response.status_code == 503
    assert b"make run" in response.content


def test_pages_carry_a_strict_policy_and_security_headers(dist: Path) -> None:
    """No inline scripts, no other origin, no frame."""
    response = Client().get("/")
    policy = dict(
        part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in response["Content-Security-Policy"]
    assert policy["frame-ancestors"] == "'none'"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
