"""A private PostgreSQL cluster in a temporary folder, run by an unprivileged user."""

import os
import pwd
import secrets
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

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
        data = base / "data"
        _run("initdb", "-D", str(data), "-U", "keyrack", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -k {base}"
        log = base / "log"
        _run("pg_ctl", "-D", str(data), "-o", options, "-l", str(log), "-w", "start")
        try:
            _run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "keyrack", "keyrack")
            yield f"postgresql://keyrack@127.0.0.1:{port}/keyrack"
        finally:
            _run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")


def _bin_dir() -> Path | None:
    found = sorted(_PROGRAMS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _run(program: str, *arguments: str) -> None:
    folder = _bin_dir()
    assert folder is not None
    subprocess.run(
        [str(folder / program), *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd="/",
        timeout=60,
        user=_USER if os.getuid() == 0 else None,
        env={"LC_ALL": "C.UTF-8", "PATH": os.defpath},
    )


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
