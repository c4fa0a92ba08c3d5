"""`manage.py run_embedded`: the whole console on this machine, as `make run` starts it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.config import env
from console.core.embedded.instance import instance_stop
from console.core.embedded.layout import VarLayout
from console.core.embedded.start import CannotStart, embedded_run, embedded_start_in_background


class Command(BaseCommand):
    """Starts in the foreground until Ctrl-C, or in the background, or stops what runs."""

    help = "Run the console, its private Redis, worker, beat and this host's agent."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --background and --stop."""
        mode = parser.add_mutually_exclusive_group()
        mode.add_argument("--background", action="store_true", help="return once it is ready")
        mode.add_argument("--stop", action="store_true", help="stop what runs, in whatever mode")

    def handle(self, *args: Any, background: bool, stop: bool, **options: Any) -> None:
        """Do what was asked; CommandError says why it cannot be done."""
        layout = VarLayout(env.var_dir())
        if stop:
            self._say(instance_stop(layout))
            return
        try:
            if background:
                embedded_start_in_background(layout, self._say)
            else:
                embedded_run(layout, self._say)
        except CannotStart as error:
            raise CommandError(str(error)) from error

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
