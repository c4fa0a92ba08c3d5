"""What goes in and out of the accounts' endpoints."""

from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers

from console.accounts.enums import ApiTokenState, Role, Theme
from console.accounts.models import ApiToken, User
from console.core.api import CapabilitiesField

_USERNAME = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._@+-]*$", "Letters, digits and . _ @ + - only; begin with the first."
)


class SessionCreateInput(serializers.Serializer[Any]):
    """Name and password of who logs in."""

    username = serializers.CharField(max_length=64)
    password = serializers.CharField(max_length=1024, trim_whitespace=False, write_only=True)


class MeOutput(serializers.ModelSerializer[User]):
    """Who is logged in and what they may do somewhere; objects say it for themselves."""

    capabilities = serializers.DictField(child=serializers.BooleanField(), read_only=True)

    class Meta:
        model = User
        fields = ("id", "username", "email", "role", "theme", "capabilities")


class MeUpdateInput(serializers.Serializer[Any]):
    """What users set for themselves."""

    theme = serializers.ChoiceField(choices=Theme.choices)


class PasswordChangeInput(serializers.Serializer[Any]):
    """The present password and the one wanted."""

    old_password = serializers.CharField(max_length=1024, trim_whitespace=False, write_only=True)
    new_password = serializers.CharField(max_length=1024, trim_whitespace=False, write_only=True)


class UserOutput(serializers.ModelSerializer[User]):
    """A user as administrators see it."""

    api_token_count = serializers.IntegerField(read_only=True, help_text="Tokens that are good.")
    capabilities = CapabilitiesField("user.manage")

    class Meta:
        model = User
        fields: tuple[str, ...] = (
            "id",
            "username",
            "email",
            "role",
            "is_active",
            "last_login_at",
            "api_token_count",
            "created_at",
            "updated_at",
            "capabilities",
        )

    last_login_at = serializers.DateTimeField(source="last_login", read_only=True)


class UserCreateInput(serializers.Serializer[Any]):
    """A new user. Without a password one is generated."""

    username = serializers.CharField(max_length=64, validators=[_USERNAME])
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    role = serializers.ChoiceField(choices=Role.choices, default=Role.VIEWER.value)
    password = serializers.CharField(
        max_length=1024, trim_whitespace=False, required=False, write_only=True
    )


class UserCreatedOutput(UserOutput):
    """A new user with the password, which is shown this once."""

    password = serializers.SerializerMethodField()

    class Meta(UserOutput.Meta):
        fields: tuple[str, ...] = (*UserOutput.Meta.fields, "password")

    def get_password(self, _user: User) -> str:
        """Take it from the view; the database has only its hash."""
        return str(self.context.get("password", ""))


class UserUpdateInput(serializers.Serializer[Any]):
    """What administrators change; what is left out stays."""

    email = serializers.EmailField(required=False, allow_blank=True)
    role = serializers.ChoiceField(choices=Role.choices, required=False)


class PasswordOutput(serializers.Serializer[Any]):
    """A generated password, shown this once."""

    password = serializers.CharField()


class UserBrief(serializers.ModelSerializer[User]):
    """A user named by something else."""

    class Meta:
        model = User
        fields = ("id", "username")


class ApiTokenOutput(serializers.ModelSerializer[ApiToken]):
    """An API token without its secret."""

    user = UserBrief(read_only=True)
    state = serializers.ChoiceField(choices=ApiTokenState.choices, read_only=True)
    hint = serializers.CharField(read_only=True, help_text="How the secret begins.")
    capabilities = CapabilitiesField("api_token.manage")

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = (
            "id",
            "name",
            "user",
            "hint",
            "state",
            "created_at",
            "expires_at",
            "revoked_at",
            "last_used_at",
            "capabilities",
        )


class ApiTokenCreateInput(serializers.Serializer[Any]):
    """A new API token; for another user only by administrators."""

    name = serializers.CharField(max_length=100)
    user = serializers.UUIDField(required=False, help_text="Owner; the caller unless given.")
    expires_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="null: never. Default: in 90 days."
    )


class ApiTokenCreatedOutput(ApiTokenOutput):
    """A new API token with its secret, which is shown this once."""

    secret = serializers.SerializerMethodField(help_text="Send as `Authorization: Bearer …`.")

    class Meta(ApiTokenOutput.Meta):
        fields: tuple[str, ...] = (*ApiTokenOutput.Meta.fields, "secret")

    def get_secret(self, _token: ApiToken) -> str:
        """Take it from the view; the database has only its HMAC."""
        return str(self.context.get("secret", ""))
