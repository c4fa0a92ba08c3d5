"""Keyset paging: a page begins after a row, not after a number of rows, so it never skips one."""

from rest_framework.pagination import CursorPagination


class KeysetPagination(CursorPagination):
    """Cursor paging on (ordering field, id)."""
