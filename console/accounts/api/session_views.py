"""Login, logout and what users see and set of themselves."""

from typing import Any

from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect, ensure_csrf_cookie
from django.views.decorators.debug import sensitive_post_parameters
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle

from console.accounts.actors import actor_of_user
from console.accounts.api.serializers import (
    MeOutput,
    MeUpdateInput,
    PasswordChangeInput,
    SessionCreateInput,
)
from console.accounts.enums import ActorType, Theme
from console.accounts.lockout import lockout_response
from console.accounts.models import User
from console.accounts.policies import capabilities_of
from console.accounts.services import user_password_change, user_theme_set
from console.accounts.session_services import session_ended, session_refused, session_started
from console.core.api import KeyrackView
from console.core.errors import NotAuthenticated
from console.core.net import client_address


class _OwnView(KeyrackView):
    """A view about the user who asks."""

    serializer_class = MeOutput

    @property
    def user(self) -> User:
        """Who asks, or on whose behalf an API token does. Raise NotAuthenticated when nobody."""
        if not isinstance(self.request.user, User):
            raise NotAuthenticated("session.unauthenticated", "Log in first.")
        return self.request.user

    def me(self, user: User) -> Response:
        """Return the user with what the asking actor may do."""
        # For the serializer only; the model has no such field.
        user.capabilities = capabilities_of(self.actor)  # type: ignore[attr-defined]
        return self.reply(user)


class LoginThrottle(SimpleRateThrottle):
    """Logins per address, whatever the name: django-axes counts failures per name and address."""

    rate = "60/min"
    scope = "login"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """Count POSTs by address."""
        if request.method != "POST":
            return None
        return f"login:{client_address(request._request)}"


@method_decorator(csrf_protect, name="dispatch")
@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class SessionApi(_OwnView):
    """The session of a browser. Needs the CSRF cookie, which GET /api/v1/me/ sets."""

    throttle_classes = (LoginThrottle,)
    inputs = {"POST": SessionCreateInput}
    statuses = {"DELETE": 204}

    def get_authenticators(self) -> list[Any]:
        """Do not ask somebody who logs in who they are."""
        method = getattr(self.request, "method", None)
        return [] if method == "POST" else super().get_authenticators()

    def get_permissions(self) -> Any:
        """Let everybody log in."""
        return [AllowAny()] if self.request.method == "POST" else super().get_permissions()

    @extend_schema(auth=[])
    def post(self, request: Request) -> Any:
        """Log in with name and password."""
        given = self.read_input()
        user = authenticate(request._request, **given)
        if getattr(request._request, "axes_locked_out", False):
            return lockout_response(request._request)
        if not isinstance(user, User):
            session_refused(username=given["username"], address=client_address(request._request))
            raise NotAuthenticated("session.refused", "Name or password is wrong.")
        login(request._request, user)
        request.user = user
        session_started(actor=actor_of_user(user), user=user)
        return self.me(user)

    def delete(self, request: Request) -> Response:
        """Log out."""
        session_ended(actor=self.actor, user=self.user)
        logout(request._request)
        return self.reply()


@method_decorator(ensure_csrf_cookie, name="dispatch")
class MeApi(_OwnView):
    """Who is logged in."""

    inputs = {"PATCH": MeUpdateInput}

    def get(self, request: Request) -> Response:
        """Show the user, with what they may do. Sets the CSRF cookie, also when it refuses."""
        return self.me(self.user)

    def patch(self, request: Request) -> Response:
        """Set preferences."""
        theme = Theme(self.read_input()["theme"])
        return self.me(user_theme_set(user=self.user, theme=theme))


class MePasswordApi(_OwnView):
    """The asking user's password."""

    inputs = {"POST": PasswordChangeInput}
    statuses = {"POST": 204}

    def post(self, request: Request) -> Response:
        """Choose a password; every other session of the user ends."""
        given = self.read_input()
        user_password_change(
            actor=self.actor,
            user=self.user,
            old=given["old_password"],
            new=given["new_password"],
        )
        if self.actor.type is ActorType.USER:
            update_session_auth_hash(request._request, self.user)
        return self.reply()
