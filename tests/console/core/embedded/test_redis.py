"""The private Redis: a real server with the configuration that we write."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from console.core.embedded.layout import VarLayout
from console.core.embedded.redis import listen_fault, redis_answers, redis_prepare


def _layout(tmp_path: Path) -> VarLayout:
    layout = VarLayout(tmp_path / "var")
    layout.prepare()
    return layout


@contextmanager
def _server(layout: VarLayout, url: str) -> Iterator["redis.Redis"]:
    configuration = layout.redis / "redis.conf"
    process = subprocess.Popen(["redis-server", str(configuration)], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while not redis_answers(url) and time.monotonic() < deadline:
            time.sleep(0.05)
        with redis.Redis.from_url(url, decode_responses=True) as client:
            yield client
    finally:
        process.terminate()
        process.wait()


def test_without_the_password_nobody_gets_in(tmp_path: Path) -> None:
    layout = _layout(tmp_path)
    url = redis_prepare(layout)
    with _server(layout, url):
        assert redis_answers(url)
        assert not redis_answers(f"redis://127.0.0.1:{url.rpartition(':')[2]}")


def test_data_and_agents_users_outlive_a_restart(tmp_path: Path) -> None:
    layout = _layout(tmp_path)
    url = redis_prepare(layout)
    with _server(layout, url) as client:
        client.lpush("console", "a task")
        client.acl_setuser("agent", enabled=True, passwords=["+secret"], keys=["host.1.*"])
        client.acl_save()
    assert redis_prepare(layout) == url
    with _server(layout, url) as client:
        assert client.lrange("console", 0, -1) == ["a task"]
        assert "agent" in client.acl_users()


def test_another_port_is_chosen_when_ours_is_taken(tmp_path: Path) -> None:
    layout = _layout(tmp_path)
    first = redis_prepare(layout)
    with _server(layout, first):
        assert redis_prepare(layout) != first


def test_a_folder_with_an_odd_name_will_do(tmp_path: Path) -> None:
    layout = _layout(tmp_path / 'a "b" #c \\x41 é')
    url = redis_prepare(layout)
    with _server(layout, url) as client:
        assert client.config_get("dir") == {"dir": str(layout.redis)}


def test_why_nobody_can_listen_is_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert listen_fault("127.0.0.1", port) == "is taken by another program"
    assert "does not have that address" in listen_fault("192.0.2.1", port)
    assert "no name this machine knows" in listen_fault("keyrack.invalid", port)
    assert listen_fault("127.0.0.1", port) == ""
