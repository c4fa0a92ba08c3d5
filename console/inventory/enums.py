"""Words of the inventory's API. What agents observe is not here: unknown words are kept raw."""

from django.db.models import TextChoices


class ChangeKind(TextChoices):
    """What happened to a thing between two snapshots."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class GoneFilterChoice(TextChoices):
    """Which rows a list shows: those still there, those gone, or both."""

    PRESENT = "false"
    GONE = "true"
    ANY = "any"


class PolicyFact(TextChoices):
    """A fact of a mechanism that may be unknown."""

    YES = "true"
    NO = "false"
    UNKNOWN = "unknown"
