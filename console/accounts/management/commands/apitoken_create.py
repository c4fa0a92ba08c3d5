"""`manage.py apitoken_create --user … --name …`: make an API token and print it, nothing else."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.token_services import api_token_create
from console.core.errors import KeyrackError


class Command(BaseCommand):
    """Make an API token."""

    help = "Make an API token. The token alone is printed on standard output, this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--user", required=True, help="name of the owner")
        parser.add_argument("--name", required=True, help="what the token is for")
        parser.add_argument(
            "--expires-days", type=int, help="days until it expires (default: never)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it, or say why not."""
        user = User.objects.filter(username__iexact=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user named {options['user']}.")
        days = options["expires_days"]
        expires_at = None if days is None else timezone.now() + timedelta(days=days)
        try:
            _, secret = api_token_create(
                actor=SYSTEM, user=user, name=options["name"], expires_at=expires_at
            )
        except KeyrackError as error:
            raise CommandError(error.message) from error
        self.stdout.write(secret)
