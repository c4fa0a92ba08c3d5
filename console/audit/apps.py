"""The Django app `audit`."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Configuration of console.audit."""

    name = "console.audit"
    label = "audit"
