"""The only place that reads the console's environment variables.

Every function reads at call time and returns a value of its own type; settings modules call them.
"""

import contextlib
import os
import secrets
import socket
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
"""The repository's (or installation's) folder."""

DEFAULT_PORT = 8000
_WILDCARDS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not bound


class SettingError(RuntimeError):
    """The console cannot start as it is set; the message names the variable and what to do."""


class MissingSetting(SettingError):
    """A variable without which the console must not start is not set."""


class InvalidSetting(SettingError, ValueError):
    """A variable has a value that cannot be meant."""


def text(name: str, default: str = "") -> str:
    """Return variable `name` stripped, or `default` when it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def required(name: str, why: str) -> str:
    """Return variable `name`; raise MissingSetting, saying `why` it is needed, when unset."""
    value = text(name)
    if not value:
        raise MissingSetting(f"Set {name}: {why}")
    return value


def integer(name: str, default: int) -> int:
    """Return variable `name` as a whole number; raise InvalidSetting naming it when it is none."""
    value = text(name)
    if not value:
        return default
    try:
        return int(value)
    except ValueError:
        raise InvalidSetting(f"{name} must be a whole number, not {value!r}") from None


def boolean(name: str, default: bool = False) -> bool:
    """Return variable `name` as a switch: 1, true, yes and on are true."""
    value = text(name).lower()
    return value in {"1", "true", "yes", "on"} if value else default


def words(name: str) -> list[str]:
    """Return variable `name` as a comma-separated list without empty entries."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def port() -> int:
    """Return the console's TCP port, KEYRACK_PORT (8000). Raise InvalidSetting for no port."""
    number = integer("KEYRACK_PORT", DEFAULT_PORT)
    if not 1 <= number <= 65535:
        raise InvalidSetting(f"KEYRACK_PORT must be a TCP port, 1 to 65535, not {number}")
    return number


def bind_address() -> str:
    """Return the address to listen on, KEYRACK_BIND (127.0.0.1)."""
    return text("KEYRACK_BIND", "127.0.0.1")


def var_dir() -> Path:
    """Return the folder of everything the console writes, KEYRACK_VAR (./var).

    Raise InvalidSetting for a path that softhsm2.conf(5), where # begins a comment, cannot hold.
    """
    path = Path(text("KEYRACK_VAR", str(ROOT / "var"))).resolve()
    if set("#\n\r") & set(str(path)):
        raise InvalidSetting(f"KEYRACK_VAR={str(path)!r} must not hold a # or a line break")
    return path


def folder(name: str, default: Path) -> Path:
    """Return variable `name` as an absolute path."""
    return Path(text(name, str(default))).resolve()


def public_url() -> str:
    """Return the address under which people and agents reach the console, without a final slash."""
    scheme = "https" if text("KEYRACK_TLS_CERT") else "http"
    host = bind_address()
    host = "127.0.0.1" if host in _WILDCARDS else host
    host = f"[{host}]" if ":" in host else host
    return text("KEYRACK_PUBLIC_URL", f"{scheme}://{host}:{port()}").rstrip("/")


def allowed_hosts(url: str) -> list[str]:
    """Return the Host headers that are answered: loopback, this machine, KEYRACK_PUBLIC_URL's host.

    KEYRACK_ALLOWED_HOSTS adds more. Only a console that listens everywhere and was given no public
    address answers to any name.
    """
    if bind_address() in _WILDCARDS and not text("KEYRACK_PUBLIC_URL"):
        return ["*"]
    here = ["localhost", "127.0.0.1", "[::1]", socket.gethostname().lower()]
    host = urlsplit(url).hostname or ""
    public = f"[{host}]" if ":" in host else host
    return [name for name in [*here, public, *words("KEYRACK_ALLOWED_HOSTS")] if name]


def redis_url() -> str:
    """Return the broker's address: KEYRACK_REDIS_URL, else var/redis_url, else the local default.

    The embedded supervisor starts a private Redis and writes its address (with password) to
    var/redis_url, mode 0600, so that management commands find it too.
    """
    stored = var_dir() / "redis_url"
    fallback = "redis://127.0.0.1:6379/0"
    if stored.is_file():
        fallback = stored.read_text(encoding="ascii").strip() or fallback
    return text("KEYRACK_REDIS_URL", fallback)


def secret_key(*, create: bool) -> str:
    """Return KEYRACK_SECRET_KEY or the content of var/secret_key.

    With `create` a missing file is made (mode 0600); without it MissingSetting is raised.
    """
    path = var_dir() / "secret_key"
    value = text("KEYRACK_SECRET_KEY")
    if value:
        return value
    if create and not path.exists():
        _create_secret(path)
    if path.is_file():
        return path.read_text(encoding="ascii").strip()
    raise MissingSetting(
        f"Set KEYRACK_SECRET_KEY (50 or more random characters) or write it to {path}: sessions,"
        " API tokens and agent credentials are signed with it"
    )


_OURS = frozenset({"keyrack.sqlite3", "run", "log", "redis", "redis_url", "admin_password"})


def _claim_var(path: Path) -> None:
    """Make KEYRACK_VAR, or see that nobody else's files are in it: it is closed to other users.

    Raise InvalidSetting, saying why it cannot be used.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = {entry.name for entry in path.iterdir()}
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError("it may not be written")
    except OSError as error:
        reason = error.strerror or error
        raise InvalidSetting(f"KEYRACK_VAR={path} cannot be used: {reason}") from None
    strange = sorted(name for name in found if not name.startswith(("secret_key", ".")))
    if strange and not found & _OURS:
        raise InvalidSetting(
            f"KEYRACK_VAR={path} holds other things ({', '.join(strange[:3])}). It becomes"
            " Keyrack's alone, closed to other users: choose a new or an empty folder"
        )


def _create_secret(path: Path) -> None:
    """Write a new secret in one step; of two racing processes the first one's stays."""
    _claim_var(path.parent)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(secrets.token_urlsafe(64))
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()


SQLITE_OPTIONS: dict[str, Any] = {
    # A write transaction takes its lock at once: no "database is locked" half way through.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}


def database() -> dict[str, Any]:
    """Return Django's database entry from KEYRACK_DATABASE_URL (postgresql://… or sqlite:///path).

    Default: SQLite in var/keyrack.sqlite3. Raise ValueError for any other scheme.
    """
    url = text("KEYRACK_DATABASE_URL", f"sqlite:///{var_dir() / 'keyrack.sqlite3'}")
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        name = url.removeprefix("sqlite:///")
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": name if name.startswith("/") else str(ROOT / name),
            "OPTIONS": dict(SQLITE_OPTIONS),
        }
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError("KEYRACK_DATABASE_URL must begin with postgresql:// or sqlite:///")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or options.pop("host", "")),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
