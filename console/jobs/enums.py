"""Words of jobs: derived states, verdicts, where a run's headline comes from."""

from django.db.models import TextChoices

from console.fleet.enums import WorkState
from console.fleet.work_states import WORK_TRANSITIONS

RUN_TRANSITIONS = WORK_TRANSITIONS
"""A run is claimable work: its states and their table are those of console.fleet.work_states."""

ANSWERED = (WorkState.SUCCEEDED, WorkState.FAILED, WorkState.ERRORED)
"""Final states that say something about the host; a run cancelled after its claim counts too."""


class JobState(TextChoices):
    """Derived from the job's runs, never stored."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class Verdict(TextChoices):
    """What a comparison shows. `slower`: acceleration loses here."""

    FASTER = "faster"
    SLOWER = "slower"
    EQUIVALENT = "equivalent"
    NO_DIFFERENCE_SHOWN = "no_difference_shown"
    TOO_FEW_ROUNDS = "too_few_rounds"
    HOST_TOO_NOISY = "host_too_noisy"
