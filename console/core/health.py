"""What /readyz answers: which parts of the console work, and what is wrong with the others."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

import redis
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from console.core.pulse import STALE_SECONDS, Pulse, pulse_age_seconds
from console.core.redis import redis_client

_migrated = threading.Event()


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the console. `message` says in a sentence what is wrong; "" when all is well."""

    name: str
    message: str = ""

    @property
    def is_ok(self) -> bool:
        """Whether it works."""
        return not self.message


def checks_run() -> list[Check]:
    """Try database, broker, worker and beat, in this order."""
    parts: tuple[tuple[str, Callable[[], str]], ...] = (
        ("database", _database),
        ("broker", _broker),
        ("worker", lambda: _pulse(Pulse.WORKER)),
        ("beat", lambda: _pulse(Pulse.BEAT)),
    )
    return [Check(name, try_it()) for name, try_it in parts]


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        pending = _pending_migrations()
    except DatabaseError as error:
        return f"The database does not answer: {type(error).__name__}."
    return f"{pending} migrations are not applied; run manage.py migrate." if pending else ""


def _pending_migrations() -> int:
    """Count them; once there are none, this process need not look again."""
    if not _migrated.is_set():
        executor = MigrationExecutor(connection)
        if pending := executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return len(pending)
        _migrated.set()
    return 0


def _broker() -> str:
    try:
        redis_client().ping()
    except redis.RedisError as error:
        return f"Redis does not answer: {type(error).__name__}."
    return ""


def _pulse(who: Pulse) -> str:
    try:
        age = pulse_age_seconds(who)
    except redis.RedisError:
        return f"Unknown: Redis, where the {who.value} gives signs of life, does not answer."
    if age is None:
        return f"The {who.value} has given no sign of life."
    if age > STALE_SECONDS:
        return f"The {who.value} gave its last sign of life {age:.0f} seconds ago."
    return ""
