"""Reads of findings, narrowed to what the actor may see."""

from typing import Any

from django.db.models import Case, IntegerField, QuerySet, Value, When

from agents.wire.inventory import Severity
from console.accounts.actors import Actor
from console.accounts.policies import can
from console.advice.models import Finding
from console.fleet.selectors import HOST_HEAVY


def finding_list(*, actor: Actor) -> QuerySet[Finding]:
    """Return findings, resolved ones included, with host and who acknowledged them.

    `urgency` orders them, most urgent first; severities that a newer agent made up come last.
    """
    if not can(actor, "finding.read"):
        return Finding.objects.none()
    rows = Finding.objects.select_related("host", "acknowledged_by")
    return rows.defer(*(f"host__{name}" for name in HOST_HEAVY)).annotate(urgency=_urgency())


def _urgency() -> Any:
    ranks = [When(severity=word.value, then=Value(rank)) for rank, word in enumerate(Severity)]
    return Case(*ranks, default=Value(len(ranks)), output_field=IntegerField())
