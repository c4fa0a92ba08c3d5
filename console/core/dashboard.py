"""Serves what Vite built: hashed files for ever, index.html for every page of the dashboard."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from whitenoise.middleware import WhiteNoiseMiddleware

NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Keyrack: dashboard not built</title></head>
<body><h1>The dashboard is not built yet</h1>
<p>The console runs, but <code>frontend/dist</code> is missing. In the repository's folder, run
<code>make run</code> (or <code>make build</code>) and start the console again.</p>
<p>The API is here: <a href="/api/v1/docs/">/api/v1/docs/</a></p></body></html>
"""


# WhiteNoise has no types.
class StaticMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise over frontend/dist, with replies that ASGI need not iterate in a thread."""

    def __init__(self, get_response: Any = None) -> None:
        super().__init__(get_response)
        if settings.DASHBOARD_DIR.is_dir():
            self.add_files(str(settings.DASHBOARD_DIR))

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """Return the file (compressed if the browser takes that), a 304 or a range of it."""
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as stream:
                body = stream.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response


@require_safe
@ensure_csrf_cookie
def dashboard(request: HttpRequest) -> HttpResponse:
    """Return index.html, whichever page of the dashboard was asked for."""
    index: Path = settings.DASHBOARD_DIR / "index.html"
    try:
        response = HttpResponse(_read(index, index.stat().st_mtime_ns))
    except FileNotFoundError:
        response = HttpResponse(NOT_BUILT, status=503)
    response["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=2)
def _read(path: Path, _changed: int) -> bytes:
    return path.read_bytes()
