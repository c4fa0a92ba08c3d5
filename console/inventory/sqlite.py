"""SQLite takes far more parameters per statement than Django assumes; bulk writes want them."""

import sqlite3
from typing import Any

from django.db.backends.signals import connection_created


def _use_real_limit(*, connection: Any, **_kwargs: Any) -> None:
    if connection.vendor == "sqlite":
        limit = connection.connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
        connection.features.max_query_params = limit


def parameter_limit_raise() -> None:
    """Let each SQLite connection say itself how many parameters it takes (32,766 since 3.32)."""
    connection_created.connect(_use_real_limit, dispatch_uid="keyrack.sqlite_parameters")
