"""Claimable work as rows: the abstract model, the registered kinds, how to find one."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.apps import apps
from django.db import models
from django.db.models import Q

from agents.wire.names import Lane, WorkKind
from console.core.models import BaseModel
from console.fleet.enums import WorkState
from console.fleet.models import Host

CLAIMABLE_MODELS = (
    "jobs.JobRun",
    "inventory.InventoryScan",
    "changes.ChangePlanning",
    "changes.ChangeRun",
)
"""All kinds of claimable work. A new kind is a model derived from ClaimableWork and a line here."""


class ClaimableWork(BaseModel):
    """One piece of work for one host. `nonce` is the claiming agent's; empty until claimed.

    `expires_at` ends the wait in the queue, `lease_expires_at` the console's patience with a silent
    agent. `released_at`: an administrator gave up waiting for a lost one.
    """

    kind: ClassVar[WorkKind]

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="%(class)s_set")
    lane = models.CharField(max_length=8, choices=[(lane.value, lane.value) for lane in Lane])
    state = models.CharField(max_length=16, choices=WorkState, default=WorkState.QUEUED)
    nonce = models.CharField(max_length=64, blank=True)
    message = models.TextField(blank=True)

    queued_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    cancel_requested_at = models.DateTimeField(null=True)
    released_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["host", "state", "lane", "queued_at"], name="%(class)s_due"),
            models.Index(
                fields=["lease_expires_at"],
                condition=Q(state__in=["claimed", "running"]),
                name="%(class)s_lease",
            ),
            models.Index(
                fields=["expires_at"], condition=Q(state="queued"), name="%(class)s_expiry"
            ),
        ]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["host", "nonce"], condition=~Q(nonce=""), name="%(class)s_nonce"
            )
        ]

    @classmethod
    def due_rows(cls, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Narrow queued `rows` to those that may be handed out now: all, unless a kind says so.

        The time of the others in the queue stands still: they do not expire.
        """
        return rows

    def admit(self) -> bool:
        """Return whether it may be claimed; called under the host's lock, just before it is.

        A kind that says no takes it out of the queue itself.
        """
        return True

    # Abstract: each kind of work tells these of itself (a model cannot have ABC's metaclass).

    def order_parameters(self) -> dict[str, Any]:
        """Return what the agent gets as the order's `parameters`."""
        raise NotImplementedError

    def deadline_seconds(self) -> int:
        """Return the hard limit of the work itself, in seconds."""
        raise NotImplementedError

    def finish_fields(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return which fields, beside the state's own, a FINISHED report with `result` sets."""
        return {}

    def announce(self, at: datetime) -> None:
        """Publish that this changed at `at`; called inside the transaction of the change."""
        raise NotImplementedError


def claimable_models() -> list[type[ClaimableWork]]:
    """Return the registered models, in the order of CLAIMABLE_MODELS."""
    return [apps.get_model(label) for label in CLAIMABLE_MODELS]


def work_find(host: Host, **condition: Any) -> ClaimableWork | None:
    """Return the host's one piece of work that meets `condition`, of whatever kind."""
    if not is_uuid(str(condition.get("pk", UUID(int=0)))):
        return None
    for model in claimable_models():
        found = model._default_manager.filter(host=host, **condition).first()
        if found is not None:
            return found
    return None


def is_uuid(text: str) -> bool:
    """Return whether `text` could be the id of a row."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True
