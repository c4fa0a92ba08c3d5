"""Requests that are sent twice: a key of the client's makes one change, or one batch, of them."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db import IntegrityError, transaction

from console.accounts.actors import Actor
from console.changes.batches import batch_create
from console.changes.models import Change, ChangeBatch
from console.changes.services import change_create
from console.core.errors import InvalidInput, StateConflict

MAX_KEY = 64
Made = TypeVar("Made", Change, ChangeBatch)


def change_create_once(*, actor: Actor, request_key: str, **wanted: Any) -> Change:
    """Ask for a change as change_create does; again with the same key, return the one there is.

    Raise InvalidInput `request.key`, StateConflict `request.key_reused` for another request.
    """
    made = _once(Change, actor, request_key, lambda key: change_create(
        actor=actor, request_key=key, **wanted
    ))  # fmt: skip
    _require_same(made, kind=wanted["kind"], parameters=dict(wanted["parameters"]))
    _require_same(made, host_id=wanted["host"].pk)
    return made


def batch_create_once(*, actor: Actor, request_key: str, **wanted: Any) -> ChangeBatch:
    """Ask for a batch as batch_create does; with the same key, return the one there is.

    Raise as change_create_once does.
    """
    made = _once(ChangeBatch, actor, request_key, lambda key: batch_create(
        actor=actor, request_key=key, **wanted
    ))  # fmt: skip
    _require_same(made, kind=wanted["kind"], parameters=dict(wanted["parameters"]))
    return made


def _once(model: type[Made], actor: Actor, key: str, make: Callable[[str], Made]) -> Made:
    """Return what was made with that key, by this person; make it where nothing was."""
    if len(key) > MAX_KEY or not key.isascii() or (key and not key.isprintable()):
        text = f"An Idempotency-Key has at most {MAX_KEY} printable ASCII characters."
        raise InvalidInput("request.key", text)
    known = model._default_manager.filter(requested_by_id=actor.user_id, request_key=key)
    if key and (made := known.first()):
        return made
    try:
        with transaction.atomic():
            return make(key)
    except IntegrityError:
        # The same request, at the same moment.
        made = known.first() if key else None
        if made is None:
            raise
        return made


def _require_same(made: Change | ChangeBatch, **wanted: Any) -> None:
    if any(getattr(made, name) != value for name, value in wanted.items()):
        text = "This Idempotency-Key was used for another request: take a new one."
        raise StateConflict("request.key_reused", text)
