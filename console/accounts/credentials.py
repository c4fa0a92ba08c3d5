"""What a long-lived request came with, to be asked again later whether it is still good."""

from dataclasses import dataclass, field
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from console.accounts.actors import Actor, actor_of_api_token, actor_of_user
from console.accounts.authentication import api_token_check, bearer_of
from console.accounts.models import User
from console.core.errors import NotAuthenticated


@dataclass(frozen=True, slots=True)
class Credential:
    """A Bearer secret or a session key; exactly one of them is set."""

    secret: str = field(default="", repr=False)
    session_key: str = field(default="", repr=False)


def credential_of(request: HttpRequest) -> Credential | None:
    """Return what `request` identifies itself with, None when with nothing."""
    secret = bearer_of(request.headers.get("Authorization", ""))
    if secret is not None:
        return Credential(secret=secret)
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return Credential(session_key=key) if key else None


def actor_behind(credential: Credential) -> Actor | None:
    """Return who `credential` stands for now, read afresh; None when it is no longer good."""
    if credential.secret:
        try:
            return actor_of_api_token(api_token_check(credential.secret))
        except NotAuthenticated:
            return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(credential.session_key)
    user = get_user(request)
    return actor_of_user(user) if isinstance(user, User) and user.is_active else None
