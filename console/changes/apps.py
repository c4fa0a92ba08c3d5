"""The Django app `changes`."""

from django.apps import AppConfig


class ChangesConfig(AppConfig):
    """Configuration of console.changes."""

    name = "console.changes"
    label = "changes"
