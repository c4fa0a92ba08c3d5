"""The audit: append-only rows, each bound to the one before it by a hash."""

from typing import Any, NoReturn

from django.db import models

from console.accounts.enums import ActorType
from console.core.ids import uuid7


class AppendOnly(RuntimeError):
    """Somebody tried to change or delete what was recorded."""


class AuditQuerySet(models.QuerySet["AuditEvent"]):
    """Reads and inserts; bulk changes are refused."""

    def update(self, **_kwargs: Any) -> NoReturn:
        """Refuse."""
        raise AppendOnly("audit events are never changed")

    def delete(self) -> NoReturn:
        """Refuse."""
        raise AppendOnly("audit events are never deleted")


class AuditEvent(models.Model):
    """Who did what to which object, with the old and the new value.

    Names are copied and no foreign key is used, so that a row means the same for ever. `seq` counts
    without gaps from 1; `digest` is SHA-256 over the row's canonical JSON and `previous_digest`.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    seq = models.BigIntegerField(unique=True)
    at = models.DateTimeField(db_index=True)
    actor_type = models.CharField(max_length=16, choices=ActorType)
    actor_id = models.UUIDField(null=True)
    actor_name = models.CharField(max_length=200)
    verb = models.CharField(max_length=64, db_index=True)
    object_type = models.CharField(max_length=64, blank=True)
    object_id = models.CharField(max_length=64, blank=True)
    object_name = models.CharField(max_length=255, blank=True)
    host_id = models.UUIDField(null=True, db_index=True)
    host_name = models.CharField(max_length=255, blank=True)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    request_id = models.CharField(max_length=64, blank=True)
    previous_digest = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ("-seq",)
        indexes = (
            models.Index(fields=["object_type", "object_id", "-seq"], name="audit_object"),
            models.Index(fields=["actor_id", "-seq"], name="audit_actor"),
        )

    def __str__(self) -> str:
        return f"{self.seq}: {self.actor_name} {self.verb} {self.object_name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert a new row; refuse to write an existing one again."""
        if not self._state.adding:
            raise AppendOnly("audit events are never changed")
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        """Refuse."""
        raise AppendOnly("audit events are never deleted")
