"""Chores that belong to no domain."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.core.management import call_command

from console.core.pulse import PULSE_SECONDS, Pulse, pulse_write


@shared_task(name="core.pulse")
def pulse() -> None:
    """Prove that a worker takes tasks from the console's queue."""
    pulse_write(Pulse.WORKER)


@worker_ready.connect
def _first_pulse(**_kwargs: Any) -> None:
    """Do not wait for beat to say that a worker that just started is there."""
    pulse_write(Pulse.WORKER)


@shared_task(name="core.sessions_prune")
def sessions_prune() -> None:
    """Delete sessions that have expired."""
    call_command("clearsessions")


BEAT_SCHEDULE = {
    "core.pulse": {
        "task": "core.pulse",
        "schedule": PULSE_SECONDS,
        "options": {"expires": PULSE_SECONDS},
    },
    "core.sessions_prune": {"task": "core.sessions_prune", "schedule": 6 * 3600},
}
