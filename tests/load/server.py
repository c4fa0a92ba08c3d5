"""A console of one granian worker, by WSGI or ASGI, with the empty view and one enrolled host."""

import http.client
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from agents.wire import codec
from agents.wire.inventory import Facts
from agents.wire.messages import EnrolReply, EnrolRequest, SnapshotRequest
from agents.wire.names import PATH_ENROL, PATH_SNAPSHOT
from console.config.env import ROOT
from tests.load.facts import large_facts
from tests.support.ports import free_port

AGENT_VERSION = "bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchConsole:
    """Folder, database and Redis of one console; `serve` gives it a server."""

    folder: Path
    environment: dict[str, str]
    token: str = ""

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return next(self.folder.glob("*.sqlite3"))

    def manage(self, *arguments: str) -> str:
        """Run a management command; return its standard output."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            timeout=120,
        ).stdout.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running server."""

    pid: int
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolledHost:
    """A host that the console knows, with its snapshot acknowledged."""

    credential: str
    digest: str


def bench_console(folder: Path, redis_url: str) -> BenchConsole:
    """Migrate a database and make an administrator's API token."""
    console = BenchConsole(
        folder=folder,
        environment={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.load.settings",
            "KEYRACK_VAR": str(folder),
            "KEYRACK_REDIS_URL": redis_url,
            "KEYRACK_SECRET_KEY": secrets.token_urlsafe(50),
            "KEYRACK_LOG_LEVEL": "WARNING",
        },
    )
    console.manage("migrate", "--verbosity", "0")
    console.manage("user_create", "bench", "--role", "administrator")
    return replace(
        console, token=console.manage("apitoken_create", "--user", "bench", "--name", "bench")
    )


@contextmanager
def serving(console: BenchConsole, interface: str) -> Iterator[Server]:
    """Serve for the length of the block with one worker process and one thread."""
    port = free_port()
    argv = [sys.executable, "-m", "granian", "--interface", interface, "--workers", "1"]
    argv += ["--host", "127.0.0.1", "--port", str(port), "--no-ws"]
    argv += ["--blocking-threads", "1"] if interface == "wsgi" else ["--loop", "asyncio"]
    argv.append(f"console.config.{interface}:application")
    environment = {**console.environment, "KEYRACK_PORT": str(port)}
    with (console.folder / f"{interface}.log").open("ab") as log:
        process = subprocess.Popen(argv, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        _wait(port, process)
        yield Server(pid=process.pid, port=port)
    finally:
        process.terminate()
        process.wait(20)


def enrolled_host(
    console: BenchConsole, server: Server, facts: Facts | None = None
) -> EnrolledHost:
    """Enrol a host through the public and the agents' API and send a snapshot of it.

    `facts`: what it says of itself, otherwise those of a large host.
    """
    facts = facts or large_facts()
    headers = {"Authorization": f"Bearer {console.token}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=30) as client:
        made = client.post("/api/v1/enrolment-tokens/", json={"name": "bench"})
        made.raise_for_status()
        request = EnrolRequest(
            token=made.json()["secret"],
            machine_id=secrets.token_hex(16),
            hostname=facts.host.hostname,
            platform=facts.host.platform,
            agent_version=AGENT_VERSION,
        )
        reply = client.post(PATH_ENROL, content=codec.encode(request), headers=_JSON)
        reply.raise_for_status()
        credential = codec.decode(reply.content, EnrolReply).credential
        digest = codec.facts_digest(facts)
        snapshot = SnapshotRequest(taken_at="2026-01-01T00:00:00+00:00", digest=digest, facts=facts)
        sent = client.post(
            PATH_SNAPSHOT,
            content=codec.encode(snapshot),
            headers={**_JSON, "Authorization": f"Bearer {credential}"},
        )
        sent.raise_for_status()
    return EnrolledHost(credential=credential, digest=digest)


_JSON = {"Content-Type": "application/json"}


class Caller:
    """One keep-alive connection that posts the same body again and again."""

    def __init__(self, server: Server, credential: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._headers = {**_JSON, "Authorization": f"Bearer {credential}"}

    def post(self, path: str, body: bytes, times: int) -> None:
        """Post `times` times. Raises RuntimeError unless each answer is 200."""
        for _ in range(times):
            try:
                self._post(path, body)
            except (ConnectionError, http.client.RemoteDisconnected):
                # A server may close a connection between two requests; the next one opens another.
                self._connection.close()
                self._post(path, body)

    def _post(self, path: str, body: bytes) -> None:
        self._connection.request("POST", path, body, self._headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status != http.client.OK:
            raise RuntimeError(f"{path} answered {response.status}: {text[:300]!r}")


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=2).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start; its log is in the benchmark's folder")
