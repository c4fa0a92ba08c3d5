"""A private redis-server on loopback."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.support.children import tied
from tests.support.ports import free_port


@contextmanager
def redis_running(folder: Path, *options: str, port: int | None = None) -> Iterator[str]:
    """Run redis-server with `options` in `folder` for the block; yield its address."""
    server = shutil.which("redis-server")
    assert server, "redis-server is not installed; `make test` installs it"
    chosen = port or free_port()
    argv = [server, "--bind", "127.0.0.1", "--port", str(chosen), "--dir", str(folder)]
    argv += ["--save", "", "--appendonly", "no", "--daemonize", "no", *options]
    with (folder / "redis.log").open("ab") as log:
        process = subprocess.Popen(tied(argv), stdout=log, stderr=log)
    url = f"redis://127.0.0.1:{chosen}/0"
    try:
        _wait(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def redis_flush(url: str) -> None:
    """Delete everything in the Redis at `url`."""
    with redis.Redis.from_url(url) as client:
        client.flushall()


def _wait(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 10
    with redis.Redis.from_url(url) as client:
        while time.monotonic() < deadline:
            assert process.poll() is None, "redis-server ended"
            try:
                client.ping()
            except redis.RedisError:
                time.sleep(0.05)
            else:
                return
    raise AssertionError("redis-server did not answer within 10 seconds")
