"""A console in memory, over real HTTP: hands out orders once, keeps reports, can fail on demand."""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

from agents.wire import codec
from agents.wire.messages import (
    ClaimReply,
    EnrolReply,
    HeartbeatReply,
    LeaseReply,
    ReportsReply,
    SnapshotReply,
)
from agents.wire.names import API_PREFIX
from agents.wire.work import Report, WorkOrder

CREDENTIAL = "kra_stub-credential-0001"


class ConsoleStub:
    """Keeps to docs/protocol.md: claims are at most once, the same nonce gets the same reply."""

    def __init__(self) -> None:
        self.url = ""
        """Where it is served, once it is."""
        self.lock = threading.Lock()
        self.due: list[WorkOrder] = []
        self.claimed: dict[str, WorkOrder] = {}
        self.reports: list[Report] = []
        self.seen_seqs: list[int] = []
        self.acknowledged = 0
        self.requests: list[tuple[str, Any]] = []
        self.snapshots: list[str] = []
        self.cancel: set[str] = set()
        self.not_held: set[str] = set()
        self.refuse: dict[str, tuple[int, str]] = {}
        """Path → status and code to answer with."""
        self.drop_replies: dict[str, int] = {}
        """Path → how many requests are carried out, but answered by closing the connection."""
        self.lease_seconds = 3
        self.heartbeat_seconds = 1

    def order(self, lane: str = "work", kind: str = "job.run", **fields: Any) -> WorkOrder:
        """Make an order due; `workload` and `parameters` go to the job."""
        parameters = {
            "workload": fields.pop("workload", "test.marker"),
            "parameters": fields.pop("parameters", {}),
        }
        order = WorkOrder(
            work_id=str(uuid4()), kind=kind, lane=lane, nonce="", parameters=parameters,
            lease_seconds=self.lease_seconds, **fields,
        )  # fmt: skip
        with self.lock:
            self.due.append(order)
        return order

    def reports_of(self, work_id: str, kind: str = "") -> list[Report]:
        """Return what was reported of one order, in order of its numbers."""
        with self.lock:
            return [
                report
                for report in sorted(self.reports, key=lambda report: report.seq)
                if report.work_id == work_id and kind in ("", report.kind)
            ]

    def answer(self, path: str, data: dict[str, Any]) -> tuple[int, Any]:
        """Answer one request: status and message (or error shape)."""
        name = path.removeprefix(API_PREFIX).strip("/")
        with self.lock:
            self.requests.append((name, data))
            if name in self.refuse:
                status, code = self.refuse[name]
                return status, {"code": code, "message": f"refused: {code}", "extra": {}}
            return 200, getattr(self, f"_{name.replace('/', '_').replace('.', '_')}")(data)

    def _healthz(self, _data: dict[str, Any]) -> Any:
        return HeartbeatReply()

    def _enrol(self, data: dict[str, Any]) -> EnrolReply:
        return EnrolReply(
            host_id="0193-host", host_name=data["name"] or data["hostname"],
            credential=CREDENTIAL, broker_url="", heartbeat_seconds=self.heartbeat_seconds,
        )  # fmt: skip

    def _heartbeat(self, data: dict[str, Any]) -> HeartbeatReply:
        digest = data["snapshot_digest"]
        due = {lane: sum(o.lane == lane for o in self.due) for lane in ("work", "quick")}
        return HeartbeatReply(
            wants_snapshot=bool(digest) and digest not in self.snapshots,
            due={lane: count for lane, count in due.items() if count},
            heartbeat_seconds=self.heartbeat_seconds,
            acknowledged_seq=self.acknowledged,
        )

    def _snapshot(self, data: dict[str, Any]) -> SnapshotReply:
        self.snapshots.append(data["digest"])
        return SnapshotReply(digest=data["digest"], is_new=True)

    def _claim(self, data: dict[str, Any]) -> ClaimReply:
        nonce = data["nonce"]
        if nonce in self.claimed:
            return ClaimReply(order=self.claimed[nonce])
        for order in self.due:
            if order.lane == data["lane"]:
                self.due.remove(order)
                plain = {**codec.to_plain(order), "nonce": nonce}
                self.claimed[nonce] = codec.from_plain(plain, WorkOrder)
                return ClaimReply(order=self.claimed[nonce])
        return ClaimReply()

    def _lease(self, data: dict[str, Any]) -> LeaseReply:
        work_id = data["work_id"]
        return LeaseReply(
            is_held=data["nonce"] in self.claimed and work_id not in self.not_held,
            cancel_requested=work_id in self.cancel,
            lease_seconds=self.lease_seconds,
        )

    def _reports(self, data: dict[str, Any]) -> ReportsReply:
        for plain in data["reports"]:
            report = codec.from_plain(plain, Report)
            self.seen_seqs.append(report.seq)
            if report.seq > self.acknowledged:
                self.reports.append(report)
                self.acknowledged = report.seq
        return ReportsReply(acknowledged_seq=self.acknowledged)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body in one segment: two would wait for each other's acknowledgement.
    wbufsize = -1
    server: "StubServer"

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self._answer(json.loads(body))

    def _answer(self, data: dict[str, Any]) -> None:
        status, message = self.server.stub.answer(self.path, data)
        name = self.path.removeprefix(API_PREFIX).strip("/")
        if self.server.stub.drop_replies.get(name, 0) > 0:
            self.server.stub.drop_replies[name] -= 1
            self.close_connection = True
            return
        body = json.dumps(message).encode() if status != 200 else codec.encode(message)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class StubServer(ThreadingHTTPServer):
    """Serves one stub on a free loopback port until closed; can be stopped and started again."""

    daemon_threads = True

    def __init__(self, stub: ConsoleStub, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.stub = stub
        self.url = stub.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}).start()

    def close(self) -> None:
        """Stop answering."""
        self.shutdown()
        self.server_close()
