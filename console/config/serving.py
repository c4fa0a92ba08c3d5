"""What a web server process does once it can serve agents."""

import threading
import time

from django.conf import settings

from console.core.pulse import WEB_PULSE_SECONDS, Pulse, pulse_write
from console.fleet.pulse import watch_restart


def serving_begin() -> None:
    """Give every agent time to be heard again, and say from now on that this process listens.

    Not in a process that serves event streams alone (KEYRACK_EVENTS_ONLY): agents do not reach it.
    """
    if settings.EVENTS_ONLY:
        return
    watch_restart()
    threading.Thread(target=_pulse_on, name="web-pulse", daemon=True).start()


def _pulse_on() -> None:
    while True:
        pulse_write(Pulse.WEB)
        time.sleep(WEB_PULSE_SECONDS)
