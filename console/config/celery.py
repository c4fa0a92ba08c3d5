"""The console's Celery application; tasks live in each app's `tasks` module."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.config.settings.embedded")
app = Celery("keyrack")
# Threads of a web server have no current application of their own; this is the one they get.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
