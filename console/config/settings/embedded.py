"""One machine, `make run`: SQLite and everything else under var/."""

from console.config import env
from console.config.settings.base import *  # noqa: F403 - settings build on it

SECRET_KEY = env.secret_key(create=True)
