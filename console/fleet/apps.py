"""The Django app `fleet`."""

from django.apps import AppConfig


class FleetConfig(AppConfig):
    """Configuration of console.fleet."""

    name = "console.fleet"
    label = "fleet"
