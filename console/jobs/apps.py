"""The Django app `jobs`."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Configuration of console.jobs."""

    name = "console.jobs"
    label = "jobs"
