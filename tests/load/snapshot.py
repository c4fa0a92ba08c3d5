"""An unchanged snapshot is never sent: a real agent behind a proxy that counts its requests."""

import gzip
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from agents.cli import TOKEN_VARIABLE
from agents.wire.names import PATH_HEARTBEAT, PATH_SNAPSHOT
from console.config.env import ROOT
from tests.load.embedded import Embedded
from tests.load.report import Row

_SCANS = 5
_SECONDS = 180.0


class _CountingProxy(ThreadingHTTPServer):
    """Passes the agent's requests on and counts them by path; asks for scans every two seconds."""

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = httpx.Client(base_url=target, timeout=30)
        self.requests: Counter[str] = Counter()
        self.digests: list[str] = []

    @property
    def url(self) -> str:
        """Where the agent finds it."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: _CountingProxy
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests[self.path] += 1
        if self.path == PATH_HEARTBEAT:
            is_gzip = self.headers.get("Content-Encoding") == "gzip"
            beat = json.loads(gzip.decompress(body) if is_gzip else body)
            self.server.digests.append(beat["snapshot_digest"])
        kept = ("Authorization", "Content-Type", "Content-Encoding")
        headers = {name: self.headers[name] for name in kept if name in self.headers}
        reply = self.server.target.request(self.command, self.path, content=body, headers=headers)
        content = _faster(reply) if self.path == PATH_HEARTBEAT else reply.content
        self.send_response(reply.status_code)
        self.send_header("Content-Type", reply.headers.get("Content-Type", ""))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _faster(reply: httpx.Response) -> bytes:
    """Set short intervals in a heartbeat's reply, as a server may."""
    if reply.is_error:
        return reply.content
    return json.dumps({**reply.json(), "heartbeat_seconds": 1, "scan_seconds": 2}).encode()


def measure(embedded: Embedded) -> list[Row]:
    """Enrol a second agent through the proxy and let it scan again and again."""
    folder = embedded.folder.parent / "snapshot-agent"
    folder.mkdir()
    proxy = _CountingProxy(embedded.url)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    config = _enrol(embedded, proxy, folder)
    argv = [sys.executable, "-m", "agents", "run", "--config", str(config)]
    with (folder / "agent.log").open("wb") as log:
        daemon = subprocess.Popen(argv, cwd=ROOT, stdout=log, stderr=log)
    try:
        scans = _wait_for_scans(folder / "agent.log")
    finally:
        daemon.terminate()
        daemon.wait(20)
        proxy.shutdown()
    sent = proxy.requests[PATH_SNAPSHOT]
    different = len({digest for digest in proxy.digests if digest})
    return [
        Row(
            name="snapshots sent",
            measured=f"{sent} in {scans} scans and {proxy.requests[PATH_HEARTBEAT]} heartbeats; "
            f"digests: {different}",
            promise="one per digest",
            is_met=sent == different,
            how="a real agent behind a counting proxy, scanning every 2 s",
        )
    ]


def _enrol(embedded: Embedded, proxy: _CountingProxy, folder: Path) -> Path:
    """Enrol an agent of its own; return its configuration file."""
    with embedded.client() as client:
        made = client.post("/api/v1/enrolment-tokens/", json={"name": "bench"}).raise_for_status()
    config = folder / "agent.toml"
    config.write_text(
        f'state_dir = "{folder}/state"\n[console]\nurl = "{proxy.url}"\n[agent]\nname = "bench-2"\n'
    )
    subprocess.run(
        [sys.executable, "-m", "agents", "enrol", "--config", str(config)],
        cwd=ROOT,
        env={**os.environ, TOKEN_VARIABLE: made.json()["secret"]},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return config


def _wait_for_scans(log: Path) -> int:
    """Return how many scans there were, once there were enough."""
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        if (scans := log.read_text("utf-8").count("scan.done")) >= _SCANS:
            return scans
        time.sleep(1)
    raise RuntimeError(f"fewer than {_SCANS} scans in {_SECONDS:.0f} s")
