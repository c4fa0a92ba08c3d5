"""Enrolment tokens (`kre_…`) and agent credentials (`kra_…`): made here, kept only as an HMAC."""

import secrets
from dataclasses import dataclass

from django.utils.crypto import salted_hmac

ENROLMENT_PREFIX = "kre_"
CREDENTIAL_PREFIX = "kra_"
_SALT = "keyrack.fleet.secret"
_HINT_LENGTH = 10
MAX_LENGTH = 200


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A secret just made. `text` is shown once; `hint` (its beginning) and `digest` are stored."""

    text: str
    hint: str
    digest: str


def secret_make(prefix: str) -> NewSecret:
    """Return a new secret of 256 random bits that begins with `prefix`."""
    text = prefix + secrets.token_urlsafe(32)
    return NewSecret(text, text[:_HINT_LENGTH], secret_digest(text))


def secret_digest(text: str) -> str:
    """Return the HMAC-SHA-256 of `text` under the console's key, as 64 hexadecimal digits."""
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()
