"""Celery beat with a pulse: it says in Redis that it lives, and collects the apps' schedules."""

import importlib
import importlib.util
from typing import Any

from celery.beat import PersistentScheduler
from django.apps import apps

from console.core.pulse import Pulse, pulse_write


class HeartbeatScheduler(PersistentScheduler):
    """Writes beat's pulse whenever it looks at the schedule (at least every five seconds)."""

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Look at the schedule once."""
        pulse_write(Pulse.BEAT)
        return super().tick(*args, **kwargs)


def beat_schedule_collect() -> dict[str, Any]:
    """Return all entries of `BEAT_SCHEDULE` in the apps' `tasks` modules.

    Raise ValueError when two apps use one name.
    """
    schedule: dict[str, Any] = {}
    for config in apps.get_app_configs():
        name = f"{config.name}.tasks"
        if not config.name.startswith("console.") or importlib.util.find_spec(name) is None:
            continue
        entries = getattr(importlib.import_module(name), "BEAT_SCHEDULE", {})
        if twice := schedule.keys() & entries.keys():
            raise ValueError(f"scheduled twice: {sorted(twice)}")
        schedule.update(entries)
    return schedule
