"""`make up` and `make down`, for real: all starts, says what it found, and ends without a trace."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from console.config.env import ROOT
from console.core.embedded.instance import InstanceLock, InstanceRecord, wait_until
from console.core.embedded.layout import VarLayout
from tests.support.ports import free_port

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]


class Embedded:
    """A console that `make up` started in a folder and on a port of its own."""

    def __init__(self, var: Path) -> None:
        self.layout = VarLayout(var)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run `manage.py run_embedded` with these arguments to its end."""
        ours = {"KEYRACK_VAR": str(self.layout.root), "KEYRACK_PORT": str(self.port)}
        return subprocess.run(
            [sys.executable, "manage.py", "run_embedded", *arguments],
            cwd=ROOT,
            env={
                **os.environ,
                **ours,
                "DJANGO_SETTINGS_MODULE": "console.config.settings.embedded",
            },
            capture_output=True,
            text=True,
            timeout=200,
        )

    def record(self) -> InstanceRecord:
        """Return what runs."""
        record = InstanceLock(self.layout).record()
        assert record is not None
        return record

    def log(self) -> str:
        """Return what the supervisor said."""
        return self.layout.log_file("supervisor").read_text()

    def is_ready(self) -> bool:
        """Return whether /readyz answers 200."""
        try:
            return httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    embedded = Embedded(tmp_path_factory.mktemp("embedded") / "var")
    started = embedded.command("--background")
    assert started.returncode == 0, started.stdout + started.stderr
    assert embedded.url in started.stdout
    yield embedded
    embedded.command("--stop")


def test_up_returns_when_the_console_is_ready(embedded: Embedded) -> None:
    assert embedded.is_ready()
    assert set(embedded.record().programs) >= {
        "redis",
        "web",
        "worker",
        "beat",
        "agent",
        "agent-simulated",
    }


def test_it_shows_this_host_its_units_and_tokens(embedded: Embedded) -> None:
    assert wait_until(lambda: "Tokens" in embedded.log(), 90, pause=0.5), embedded.log()
    assert re.search(r"Hosts\n +name +state .*\n +\S+ +active", embedded.log())
    assert re.search(r"Crypto units\n +host +kind", embedded.log())


def test_a_simulated_t5120_stands_beside_it_and_is_labelled(embedded: Embedded) -> None:
    assert wait_until(lambda: "Tokens" in embedded.log(), 90, pause=0.5), embedded.log()
    assert re.search(r"t5120-sim +active, simulated +\S*(SunOS|Solaris)", embedded.log()), (
        embedded.log()
    )
    assert re.search(r"t5120-sim +mau ", embedded.log()), embedded.log()


def test_it_ends_with_a_comparison_measured_on_this_host(embedded: Embedded) -> None:
    pattern = r"With and without acceleration.*\n  .*AES-128-CBC.*\n  .*SHA-?256.*"
    assert wait_until(lambda: re.search(pattern, embedded.log()) is not None, 150, pause=1), (
        embedded.log()
    )


def test_a_second_start_is_refused_and_says_where_the_first_runs(embedded: Embedded) -> None:
    again = embedded.command()
    assert again.returncode == 1
    assert embedded.url in again.stderr
    assert "make down" in again.stderr


def test_a_taken_port_is_refused_with_the_way_out(embedded: Embedded, tmp_path: Path) -> None:
    other = Embedded(tmp_path / "other")
    other.port = embedded.port
    refused = other.command()
    assert refused.returncode == 1
    assert "KEYRACK_PORT" in refused.stderr


def test_a_killed_worker_and_agent_come_back(embedded: Embedded) -> None:
    before = embedded.record().programs
    for name in ("worker", "agent"):
        os.kill(before[name].pid, signal.SIGKILL)
    assert wait_until(
        lambda: all(
            embedded.record().programs[name] != before[name]
            and embedded.record().programs[name].is_alive()
            for name in ("worker", "agent")
        ),
        20,
    )


def test_nobody_else_can_read_what_it_wrote(embedded: Embedded) -> None:
    assert embedded.layout.root.stat().st_mode & 0o077 == 0
    secrets = [*embedded.layout.root.glob("*_password"), embedded.layout.root / "secret_key"]
    assert len(secrets) == 3
    assert all(path.stat().st_mode & 0o177 == 0 for path in secrets)


def test_no_secret_is_in_an_argument_list_or_a_log(embedded: Embedded) -> None:
    folders = (embedded.layout.agent, embedded.layout.simulated)
    files = [folder / "state" / "identity.json" for folder in folders]
    secrets = [json.loads(file.read_text())["credential"] for file in files]
    secrets += [embedded.layout.password("admin").read_text().strip()]
    secrets.append((embedded.layout.redis / "password").read_text().strip())
    text = "".join(_arguments(p.pid) for p in embedded.record().programs.values())
    text += "".join(path.read_text(errors="replace") for path in embedded.layout.log.glob("*"))
    assert [secret for secret in secrets if secret in text] == []


def _arguments(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except FileNotFoundError:
        return ""


def test_every_example_of_the_api_guide_works(embedded: Embedded) -> None:
    guide = (ROOT / "docs" / "api.md").read_text()
    examples = "\n".join(re.findall(r"^```sh\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL))
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", examples.replace(".venv/bin/python", sys.executable)],
        cwd=ROOT,
        env={
            **os.environ,
            "KEYRACK": embedded.url,
            "KEYRACK_VAR": str(embedded.layout.root),
            "DJANGO_SETTINGS_MODULE": "console.config.settings.embedded",
        },
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "filter.unknown" in done.stdout


def test_zz_down_ends_everything(embedded: Embedded) -> None:
    programs = embedded.record().programs
    stopped = embedded.command("--stop")
    assert f"Stopped {embedded.url}" in stopped.stdout
    assert not any(process.is_alive() for process in programs.values())
    assert not embedded.is_ready()
    assert _still_there(embedded.layout.root) == []


def _still_there(var: Path) -> list[str]:
    """Return the command lines of processes that still have to do with `var`."""
    lines = {path: _arguments(int(path.parent.name)) for path in Path("/proc").glob("[0-9]*/stat")}
    return [line for line in lines.values() if str(var) in line]
