"""Settings of the tests: a secret made for this process, fast password hashing, a strict log."""

import os
import secrets

from console.config import env
from console.config.settings.base import *  # noqa: F403 - settings build on it

# Tests with several processes give them one secret.
SECRET_KEY = env.text("KEYRACK_TEST_SECRET_KEY") or secrets.token_urlsafe(50)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["*"]
PUBLIC_URL = "http://127.0.0.1:8000"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# Nothing listens on port 1: a test that needs Redis asks for the fixture `redis_server`.
REDIS_URL = os.environ.get("KEYRACK_TEST_REDIS_URL", "redis://127.0.0.1:1/0")
CELERY_BROKER_URL = REDIS_URL
AXES_ENABLED = False

if not env.text("KEYRACK_DATABASE_URL"):
    # In memory, except where several processes or threads have to see it (see tests/conftest.py).
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": ":memory:",
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20},
        }
    }
