"""`manage.py embedded_prepare`: what each start of the embedded console needs in the database."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from console.accounts.actors import SYSTEM
from console.accounts.enums import Role
from console.accounts.models import User
from console.accounts.services import user_create
from console.config import env
from console.core.embedded.layout import VarLayout, private_write, secret_ensure
from console.fleet.enrolment import enrolment_token_create

FIRST_USERS = (("admin", Role.ADMINISTRATOR), ("approver", Role.APPROVER))
TOKEN_LIFETIME = timedelta(minutes=10)


class Command(BaseCommand):
    """Migrates, makes the first users with generated passwords and this host's enrolment token."""

    help = "Prepare database, first users and this host's enrolment token for run_embedded."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --enrolment-token."""
        parser.add_argument(
            "--enrolment-token",
            type=Path,
            action="append",
            default=[],
            help="write a new one-time enrolment token to this file; may be given again",
        )

    def handle(self, *args: Any, enrolment_token: list[Path], **options: Any) -> None:
        """Do all that is not done yet; users that exist are left as they are."""
        call_command("migrate", interactive=False, verbosity=1, stdout=self.stdout)
        layout = VarLayout(env.var_dir())
        for username, role in FIRST_USERS:
            if not User.objects.filter(username=username).exists():
                password = secret_ensure(layout.password(username))
                user_create(actor=SYSTEM, username=username, role=role, password=password)
        for file in enrolment_token:
            made = enrolment_token_create(
                name="this console's own agents", actor=SYSTEM, lifetime=TOKEN_LIFETIME
            )
            private_write(file, made.secret + "\n")
