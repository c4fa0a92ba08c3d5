"""The whole embedded console, as `make up` starts it, in a folder of its own."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from console.config.env import ROOT
from tests.support.ports import free_port

_READY_SECONDS = 240.0
_FINAL = {"succeeded", "failed", "errored", "cancelled", "lost", "expired"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """A running console with its local agent, idle."""

    folder: Path
    url: str
    environment: dict[str, str] = field(repr=False)
    token: str = field(repr=False)
    host_id: str

    def client(self) -> httpx.Client:
        """Return an HTTP client with an administrator's token."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30)

    def agent_pid(self) -> int:
        """Return the pid of the local agent's daemon."""
        config = str(self.folder / "agent")
        found = [
            process.pid
            for process in psutil.process_iter(["cmdline"])
            if _is_daemon(process.info["cmdline"] or [], config)
        ]
        if len(found) != 1:
            raise RuntimeError(f"{len(found)} agents of this console were found, not one")
        return found[0]


def _is_daemon(argv: list[str], config: str) -> bool:
    return "run" in argv and any(word.startswith(config) for word in argv)


@contextmanager
def embedded_running(folder: Path) -> Iterator[Embedded]:
    """Start it, wait until its first measurement is over, and stop it after the block."""
    port = free_port()
    environment = {**os.environ, "KEYRACK_VAR": str(folder), "KEYRACK_PORT": str(port)}
    environment["KEYRACK_SIMULATE"] = "none"
    for name in ("DJANGO_SETTINGS_MODULE", "KEYRACK_REDIS_URL", "KEYRACK_DATABASE_URL"):
        environment.pop(name, None)

    def manage(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=environment,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            timeout=_READY_SECONDS,
        )
        return done.stdout.strip()

    manage("run_embedded", "--background")
    try:
        token = manage("apitoken_create", "--user", "admin", "--name", "bench")
        url = f"http://127.0.0.1:{port}"
        host_id = _idle_host(url, token)
        yield Embedded(
            folder=folder, url=url, environment=environment, token=token, host_id=host_id
        )
    finally:
        manage("run_embedded", "--stop")


def _idle_host(url: str, token: str) -> str:
    """Wait until the live host has an inventory and the first measurement has ended."""
    headers = {"Authorization": f"Bearer {token}"}
    deadline = time.monotonic() + _READY_SECONDS
    with httpx.Client(base_url=url, headers=headers, timeout=30) as client:
        while time.monotonic() < deadline:
            hosts = client.get("/api/v1/hosts/").raise_for_status().json()["results"]
            ready = [h for h in hosts if h["first_inventory_at"] and not h["is_simulated"]]
            runs = client.get("/api/v1/runs/").raise_for_status().json()["results"]
            if ready and runs and all(run["state"] in _FINAL for run in runs):
                return str(ready[0]["id"])
            time.sleep(1)
    raise RuntimeError("the embedded console's first measurement did not end in time")


class EventListener:
    """Listens to the event stream, as the dashboard does, and keeps when each event arrived."""

    def __init__(self, embedded: Embedded, topic: str) -> None:
        self._client = embedded.client()
        self._topic = topic
        self._changed = threading.Condition()
        self._events: list[tuple[float, str]] = []
        self._is_open = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> "EventListener":
        self._thread.start()
        if not self._is_open.wait(10):
            raise RuntimeError("the event stream did not open")
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def wait(self, object_id: str, *, after: int, seconds: float) -> tuple[int, float]:
        """Return the next event of an object: its number (pass it as `after`), when it came."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while True:
                for number in range(after, len(self._events)):
                    at, what = self._events[number]
                    if what == object_id:
                        return number + 1, at
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise TimeoutError(f"no event of {object_id} within {seconds} s")

    def count(self) -> int:
        """Return how many events came so far."""
        return len(self._events)

    def _listen(self) -> None:
        try:
            with self._client.stream(
                "GET", "/api/v1/events/", params={"topics": self._topic}, timeout=None
            ) as reply:
                reply.raise_for_status()
                self._is_open.set()
                for line in reply.iter_lines():
                    if line.startswith("data:"):
                        self._keep(json.loads(line.removeprefix("data:")))
        except (httpx.HTTPError, RuntimeError):
            return

    def _keep(self, event: dict[str, Any]) -> None:
        with self._changed:
            self._events.append((time.time(), str(event.get("id"))))
            self._changed.notify_all()
