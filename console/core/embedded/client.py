"""The supervisor's way to the console: the public API, as the administrator it made."""

import ssl
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import httpx

from console.core.embedded.options import Options


class ConsoleClient:
    """A session of user `admin`, with the password that was generated for it."""

    def __init__(self, options: Options) -> None:
        self._http = httpx.Client(
            base_url=options.local_url, verify=_trust(options), timeout=20.0, trust_env=False
        )
        self._password_file = options.layout.password("admin")

    def __enter__(self) -> "ConsoleClient":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def is_up(self, path: str) -> bool:
        """Return whether `path` answers 200."""
        try:
            return self._http.get(path).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    def log_in(self) -> bool:
        """Begin a session; return False where the generated password no longer holds."""
        password = self._password_file.read_text(encoding="utf-8").strip()
        self._http.get("/api/v1/me/")  # refused, but it sets the CSRF cookie
        reply = self.post("/api/v1/session/", {"username": "admin", "password": password})
        return reply.status_code < httpx.codes.BAD_REQUEST

    def log_out(self) -> None:
        """End the session."""
        self._http.delete("/api/v1/session/", headers=self._headers())

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """Send `body` as JSON with the session's CSRF token."""
        return self._http.post(path, json=body, headers=self._headers())

    def get(self, path: str, **parameters: str) -> dict[str, Any]:
        """Return the object at `path`. Raises httpx.HTTPStatusError."""
        reply = self._http.get(path, params=parameters)
        reply.raise_for_status()
        data: dict[str, Any] = reply.json()
        return data

    def every(self, path: str, **parameters: str) -> Iterator[dict[str, Any]]:
        """Yield every object of a list, page by page."""
        cursor: str | None = ""
        while cursor is not None:
            page = self.get(path, **parameters, **({"cursor": cursor} if cursor else {}))
            yield from page["results"]
            cursor = page["next"]

    def _headers(self) -> dict[str, str]:
        token = self._http.cookies.get("csrftoken") or ""
        return {"X-CSRFToken": token, "Referer": str(self._http.base_url)}


def _trust(options: Options) -> ssl.SSLContext | bool:
    """Trust exactly the certificate that we serve; its names are checked by nobody but people."""
    if options.certificate is None:
        return True
    context = ssl.create_default_context(cafile=str(options.certificate))
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.check_hostname = False
    return context


def poll(ask: Callable[[], bool], *, seconds: float, every_seconds: float) -> bool:
    """Ask until the answer is yes or `seconds` have passed; return the last answer."""
    deadline = time.monotonic() + seconds
    while not ask():
        if time.monotonic() > deadline:
            return False
        time.sleep(every_seconds)
    return True
