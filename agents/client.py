"""The agent's HTTP client: one method per endpoint of docs/protocol.md, errors as classes."""

import gzip
import json
import random
import time
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx

from agents.tls import ConsoleKeyMismatch, PinnedContext
from agents.wire import codec
from agents.wire.messages import (
    ClaimReply,
    ClaimRequest,
    EnrolReply,
    EnrolRequest,
    HeartbeatReply,
    HeartbeatRequest,
    LeaseReply,
    LeaseRequest,
    ReportsReply,
    ReportsRequest,
    SnapshotReply,
)
from agents.wire.names import (
    PATH_CLAIM,
    PATH_ENROL,
    PATH_HEARTBEAT,
    PATH_LEASE,
    PATH_REPORTS,
    PATH_SNAPSHOT,
)

T = TypeVar("T")

GZIP_FROM_BYTES = 1024
_TIMEOUT_SECONDS = 10.0
# Longer than the heartbeat's interval, so that one connection serves an idle agent.
_KEEPALIVE_SECONDS = 90.0


class ConsoleError(Exception):
    """The console did not do what was asked. `code` is the console's own, or a word of ours."""

    code = "console.error"

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code


class ConsoleUnreachable(ConsoleError):
    """No answer, or one that asks for patience (429, 5xx): back off and try again."""

    code = "console.unreachable"


class ConsoleUntrusted(ConsoleError):
    """The server does not hold the pinned key; nothing was sent."""

    code = "console.untrusted"


class InvalidMessage(ConsoleError):
    """400: our message does not fit. Not sent again unchanged. `problems` name the paths."""

    code = "wire.invalid"

    def __init__(self, message: str, code: str = "", problems: list[str] | None = None) -> None:
        super().__init__(message, code)
        self.problems = problems or []


class NotAuthorised(ConsoleError):
    """401 or 403: the credential is not (or no longer) accepted. Stop work; enrol again."""

    code = "agent.unauthenticated"


class WorkConflict(ConsoleError):
    """409: the console does not hold that order under our nonce. Drop it."""

    code = "work.nonce_mismatch"


class TooLarge(ConsoleError):
    """413: send less at once."""

    code = "wire.too_large"


class WireUnsupported(ConsoleError):
    """426: the console no longer understands this agent. Try again every 5 minutes."""

    code = "wire.unsupported"


_ERROR_OF_STATUS: dict[int, type[ConsoleError]] = {
    400: InvalidMessage,
    401: NotAuthorised,
    403: NotAuthorised,
    409: WorkConflict,
    413: TooLarge,
    426: WireUnsupported,
    429: ConsoleUnreachable,
}


class Backoff:
    """Waits after failures: 1 s doubling to 60 s, with full jitter (anything from 0 to that)."""

    FIRST_SECONDS = 1.0
    LIMIT_SECONDS = 60.0

    def __init__(self) -> None:
        self._failures = 0

    def next_seconds(self) -> float:
        """Return how long to wait now, and remember one more failure."""
        limit = min(self.LIMIT_SECONDS, self.FIRST_SECONDS * 2.0 ** min(self._failures, 10))
        self._failures += 1
        return random.uniform(0.0, limit)  # noqa: S311 - jitter, not a secret

    def reset(self) -> None:
        """Forget all failures: something answered."""
        self._failures = 0


