"""`manage.py audit_verify [--expect SEQ:DIGEST]`: prove that nobody altered the audit."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from console.audit.selectors import audit_has_head, audit_verify


class Command(BaseCommand):
    """Verify the hash chain."""

    help = (
        "Verify the audit's hash chain and print its head. Note the head elsewhere and give it to"
        " --expect later: that proves that no rows were cut off or replaced since."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--expect", metavar="SEQ:DIGEST", help="a head noted earlier")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the head, or fail naming the rows."""
        result = audit_verify()
        for link in result.broken:
            self.stderr.write(f"row {link.seq}: {link.problem}")
        if result.broken:
            raise CommandError("The audit was altered.")
        expected = options["expect"]
        if expected and not audit_has_head(expected):
            raise CommandError(f"The audit no longer holds {expected}.")
        self.stdout.write(f"{result.count} events, whole. Head: {result.head}")
