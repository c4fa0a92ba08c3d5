"""Makes an enrolment token behind the browser's back and prints it."""

import django

django.setup()

from console.accounts.actors import SYSTEM  # noqa: E402
from console.fleet.enrolment import enrolment_token_create  # noqa: E402

print(enrolment_token_create(name="simulated", actor=SYSTEM).secret)
