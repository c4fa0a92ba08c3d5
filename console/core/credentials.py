"""Secrets that we hand out once and then know only by an HMAC: API tokens, agents' credentials."""

import secrets

from django.utils.crypto import salted_hmac

_RANDOM_BYTES = 32


def credential_make(prefix: str) -> str:
    """Return a new secret such as `krk_…`: the prefix and 256 random bits in URL-safe base64."""
    return f"{prefix}{secrets.token_urlsafe(_RANDOM_BYTES)}"


def credential_digest(secret: str) -> str:
    """Return what the database keeps of `secret`: HMAC-SHA256 under our secret key, in hex.

    The secret has 256 random bits, so no slow hash is needed; the key makes a stolen database
    useless for guessing and for planting credentials. The prefix keeps kinds apart.
    """
    plain = secret.encode(errors="surrogatepass")  # any text may be shown to us; none may fail
    return salted_hmac("keyrack.credential", plain, algorithm="sha256").hexdigest()


def password_make() -> str:
    """Return a new password that can be typed: 5 groups of 5 letters and digits, about 123 bits."""
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    groups = ("".join(secrets.choice(alphabet) for _ in range(5)) for _ in range(5))
    return "-".join(groups)
