"""A whole Keyrack in processes of its own: Redis, web server, worker, beat and a real agent.

Each of them can be ended and started again by itself. Leases and heartbeats are short.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from console.config.env import ROOT
from tests.support.ports import free_port

LEASE_SECONDS = 6
HEARTBEAT_SECONDS = 2
_CELERY = [sys.executable, "-m", "celery", "--app", "console.config.celery:app"]
_GRANIAN = [sys.executable, "-m", "granian", "--interface", "asgi", "--workers", "1"]


class Stack:
    """All processes, by name: redis, web, worker, beat, agent. Logs are `<folder>/<name>.log`."""

    def __init__(self, folder: Path, agent_settings: str = "") -> None:
        self.folder = folder
        self.agent_settings = agent_settings
        self.port, self.redis_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.client = httpx.Client(base_url=self.url, timeout=10)
        self._console = self._environment() | {
            "DJANGO_SETTINGS_MODULE": "console.config.settings.embedded",
            "KEYRACK_VAR": str(folder / "var"),
            "KEYRACK_PORT": str(self.port),
            "KEYRACK_REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            "KEYRACK_SECRET_KEY": secrets.token_urlsafe(50),
            "KEYRACK_LEASE_SECONDS": str(LEASE_SECONDS),
            "KEYRACK_HEARTBEAT_SECONDS": str(HEARTBEAT_SECONDS),
        }

    @staticmethod
    def _environment() -> dict[str, str]:
        taken = ("KEYRACK_", "DJANGO_")
        return {name: value for name, value in os.environ.items() if not name.startswith(taken)}

    def begin(self) -> None:
        """Start everything, enrol the agent, and wait until the host can run a job."""
        (self.folder / "var").mkdir()
        self.start("redis")
        self.manage("migrate", "--verbosity", "0")
        self.manage("user_create", "adam", "--role", "administrator")
        token = self.manage("apitoken_create", "--user", "adam", "--name", "tests")
        self.client.headers["Authorization"] = f"Bearer {token}"
        self.start("web", "worker", "beat")
        self.wait_for(self.is_serving, "the console did not answer")
        self._enrol()
        self.start("agent")
        self.wait_for(lambda: self.host()["state"] == "active", "the agent did not come")
        self.wait_for(lambda: self.host()["inventory_at"], "no inventory came", 60)

    def end(self) -> None:
        """End whatever runs."""
        for name in ("agent", "beat", "worker", "web", "redis"):
            if name in self.processes:
                self.stop(name)

    def start(self, *names: str) -> None:
        """Start these programs."""
        for name in names:
            argv, environment = self._programs()[name]
            with (self.folder / f"{name}.log").open("ab") as log:
                self.processes[name] = subprocess.Popen(
                    argv, cwd=ROOT, env=environment, stdout=log, stderr=log
                )

    def stop(self, *names: str, hard: bool = False) -> None:
        """End these programs, `hard` by SIGKILL."""
        chosen = [self.processes.pop(name) for name in names]
        for process in chosen:
            process.send_signal(signal.SIGKILL if hard else signal.SIGTERM)
        for process in chosen:
            process.wait(30)

    def _programs(self) -> dict[str, tuple[list[str], dict[str, str]]]:
        redis = [shutil.which("redis-server") or "redis-server", "--bind", "127.0.0.1"]
        redis += ["--port", str(self.redis_port), "--dir", str(self.folder), "--save", ""]
        web = [*_GRANIAN, "--loop", "asyncio", "--host", "127.0.0.1", "--port", str(self.port)]
        web += ["--no-ws", "--workers-kill-timeout", "5", "console.config.asgi:application"]
        worker = [*_CELERY, "worker", "--queues", "console", "--pool", "threads"]
        worker += ["--concurrency", "2", "--without-gossip", "--without-mingle"]
        beat = [*_CELERY, "beat", "--schedule", str(self.folder / "beat"), "--pidfile="]
        agent = [sys.executable, "-m", "agents", "run", "--config", str(self._agent_config)]
        return {
            "redis": (redis, self._environment()),
            "web": (web, self._console),
            "worker": ([*worker, "--without-heartbeat"], self._console),
            "beat": (beat, self._console),
            "agent": (agent, self._environment()),
        }

    @property
    def _agent_config(self) -> Path:
        return self.folder / "agent.toml"

    def _enrol(self) -> None:
        state = f'state_dir = "{self.folder}/agent"\n'
        self._agent_config.write_text(state + self.agent_settings)
        body = {"name": "tests", "lifetime_seconds": 600, "max_uses": 1}
        secret = self.post("/enrolment-tokens/", body)["secret"]
        argv = [sys.executable, "-m", "agents", "enrol", "--config", str(self._agent_config)]
        argv += ["--url", self.url, "--name", "alpha", "--token-file", "-"]
        subprocess.run(
            argv, cwd=ROOT, env=self._environment(), input=secret.encode(), check=True, timeout=60
        )

    def manage(self, *arguments: str) -> str:
        """Run a management command; return its standard output."""
        argv = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            argv, cwd=ROOT, env=self._console, check=True, stdout=subprocess.PIPE, timeout=100
        )
        return done.stdout.decode().strip()

    def agent_command(self, *arguments: str) -> str:
        """Run `keyrack-agent` with the agent's configuration; return its standard output."""
        argv = [sys.executable, "-m", "agents", *arguments, "--config", str(self._agent_config)]
        done = subprocess.run(
            argv, cwd=ROOT, env=self._environment(), check=True, stdout=subprocess.PIPE, timeout=60
        )
        return done.stdout.decode().strip()

    def get(self, path: str, **query: Any) -> Any:
        """GET from the public API."""
        return self.client.get(f"/api/v1{path}", params=query).raise_for_status().json()

    def post(self, path: str, body: Any = None) -> Any:
        """POST to the public API."""
        response = self.client.post(f"/api/v1{path}", json=body)
        assert response.is_success, response.text
        return response.json()

    def host(self) -> Any:
        """The agent's host."""
        (host,) = self.get("/hosts/", search="alpha")["results"]
        return host

    def is_serving(self) -> bool:
        """Return whether the web server answers."""
        try:
            return self.client.get("/healthz").status_code == 200
        except httpx.HTTPError:
            return False

    def wait_for(self, condition: Callable[[], Any], problem: str, seconds: float = 40) -> Any:
        """Wait until `condition` holds and return what it returned; else fail with `problem`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if found := condition():
                return found
            time.sleep(0.25)
        raise AssertionError(f"{problem}\n{self.logs()}")

    def log(self, name: str) -> str:
        """Return what a program has said."""
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")

    def logs(self) -> str:
        """Return the ends of all logs."""
        names = sorted(path.stem for path in self.folder.glob("*.log"))
        return "\n".join(f"--- {name}\n{self.log(name)[-3000:]}" for name in names)
