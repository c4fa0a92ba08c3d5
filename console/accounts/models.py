"""Users and API tokens."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from console.accounts.enums import Role
from console.core.models import BaseModel


class UserManager(BaseUserManager["User"]):
    """Looks users up by name; they are made by services.user_create alone."""


class User(BaseModel, AbstractBaseUser):
    """A person who logs in. Users are deactivated, never deleted: the audit names them."""

    username = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=16, choices=Role, default=Role.VIEWER)
    is_active = models.BooleanField(default=True)

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        ordering = ("username",)


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
