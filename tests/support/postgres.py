"""A private PostgreSQL cluster in a temporary folder, run by an unprivileged user."""

import os
import pwd
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.support.children import tied
from tests.support.ports import free_port

_PROGRAMS = Path("/usr/lib/postgresql")
_USER = "postgres"


def postgres_missing() -> str:
    """Return what this machine lacks to run PostgreSQL, "" when nothing."""
    if _bin_dir() is None:
        return "PostgreSQL's server programs are not installed (Debian package postgresql)"
    if os.getuid() == 0 and not any(entry.pw_name == _USER for entry in pwd.getpwall()):
        return "PostgreSQL does not run as root and there is no user postgres"
    return ""


@contextmanager
def postgres_running() -> Iterator[str]:
    """Run a new cluster for the length of the block; yield the address of its empty database."""
    port = free_port()
    # Not in pytest's own folder: that is closed to the user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="keyrack-postgres-") as name:
        base = Path(name)
        if os.getuid() == 0:
            os.chown(base, pwd.getpwnam(_USER).pw_uid, -1)
        data = str(base / "data")
        _run("initdb", "-D", data, "-U", "keyrack", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = {"listen_addresses": "127.0.0.1", "fsync": "off", "unix_socket_directories": name}
        argv = [_program("postgres"), "-D", data, "-p", str(port)]
        argv += [part for key, value in options.items() for part in ("-c", f"{key}={value}")]
        server = subprocess.Popen(tied(argv), **_as_user(), stderr=subprocess.DEVNULL)
        try:
            _wait(port, server)
            _run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "keyrack", "keyrack")
            yield f"postgresql://keyrack@127.0.0.1:{port}/keyrack"
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)


def _wait(port: int, server: "subprocess.Popen[bytes]") -> None:
    """Wait until the server takes connections."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert server.poll() is None, "postgres ended"
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="keyrack", dbname="postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("postgres did not answer within 60 seconds")


def _bin_dir() -> Path | None:
    found = sorted(_PROGRAMS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _program(name: str) -> str:
    folder = _bin_dir()
    assert folder is not None
    return str(folder / name)


def _as_user() -> dict[str, Any]:
    """Return how to start a program as the user that PostgreSQL agrees to run as."""
    environment = {"LC_ALL": "C.UTF-8", "PATH": os.defpath}
    user = _USER if os.getuid() == 0 else None
    return {"cwd": "/", "user": user, "env": environment, "stdout": subprocess.DEVNULL}


def _run(program: str, *arguments: str) -> None:
    subprocess.run([_program(program), *arguments], check=True, timeout=120, **_as_user())


@contextmanager
def postgres_database_new(server_url: str) -> Iterator[str]:
    """Make an empty database on the server for the length of the block; yield its address."""
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"{server_url.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
