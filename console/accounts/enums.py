"""Roles of people and kinds of actors."""

from django.db.models import TextChoices


class Role(TextChoices):
    """What a user may do; each role includes the ones before it, see policies.py."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    APPROVER = "approver"
    ADMINISTRATOR = "administrator"


class ActorType(TextChoices):
    """Who acts: a person in a session, a person's API token, a host's agent, or the console."""

    USER = "user"
    API_TOKEN = "api_token"  # noqa: S105 - a name
    HOST = "host"
    SYSTEM = "system"


class ApiTokenState(TextChoices):
    """Whether an API token can be used; derived from its times, never stored."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


class Theme(TextChoices):
    """How the dashboard looks for a user."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
