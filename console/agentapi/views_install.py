"""What a new host fetches: the installer and the agent's wheels. Public: neither holds a secret."""

import hashlib
import re
import shlex
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.http import require_safe

from console.core.errors import error_body
from console.fleet.install import console_pin

_SCRIPT = Path(__file__).with_name("install.sh")
_WHEEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+!-]*\.whl")


@require_safe
def install_script(request: HttpRequest) -> HttpResponse:
    """Return the installer with this console's address and key pin, both quoted for the shell."""
    text = _SCRIPT.read_text(encoding="utf-8")
    text = text.replace("@CONSOLE@", shlex.quote(settings.PUBLIC_URL))
    text = text.replace("@PIN@", shlex.quote(console_pin()))
    response = HttpResponse(text, content_type="text/x-shellscript; charset=utf-8")
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def wheel_index(request: HttpRequest) -> HttpResponse:
    """Return `<SHA-256>  <name>` for each wheel, in the form of sha256sum."""
    folder = Path(settings.AGENT_DIST_DIR)
    found = sorted(path for path in folder.glob("*.whl") if _WHEEL_NAME.fullmatch(path.name))
    lines = [f"{_sha256(path, path.stat().st_mtime_ns)}  {path.name}\n" for path in found]
    return HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def wheel(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return one wheel of the index; nothing else of that folder, and nothing outside it."""
    path = Path(settings.AGENT_DIST_DIR) / name
    if not _WHEEL_NAME.fullmatch(name) or not path.is_file():
        body = error_body("wheel.not_found", f"There is no wheel {name} here.")
        return JsonResponse(body, status=404)
    return FileResponse(path.open("rb"), content_type="application/octet-stream")


@lru_cache(maxsize=500)
def _sha256(path: Path, _changed_ns: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
