"""A console in processes of its own: granian (ASGI) over SQLite in a temporary folder."""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from console.config.env import ROOT
from tests.support.children import tied
from tests.support.ports import free_port


@dataclass
class RunningConsole:
    """Where it is and how to get in."""

    url: str
    folder: Path
    environment: dict[str, str] = field(repr=False)
    token: str = field(default="", repr=False)

    def manage(self, *arguments: str, stdin: str = "") -> str:
        """Run a management command in the console's environment; return its standard output."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            timeout=60,
        ).stdout.strip()

    def client(self, token: str | None = None) -> httpx.Client:
        """Return an HTTP client with a Bearer token (default: the administrator's)."""
        headers = {"Authorization": f"Bearer {self.token if token is None else token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=25)

    def spawn(self, argv: list[str], log: str) -> "subprocess.Popen[bytes]":
        """Start a program in the console's environment, its output in `<folder>/<log>.log`."""
        with (self.folder / f"{log}.log").open("ab") as stream:
            return subprocess.Popen(
                tied(argv), cwd=ROOT, env=self.environment, stdout=stream, stderr=stream
            )


@contextmanager
def console_running(folder: Path, redis_url: str) -> Iterator[RunningConsole]:
    """Migrate, make an administrator and serve, for the length of the block."""
    port = free_port()
    console = RunningConsole(
        url=f"http://127.0.0.1:{port}",
        folder=folder,
        environment={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "console.config.settings.embedded",
            "KEYRACK_VAR": str(folder),
            "KEYRACK_PORT": str(port),
            "KEYRACK_REDIS_URL": redis_url,
            "KEYRACK_SECRET_KEY": secrets.token_urlsafe(50),
        },
    )
    console.manage("migrate", "--verbosity", "0")
    console.manage("user_create", "adam", "--role", "administrator")
    console.token = console.manage("apitoken_create", "--user", "adam", "--name", "tests")
    argv = [sys.executable, "-m", "granian", "--interface", "asgi", "--workers", "1"]
    argv += ["--loop", "asyncio", "--host", "127.0.0.1", "--port", str(port), "--no-ws"]
    server = console.spawn([*argv, "console.config.asgi:application"], "web")
    try:
        _wait(console, server)
        yield console
    finally:
        server.terminate()
        server.wait(20)


def _wait(console: RunningConsole, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        assert server.poll() is None, (console.folder / "web.log").read_text()
        try:
            httpx.get(f"{console.url}/healthz", timeout=2).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError((console.folder / "web.log").read_text())
