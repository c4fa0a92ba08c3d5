"""Who does something: the one value that services, policies and the audit take as `actor`."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from console.accounts.enums import ActorType, Role
from console.accounts.models import ApiToken, User


@dataclass(frozen=True, slots=True)
class Actor:
    """A user, an API token (with its owner's role), a host's agent, or the console itself."""

    type: ActorType
    id: UUID | None
    name: str
    role: Role | None = None
    user_id: UUID | None = None


SYSTEM = Actor(type=ActorType.SYSTEM, id=None, name="console")
"""The console itself: reaping, pruning, command line."""


def actor_of_user(user: User) -> Actor:
    """Return the actor for a person in a session."""
    return Actor(ActorType.USER, user.id, user.username, Role(user.role), user.id)


def actor_of_api_token(token: ApiToken) -> Actor:
    """Return the actor for an API token; it may do what its owner may."""
    owner = token.user
    name = f"{owner.username}/{token.name}"
    return Actor(ActorType.API_TOKEN, token.id, name, Role(owner.role), owner.id)


def actor_of_host(host: Any) -> Actor:
    """Return the actor for a host's agent (`host` has `id` and `name`)."""
    return Actor(ActorType.HOST, host.id, host.name)


def actor_of_request(request: Any) -> Actor | None:
    """Return who made this DRF request, or None when nobody is logged in."""
    if isinstance(request.auth, ApiToken):
        return actor_of_api_token(request.auth)
    return actor_of_user(request.user) if isinstance(request.user, User) else None
