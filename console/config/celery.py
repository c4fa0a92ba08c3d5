"""The console's Celery application; tasks live in each app's `tasks` module."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.config.settings.embedded")
app = Celery("keyrack")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
