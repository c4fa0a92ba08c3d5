"""The Django app `advice`."""

from django.apps import AppConfig


class AdviceConfig(AppConfig):
    """Configuration of console.advice."""

    name = "console.advice"
    label = "advice"
