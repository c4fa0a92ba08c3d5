"""How requests say who they are: `Authorization: Bearer krk_…` or a session cookie."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from console.accounts.enums import ApiTokenState
from console.accounts.models import ApiToken, User
from console.accounts.selectors import api_token_find
from console.accounts.token_services import PREFIX, api_token_used
from console.core.errors import NotAuthenticated


class BearerAuthentication(BaseAuthentication):
    """API tokens. A request with a Bearer header that is not good is refused, not anonymous."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return (owner, token), or None without a Bearer header. Raise NotAuthenticated."""
        secret = bearer_of(request.headers.get("Authorization", ""))
        if secret is None:
            return None
        token = api_token_check(secret)
        api_token_used(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that a 401 carries (RFC 6750 section 3)."""
        return "Bearer"


def bearer_of(header: str) -> str | None:
    """Return the credential of a Bearer `Authorization` header, None for anything else."""
    scheme, _, secret = header.partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else None


def api_token_check(secret: str) -> ApiToken:
    """Return the good token whose secret this is. Raise NotAuthenticated saying what is wrong."""
    token = api_token_find(secret) if secret.startswith(PREFIX) else None
    if token is None:
        raise NotAuthenticated("api_token.unknown", "This API token is not known.")
    state = token.state_at(timezone.now())
    if state is not ApiTokenState.ACTIVE:
        raise NotAuthenticated(f"api_token.{state.value}", f"This API token is {state.value}.")
    if not token.user.is_active:
        raise NotAuthenticated("user.inactive", "The owner of this API token is not active.")
    return token


# Its __init_subclass__ has no types.
class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Names the Bearer scheme in the OpenAPI file."""

    target_class = BearerAuthentication
    name = "apiToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Describe it."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "krk_…"}
