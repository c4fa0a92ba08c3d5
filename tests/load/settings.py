"""The embedded console's settings with one more URL: a view that does nothing."""

from console.config.settings.embedded import *  # noqa: F403 - settings build on it

ROOT_URLCONF = "tests.load.urls"
