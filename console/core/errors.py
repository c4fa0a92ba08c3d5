"""Errors that callers may see: one family of exceptions, one shape {code, message, extra}."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import status as http


class KeyrackError(Exception):
    """An error with a stable dotted `code`, a sentence for people and details for programs."""

    default_status: ClassVar[int] = http.HTTP_500_INTERNAL_SERVER_ERROR

    def __init__(
        self,
        code: str,
        message: str,
        status: int | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status or self.default_status
        self.extra = dict(extra or {})


class InvalidInput(KeyrackError):
    """The request contradicts itself or the domain's rules. `extra.fields` names the fields."""

    default_status = http.HTTP_400_BAD_REQUEST


class NotAuthenticated(KeyrackError):
    """Nobody is logged in, or the credential is not (or no longer) valid."""

    default_status = http.HTTP_401_UNAUTHORIZED


class PermissionDenied(KeyrackError):
    """The actor is known and may not do this."""

    default_status = http.HTTP_403_FORBIDDEN


class NotFound(KeyrackError):
    """There is no such object, or the actor may not know that there is."""

    default_status = http.HTTP_404_NOT_FOUND


class StateConflict(KeyrackError):
    """The object's state does not allow this now."""

    default_status = http.HTTP_409_CONFLICT


class TooLarge(KeyrackError):
    """The body is larger than the endpoint accepts."""

    default_status = http.HTTP_413_REQUEST_ENTITY_TOO_LARGE


class UpgradeRequired(KeyrackError):
    """The caller speaks a version of the protocol that is not served (426)."""

    default_status = http.HTTP_426_UPGRADE_REQUIRED


class Throttled(KeyrackError):
    """Too many requests; `extra.retry_after_seconds` says when to come back."""

    default_status = http.HTTP_429_TOO_MANY_REQUESTS


class Unavailable(KeyrackError):
    """A part of the console that this needs does not answer (503)."""

    default_status = http.HTTP_503_SERVICE_UNAVAILABLE


def error_body(code: str, message: str, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the one shape in which errors leave the console."""
    return {"code": code, "message": message, "extra": dict(extra or {})}
