"""The Django app `core`: no domain, only what every app builds on."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """Configuration of console.core."""

    name = "console.core"
    label = "core"

    def ready(self) -> None:
        """Collect what the apps declare: enum names for OpenAPI, regular tasks for beat."""
        from console.config.celery import app
        from console.core import request_ids
        from console.core.beat import beat_schedule_collect
        from console.core.schema import enum_names_collect

        enum_names_collect()
        request_ids.connect()
        app.conf.beat_schedule = beat_schedule_collect()
