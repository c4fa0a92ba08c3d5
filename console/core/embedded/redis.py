"""The private Redis: loopback only, a password, users kept in a file, nothing lost at a restart."""

import errno
import hashlib
import socket
from pathlib import Path

import redis

from console.core.embedded.layout import VarLayout, private_write, secret_ensure

CONFIGURATION = """\
# Written at each start of the embedded console; changes are lost.
bind 127.0.0.1
port {port}
protected-mode yes
daemonize no
supervised no
dir {folder}
aclfile {users}
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
loglevel notice
"""


def redis_prepare(layout: VarLayout) -> str:
    """Write the configuration; return the address, with password, and keep it in var/redis_url.

    The port stays the same from start to start, because enrolled agents remember it; a new one is
    chosen only when another program has taken it.
    """
    password = secret_ensure(layout.redis / "password", length=32)
    port = _port_ensure(layout.redis / "port")
    users = layout.redis / "users.acl"
    _users_ensure(users, password)
    configuration = CONFIGURATION.format(
        port=port, folder=_quoted(layout.redis), users=_quoted(users)
    )
    private_write(layout.redis / "redis.conf", configuration)
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    private_write(layout.redis_url, url + "\n")
    return url


def redis_answers(url: str) -> bool:
    """Return whether Redis at `url` answers and has loaded its data."""
    try:
        with redis.Redis.from_url(url, socket_timeout=1.0) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _users_ensure(path: Path, password: str) -> None:
    """Write the default user's line; the agents' users, added while running, stay."""
    hashed = hashlib.sha256(password.encode()).hexdigest()
    mine = f"user default on sanitize-payload #{hashed} ~* &* +@all"
    others: list[str] = []
    if path.exists():
        lines = path.read_text(encoding="utf-8").splitlines()
        others = [line for line in lines if line and not line.startswith("user default ")]
    private_write(path, "\n".join([mine, *others]) + "\n")


def _quoted(path: Path) -> str:
    """Return `path` as one argument of redis.conf, whatever it holds: a space, a quote, a #."""
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _port_ensure(path: Path) -> int:
    if path.exists():
        port = int(path.read_text(encoding="ascii"))
        if not listen_fault("127.0.0.1", port):
            return port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    private_write(path, f"{port}\n")
    return port


def listen_fault(address: str, port: int) -> str:
    """Return "" where a server could listen on `address`:`port` now, else why not."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except socket.gaierror:
            return "cannot be listened on: that is no address and no name this machine knows"
        except OSError as error:
            return _LISTEN_FAULTS.get(error.errno or 0, str(error))
    return ""


_LISTEN_FAULTS = {
    errno.EADDRINUSE: "is taken by another program",
    errno.EADDRNOTAVAIL: "cannot be listened on: this machine does not have that address",
    errno.EACCES: "may not be listened on by this user: ports below 1024 need root",
}
