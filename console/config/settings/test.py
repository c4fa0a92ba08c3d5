"""Settings of the tests: a secret made for this process, fast password hashing."""

import secrets

from console.config.settings.base import *  # noqa: F403

SECRET_KEY = secrets.token_urlsafe(50)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
