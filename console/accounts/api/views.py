"""Users (for administrators) and API tokens (for their owners and administrators)."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from console.accounts.api.filters import ApiTokenFilter, UserFilter
from console.accounts.api.serializers import (
    ApiTokenCreatedOutput,
    ApiTokenCreateInput,
    ApiTokenOutput,
    PasswordOutput,
    UserCreatedOutput,
    UserCreateInput,
    UserOutput,
    UserUpdateInput,
)
from console.accounts.enums import Role
from console.accounts.models import User
from console.accounts.selectors import api_token_list, user_list
from console.accounts.services import (
    user_activate,
    user_create,
    user_deactivate,
    user_password_reset,
    user_update,
)
from console.accounts.token_services import api_token_create, api_token_revoke
from console.core.api import DetailApi, KeyrackView, ListApi

DEFAULT_TOKEN_LIFE = timedelta(days=90)


class UserListApi(ListApi):
    """Users of the console."""

    verbs = {"GET": "user.manage", "POST": "user.manage"}
    serializer_class = UserOutput
    filterset_class = UserFilter
    inputs = {"POST": UserCreateInput}
    outputs = {"POST": UserCreatedOutput}
    statuses = {"POST": 201}
    ordering = "username"
    ordering_fields = {
        "username": "username",
        "role": "role",
        "created_at": "created_at",
        "last_login_at": "last_login",
    }

    def selector(self) -> Any:
        """All users."""
        return user_list(actor=self.actor)

    def post(self, request: Request) -> Response:
        """Make a user; the reply shows the password, this once."""
        given = self.read_input()
        given["role"] = Role(given["role"])
        user, password = user_create(actor=self.actor, **given)
        shown = user_list(actor=self.actor).get(pk=user.pk)
        return self.reply(shown, password=password)


class UserDetailApi(DetailApi):
    """One user."""

    verbs = {"GET": "user.manage", "PATCH": "user.manage"}
    serializer_class = UserOutput
    inputs = {"PATCH": UserUpdateInput}
    noun = "user"

    def selector(self) -> Any:
        """All users."""
        return user_list(actor=self.actor)

    def patch(self, request: Request, pk: Any) -> Response:
        """Change role or e-mail address."""
        given = self.read_input()
        role = Role(given["role"]) if "role" in given else None
        user = self.one(self.get_queryset(), self.noun)
        return self.reply(
            user_update(actor=self.actor, user=user, role=role, email=given.get("email"))
        )


class _UserActionApi(KeyrackView):
    """Something that an administrator does to one user."""

    verbs = {"POST": "user.manage"}
    serializer_class = UserOutput

    def selector(self) -> Any:
        """All users."""
        return user_list(actor=self.actor)

    def user(self) -> User:
        """Return the user that the URL names."""
        return self.one(user_list(actor=self.actor), "user")


class UserDeactivateApi(_UserActionApi):
    """Take a user's access away."""

    def post(self, request: Request, pk: Any) -> Response:
        """End sessions and revoke API tokens of the user."""
        return self.reply(user_deactivate(actor=self.actor, user=self.user()))


class UserActivateApi(_UserActionApi):
    """Let a deactivated user in again."""

    def post(self, request: Request, pk: Any) -> Response:
        """API tokens stay revoked."""
        return self.reply(user_activate(actor=self.actor, user=self.user()))


class UserPasswordResetApi(_UserActionApi):
    """A new generated password for a user."""

    outputs = {"POST": PasswordOutput}

    def post(self, request: Request, pk: Any) -> Response:
        """The reply shows it, this once; all sessions of the user end."""
        password = user_password_reset(actor=self.actor, user=self.user())
        return self.reply({"password": password})


class ApiTokenListApi(ListApi):
    """API tokens: one's own; administrators see all."""

    verbs = {"GET": "api_token.manage", "POST": "api_token.manage"}
    serializer_class = ApiTokenOutput
    filterset_class = ApiTokenFilter
    inputs = {"POST": ApiTokenCreateInput}
    outputs = {"POST": ApiTokenCreatedOutput}
    statuses = {"POST": 201}
    ordering_fields = {
        "name": "name",
        "user": "user__username",
        "created_at": "created_at",
        "expires_at": "expires_at",
        "last_used_at": "last_used_at",
    }

    def selector(self) -> Any:
        """What the actor may see."""
        return api_token_list(actor=self.actor)

    def post(self, request: Request) -> Response:
        """Make a token; the reply shows the secret, this once."""
        given = self.read_input()
        owner = self._owner(given.get("user"))
        expires_at = given.get("expires_at", timezone.now() + DEFAULT_TOKEN_LIFE)
        token, secret = api_token_create(
            actor=self.actor, user=owner, name=given["name"], expires_at=expires_at
        )
        return self.reply(token, secret=secret)

    def _owner(self, pk: Any) -> User:
        return self.one(user_list(actor=self.actor), "user", pk or self.actor.user_id)


class ApiTokenDetailApi(DetailApi):
    """One API token, without its secret."""

    verbs = {"GET": "api_token.manage"}
    serializer_class = ApiTokenOutput
    noun = "api_token"

    def selector(self) -> Any:
        """What the actor may see."""
        return api_token_list(actor=self.actor)


class ApiTokenRevokeApi(KeyrackView):
    """The end of an API token."""

    verbs = {"POST": "api_token.manage"}
    serializer_class = ApiTokenOutput

    def selector(self) -> Any:
        """What the actor may see."""
        return api_token_list(actor=self.actor)

    def post(self, request: Request, pk: Any) -> Response:
        """It stops working at once; open event streams end within a few seconds."""
        token = self.one(self.get_queryset(), "api_token")
        return self.reply(api_token_revoke(actor=self.actor, token=token))
