"""Several processes behind one address: everything comes from the environment, nothing is made up."""

from console.config import env
from console.config.settings.base import *  # noqa: F403

SECRET_KEY = env.secret_key(create=False)
