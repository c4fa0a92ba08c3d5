"""The console as a ASGI application."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.config.settings.embedded")
application = get_asgi_application()

# Only now may settings and apps be used.
from console.config.serving import serving_begin  # noqa: E402

serving_begin()
