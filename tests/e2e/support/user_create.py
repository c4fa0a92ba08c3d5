"""Makes a user behind the browser's back: `python -m tests.e2e.support.user_create NAME`."""

import sys

import django

django.setup()

from console.accounts.actors import SYSTEM  # noqa: E402
from console.accounts.enums import Role  # noqa: E402
from console.accounts.services import user_create  # noqa: E402

user_create(actor=SYSTEM, username=sys.argv[1], role=Role.VIEWER)
