"""`manage.py user_create NAME`: make a user; without --password-stdin a password is generated."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from console.accounts.actors import SYSTEM
from console.accounts.enums import Role
from console.accounts.services import user_create
from console.core.errors import KeyrackError


class Command(BaseCommand):
    """Make a user."""

    help = "Make a user. A generated password is printed alone on standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("username")
        parser.add_argument("--role", choices=Role.values, default=Role.VIEWER.value)
        parser.add_argument("--email", default="")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password's line from stdin"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it, or say why not."""
        given = sys.stdin.readline().rstrip("\r\n") if options["password_stdin"] else None
        try:
            _, password = user_create(
                actor=SYSTEM,
                username=options["username"],
                role=Role(options["role"]),
                email=options["email"],
                password=given,
            )
        except KeyrackError as error:
            raise CommandError(error.message) from error
        if given is None:
            self.stdout.write(password)
