"""The console as a WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.config.settings.embedded")
application = get_wsgi_application()

# Only now may settings and apps be used.
from console.config.serving import serving_begin  # noqa: E402

serving_begin()
