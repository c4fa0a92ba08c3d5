"""The base of every domain model."""

from django.db import models

from console.core.ids import uuid7


class BaseModel(models.Model):
    """A row with a time-ordered id and the times at which it was made and last saved.

    A bulk or conditional UPDATE does not touch `updated_at` by itself: pass it along
    (`console.core.transitions.compare_and_set` does).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
