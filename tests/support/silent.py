"""A broker that takes connections and never says a word."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from console.config.celery import app
from console.core import redis as core_redis


@contextmanager
def silent_broker() -> Iterator[str]:
    """Yield its address, which Celery's application goes by meanwhile."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        _connect(url)
        yield url
        _connect("redis://127.0.0.1:1/0")
    core_redis._rests.clear()


def _connect(url: str) -> None:
    app.conf.broker_url = url
    app._pool = app.amqp._producer_pool = None
