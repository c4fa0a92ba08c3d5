"""Reads of findings, narrowed to what the actor may see."""

from django.db.models import QuerySet

from console.accounts.actors import Actor
from console.accounts.policies import can
from console.advice.models import Finding
from console.fleet.selectors import HOST_HEAVY


def finding_list(*, actor: Actor) -> QuerySet[Finding]:
    """Return findings, resolved ones included, with host and who acknowledged them."""
    if not can(actor, "finding.read"):
        return Finding.objects.none()
    rows = Finding.objects.select_related("host", "acknowledged_by")
    return rows.defer(*(f"host__{name}" for name in HOST_HEAVY))
