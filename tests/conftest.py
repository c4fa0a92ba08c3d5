"""Fixtures of all tests: a private Redis, a private PostgreSQL, a console that really runs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.console import RunningConsole, console_running
from tests.support.postgres import postgres_database_new, postgres_missing, postgres_running
from tests.support.race import migrate
from tests.support.redis import redis_flush, redis_running


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a Redis of this test process alone."""
    with redis_running(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
def redis_url(redis_server: str, settings: Any) -> str:
    """An empty Redis that the console's settings point to."""
    redis_flush(redis_server)
    settings.REDIS_URL = redis_server
    settings.CELERY_BROKER_URL = redis_server
    return redis_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Address of an empty database in a PostgreSQL of this test process alone."""
    if missing := postgres_missing():
        pytest.skip(missing)
    with postgres_running() as url:
        yield url


@pytest.fixture(scope="session")
def running_console(
    redis_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningConsole]:
    """A console under granian (ASGI) with SQLite and Redis, and an administrator's API token."""
    with console_running(Path(tmp_path_factory.mktemp("console")), redis_server) as console:
        yield console


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def race_database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Address of a migrated database that several processes can use: one of each kind."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('race') / 'race.sqlite3'}"
        migrate(url)
        yield url
        return
    with postgres_database_new(request.getfixturevalue("postgres_server")) as url:
        migrate(url)
        yield url
