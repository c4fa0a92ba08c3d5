"""Users and API tokens."""

from datetime import datetime
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from console.accounts.enums import ApiTokenState, Role, Theme
from console.core.models import BaseModel


class UserManager(BaseUserManager["User"]):
    """Looks users up by name; they are made by services.user_create alone."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find a user whatever the case of the name."""
        return self.get(username__iexact=username)


class User(BaseModel, AbstractBaseUser):
    """A person who logs in. Users are deactivated, never deleted: the audit names them."""

    username = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=16, choices=Role, default=Role.VIEWER)
    is_active = models.BooleanField(default=True)
    theme = models.CharField(max_length=8, choices=Theme, default=Theme.SYSTEM)

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        ordering = ("username",)
        constraints = (models.UniqueConstraint(Lower("username"), name="user_username_unique"),)

    def __str__(self) -> str:
        return self.username


class ApiToken(BaseModel):
    """A credential for automation, acting with its owner's role. Only an HMAC of it is stored."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=100)
    hint = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    def state_at(self, moment: datetime) -> ApiTokenState:
        """Return whether the token is good at `moment` and, if not, why."""
        if self.revoked_at is not None:
            return ApiTokenState.REVOKED
        if self.expires_at is not None and self.expires_at <= moment:
            return ApiTokenState.EXPIRED
        return ApiTokenState.ACTIVE

    @property
    def state(self) -> ApiTokenState:
        """Whether the token is good now."""
        return self.state_at(timezone.now())
