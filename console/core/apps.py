"""The Django app `core`."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """Configuration of console.core."""

    name = "console.core"
    label = "core"