class ConsoleClient:
    """Talks to one console. Safe to use from several threads. Raises ConsoleError subclasses."""

    def __init__(
        self,
        url: str,
        *,
        pin: str = "",
        credential: str = "",
        agent_version: str = "",
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"User-Agent": f"keyrack-agent/{agent_version}", "Accept": "application/json"}
        if credential:
            headers["Authorization"] = f"Bearer {credential}"
        self._http = httpx.Client(
            base_url=url,
            headers=headers,
            verify=PinnedContext(pin) if pin else True,
            timeout=_TIMEOUT_SECONDS,
            limits=httpx.Limits(max_connections=6, keepalive_expiry=_KEEPALIVE_SECONDS),
            transport=transport,
            follow_redirects=False,
            # No proxies and no .netrc from the environment: the pin is between us and the console.
            trust_env=False,
        )

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def enrol(self, request: EnrolRequest) -> EnrolReply:
        """Ask to become a host."""
        return self._send(PATH_ENROL, request, EnrolReply)

    def heartbeat(self, request: HeartbeatRequest) -> HeartbeatReply:
        """Say that the agent lives; learn what is due."""
        return self._send(PATH_HEARTBEAT, request, HeartbeatReply)

    def claim(self, request: ClaimRequest) -> ClaimReply:
        """Claim the next due order of a lane. The same nonce gets the same reply."""
        return self._send(PATH_CLAIM, request, ClaimReply)

    def lease(self, request: LeaseRequest) -> LeaseReply:
        """Renew the lease of an order."""
        return self._send(PATH_LEASE, request, LeaseReply)

    def reports(self, request: ReportsRequest) -> ReportsReply:
        """Hand in reports."""
        return self._send(PATH_REPORTS, request, ReportsReply)

    def snapshot(self, compressed: bytes) -> SnapshotReply:
        """Hand in a snapshot: a SnapshotRequest as gzip-compressed JSON, as the scan wrote it."""
        return self._post(PATH_SNAPSHOT, compressed, True, SnapshotReply)

    def clock_offset_seconds(self) -> float:
        """Return the console's clock minus ours, from the Date of a reply to GET /healthz."""
        reply = self._exchange("GET", "/healthz", None, {})
        date = reply.headers.get("Date")
        if date is None:
            raise ConsoleError("the reply carries no Date")
        return parsedate_to_datetime(date).timestamp() - time.time()

    def _send(self, path: str, message: Any, kind: type[T]) -> T:
        body = codec.encode(message)
        if len(body) < GZIP_FROM_BYTES:
            return self._post(path, body, False, kind)
        return self._post(path, gzip.compress(body, 5, mtime=0), True, kind)

    def _post(self, path: str, body: bytes, is_gzip: bool, kind: type[T]) -> T:
        headers = {"Content-Type": "application/json"}
        if is_gzip:
            headers["Content-Encoding"] = "gzip"
        reply = self._exchange("POST", path, body, headers)
        try:
            return codec.decode(reply.content, kind)
        except codec.WireError as error:
            raise ConsoleUnreachable(f"{path}: not understood: {error}", "wire.reply") from error

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> httpx.Response:
        try:
            reply = self._request(method, path, body, headers)
        except ConsoleKeyMismatch as error:
            raise ConsoleUntrusted(str(error)) from error
        except httpx.HTTPError as error:
            raise ConsoleUnreachable(
                f"no answer from {self._http.base_url}: {str(error) or type(error).__name__}"
            ) from error
        if reply.is_success:
            return reply
        raise _error_of(reply, path)

    def _request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> httpx.Response:
        try:
            return self._http.request(method, path, content=body, headers=headers)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            # Most likely an idle connection that the console had just closed. Every request but
            # an enrolment means the same when it is made twice.
            if path == PATH_ENROL:
                raise
            return self._http.request(method, path, content=body, headers=headers)


def _error_of(reply: httpx.Response, path: str) -> ConsoleError:
    kind = _ERROR_OF_STATUS.get(reply.status_code, ConsoleError)
    if reply.status_code >= 500:
        kind = ConsoleUnreachable
    try:
        shape = json.loads(reply.content)
        code, message, extra = shape["code"], shape["message"], shape.get("extra") or {}
    except (ValueError, KeyError, TypeError, AttributeError):
        return kind(f"{path} was answered {reply.status_code} without an error of Keyrack's shape")
    text = f"{message} (status {reply.status_code})"
    if kind is InvalidMessage:
        return InvalidMessage(text, str(code), [str(line) for line in extra.get("problems", [])])
    return kind(text, str(code))
