#!/usr/bin/env python
"""Django's command line for the console; the embedded settings are the default."""

import os
import sys

from console.config.env import SettingError


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.config.settings.embedded")
    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except SettingError as error:
        sys.exit(f"Keyrack: {error}.")
    except KeyboardInterrupt:
        sys.exit(130)  # as shells say it; whoever pressed Ctrl-C needs no traceback


if __name__ == "__main__":
    main()
