"""Words of the advice's API. Severities and codes come from agents and are kept as they came."""

from django.db.models import TextChoices


class FindingState(TextChoices):
    """Where a finding stands; derived from its times, never stored."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    RESOLVED = "resolved"
