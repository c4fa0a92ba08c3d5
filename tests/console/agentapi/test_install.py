"""The installer that a new host runs, and the wheels that it fetches."""

import hashlib
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

SCRIPT = "/agent/install.sh"


def script() -> str:
    response = Client().get(SCRIPT)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def wheels(tmp_path: Path, settings: Any) -> Path:
    settings.AGENT_DIST_DIR = str(tmp_path)
    (tmp_path / "example-1.0-py3-none-any.whl").write_bytes(b"wheel")
    (tmp_path / "notes.txt").write_text("not served")
    return tmp_path


def test_the_script_is_a_shell_script() -> None:
    subprocess.run(["sh", "-n"], input=script(), text=True, check=True)


def test_it_knows_this_console_and_its_key(settings: Any) -> None:
    settings.PUBLIC_URL, settings.TLS_PIN = "https://console.example:8443", "sha256//YWJj="
    assert "\nconsole=https://console.example:8443\n" in script()
    assert "\npin=sha256//YWJj=\n" in script()


def test_addresses_are_quoted_for_the_shell(settings: Any, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    settings.PUBLIC_URL, settings.TLS_PIN = f"http://x';touch {marker};'$(touch {marker})", ""
    environment = {"PATH": "/usr/bin:/bin", "KEYRACK_ENROLMENT_TOKEN": ""}
    subprocess.run(["sh"], input=script(), text=True, check=False, env=environment)
    assert not marker.exists()


def test_a_script_cut_short_does_nothing(tmp_path: Path) -> None:
    text = script()
    environment = {"PATH": "/usr/bin:/bin", "KEYRACK_ENROLMENT_TOKEN": "kre_x"}
    cut = text[: text.rindex("main")]
    done = subprocess.run(["sh"], input=cut, text=True, capture_output=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_a_token_it_says_how_to_get_one() -> None:
    environment = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(["sh"], input=script(), text=True, capture_output=True, env=environment)
    assert done.returncode == 1
    assert "KEYRACK_ENROLMENT_TOKEN" in done.stderr


def test_the_index_names_each_wheel_with_its_sha256(wheels: Path) -> None:
    body = Client().get("/agent/wheels/").content.decode()
    digest = hashlib.sha256(b"wheel").hexdigest()
    assert body == f"{digest}  example-1.0-py3-none-any.whl\n"


def test_the_index_follows_a_changed_wheel(wheels: Path) -> None:
    before = Client().get("/agent/wheels/").content
    (wheels / "example-1.0-py3-none-any.whl").write_bytes(b"another wheel")
    assert Client().get("/agent/wheels/").content != before


def test_a_wheel_is_served_as_it_is(wheels: Path) -> None:
    response: Any = Client().get("/agent/wheels/example-1.0-py3-none-any.whl")
    assert b"".join(response.streaming_content) == b"wheel"


@pytest.mark.parametrize("name", ["notes.txt", "..", "%2e%2e%2fnotes.txt", ".whl", "no-1.whl"])
def test_nothing_else_of_that_folder_is_served(wheels: Path, name: str) -> None:
    response = Client().get(f"/agent/wheels/{name}")
    assert response.status_code == 404
    assert response.json()["code"] in {"wheel.not_found", "request.not_found"}


def test_a_missing_folder_is_an_empty_index(settings: Any, tmp_path: Path) -> None:
    settings.AGENT_DIST_DIR = str(tmp_path / "missing")
    assert Client().get("/agent/wheels/").content == b""
