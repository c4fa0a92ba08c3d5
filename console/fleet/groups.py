"""Writes to groups of hosts."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.policies import require
from console.audit.services import audit_record
from console.core import events
from console.core.errors import InvalidInput, StateConflict
from console.fleet.models import Host, HostGroup

VERB = "host_group.manage"
_NAMED = 20
"""So many hosts are named in the audit; beyond it, their number is."""


@transaction.atomic
def host_group_create(
    *, actor: Actor, name: str, description: str = "", hosts: Iterable[UUID] = ()
) -> HostGroup:
    """Make a group. Raise StateConflict `host_group.name_taken`, InvalidInput `host_group.host`."""
    require(actor, VERB)
    members = _hosts(hosts)
    group = HostGroup(name=_name(name), description=description)
    _save(group)
    group.hosts.set(members)
    events.publish("host_group", group.pk, group.updated_at)
    new = {"name": group.name, "description": description, "hosts": _names(members)}
    audit_record(actor=actor, verb="host_group.create", obj=group, new=new)
    return group


@transaction.atomic
def host_group_update(
    *,
    actor: Actor,
    group: HostGroup,
    name: str | None = None,
    description: str | None = None,
    add_hosts: Iterable[UUID] = (),
    remove_hosts: Iterable[UUID] = (),
) -> HostGroup:
    """Rename a group, or alter who is in it; what is not given stays. Raise as create does."""
    require(actor, VERB)
    old: dict[str, Any] = {"name": group.name, "description": group.description}
    group.name = group.name if name is None else _name(name)
    group.description = group.description if description is None else description
    coming, going = _hosts(add_hosts), _hosts(remove_hosts)
    _save(group)
    group.hosts.add(*coming)
    group.hosts.remove(*going)
    events.publish("host_group", group.pk, group.updated_at)
    new = {
        "name": group.name,
        "description": group.description,
        "added": _names(coming),
        "removed": _names(going),
    }
    audit_record(actor=actor, verb="host_group.update", obj=group, old=old, new=new)
    return group


@transaction.atomic
def host_group_delete(*, actor: Actor, group: HostGroup) -> None:
    """Delete a group, and what is kept for it alone: its maintenance windows."""
    require(actor, VERB)
    old = {"name": group.name, "hosts": _names(group.hosts.all())}
    windows = list(group.windows.values_list("name", flat=True))
    events.publish("host_group", group.pk, timezone.now())
    audited = HostGroup(pk=group.pk, name=group.name)
    group.delete()
    old["windows"] = windows
    audit_record(actor=actor, verb="host_group.delete", obj=audited, old=old)


def _save(group: HostGroup) -> None:
    try:
        with transaction.atomic():
            group.save()
    except IntegrityError:
        message = f"Another group is called {group.name}; choose a name of its own."
        raise StateConflict("host_group.name_taken", message) from None


def _name(name: str) -> str:
    wanted = name.strip()
    if not wanted or len(wanted) > 100 or not wanted.isprintable():
        message = "A group's name has 1 to 100 printable characters."
        raise InvalidInput(
            "host_group.name_invalid", message, extra={"fields": {"name": [message]}}
        )
    return wanted


def _hosts(ids: Iterable[UUID]) -> list[Host]:
    wanted = set(ids)
    found = list(Host.objects.filter(pk__in=wanted).only("id", "name").order_by("name"))
    if len(found) < len(wanted):
        message = f"{len(wanted) - len(found)} of these hosts do not exist."
        raise InvalidInput("host_group.host", message, extra={"fields": {"hosts": [message]}})
    return found


def _names(hosts: Iterable[Host]) -> list[str]:
    names = [host.name for host in hosts]
    beyond = len(names) - _NAMED
    return names if beyond <= 0 else [*names[:_NAMED], f"and {beyond} more"]
