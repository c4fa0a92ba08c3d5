"""Reads of observed state, narrowed to what the actor may see. Rows come with what lists show."""

from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTransform

from console.accounts.actors import Actor
from console.accounts.policies import can
from console.fleet.models import Host
from console.fleet.selectors import HOST_HEAVY, host_list
from console.inventory.models import (
    Certificate,
    CryptoUnit,
    InventoryScan,
    LogicalDomain,
    Mechanism,
    Provider,
    Slot,
    Snapshot,
    Token,
)

_HOST_UNSHOWN = tuple(f"host__{name}" for name in HOST_HEAVY)


def _visible(rows: QuerySet[Any], actor: Actor, *related: str) -> QuerySet[Any]:
    if not can(actor, "inventory.read"):
        return rows.none()
    return rows.select_related("host", *related).defer(*_HOST_UNSHOWN)


def unit_list(*, actor: Actor) -> QuerySet[CryptoUnit]:
    """Return crypto units with host and domain."""
    return _visible(CryptoUnit.objects.all(), actor, "domain")


def domain_list(*, actor: Actor) -> QuerySet[LogicalDomain]:
    """Return logical domains with host."""
    return _visible(LogicalDomain.objects.all(), actor)


def provider_list(*, actor: Actor) -> QuerySet[Provider]:
    """Return providers with host."""
    return _visible(Provider.objects.all(), actor)


def mechanism_list(*, actor: Actor) -> QuerySet[Mechanism]:
    """Return mechanisms with host and provider."""
    rows = _visible(Mechanism.objects.all(), actor, "provider")
    return rows.defer(*_HOST_UNSHOWN, "provider__attributes")


def slot_list(*, actor: Actor) -> QuerySet[Slot]:
    """Return slots with host and provider."""
    rows = _visible(Slot.objects.all(), actor, "provider")
    return rows.defer(*_HOST_UNSHOWN, "provider__attributes")


def token_list(*, actor: Actor) -> QuerySet[Token]:
    """Return tokens with host, provider and slot."""
    rows = _visible(Token.objects.all(), actor, "provider", "slot")
    return rows.defer(*_HOST_UNSHOWN, "provider__attributes")


def certificate_list(*, actor: Actor) -> QuerySet[Certificate]:
    """Return certificates with host and token."""
    return _visible(Certificate.objects.all(), actor, "token")


def snapshot_list(*, actor: Actor) -> QuerySet[Snapshot]:
    """Return snapshots with host, without their facts (which are read where they are shown)."""
    return _visible(Snapshot.objects.all(), actor).defer(*_HOST_UNSHOWN, "facts_gzip")


def scan_list(*, actor: Actor) -> QuerySet[InventoryScan]:
    """Return requested scans with host."""
    return _visible(InventoryScan.objects.all(), actor)


def metaslot_list(*, actor: Actor) -> QuerySet[Host]:
    """Return the hosts that have a metaslot, with `metaslot_status` and `metaslot_actual`."""
    if not can(actor, "inventory.read"):
        return Host.objects.none()
    unshown = [name for name in HOST_HEAVY if name != "settings"]
    rows = host_list(actor=actor).alias(
        metaslot_status=KeyTransform("metaslot.status", "settings"),
        metaslot_actual=KeyTransform("metaslot.actual", "settings"),
    )
    return rows.filter(metaslot_status__isnull=False).defer(*unshown)
