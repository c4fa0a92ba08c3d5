"""The database connection of the present thread."""

from django.db import connection


def connection_release() -> None:
    """Close this thread's connection unless a transaction is open: it is not needed for a while.

    An event stream lives for an hour in a thread of its own and must not hold one that long.
    """
    if not connection.in_atomic_block:
        connection.close()
