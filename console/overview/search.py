"""Global search: one text, the few best matches of each kind."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from django.db.models import Q, QuerySet

from console.accounts.actors import Actor
from console.core.errors import InvalidInput
from console.fleet.models import Host
from console.fleet.selectors import host_list
from console.inventory import selectors
from console.inventory.models import PRESENT
from console.jobs.selectors import job_list

MIN_LENGTH = 2
MAX_LENGTH = 200
PER_KIND = 8


@dataclass(frozen=True, slots=True)
class Hit:
    """One match. `host` is the host that it is on, if it is on one."""

    kind: str
    id: Any
    title: str
    subtitle: str
    host: Host | None


@dataclass(frozen=True, slots=True)
class HitGroup:
    """The matches of one kind; `has_more`: the list of that kind, searched, shows the rest."""

    kind: str
    has_more: bool
    results: list[Hit]


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    rows: Callable[[Actor], QuerySet[Any]]
    paths: tuple[str, ...]
    order: str
    title: Callable[[Any], str]
    subtitle: Callable[[Any], str]


_KINDS: tuple[_Kind, ...] = (
    _Kind(
        "host",
        lambda actor: host_list(actor=actor),
        ("name", "hostname"),
        "name",
        lambda host: host.name,
        lambda host: f"{host.os_name} {host.os_version}".strip() or host.platform,
    ),
    _Kind(
        "unit",
        lambda actor: selectors.unit_list(actor=actor).filter(PRESENT),
        ("name", "key", "kind"),
        "name",
        lambda unit: unit.name,
        lambda unit: unit.kind,
    ),
    _Kind(
        "domain",
        lambda actor: selectors.domain_list(actor=actor).filter(PRESENT),
        ("name",),
        "name",
        lambda domain: domain.name,
        lambda domain: domain.kind,
    ),
    _Kind(
        "token",
        lambda actor: selectors.token_list(actor=actor).filter(PRESENT),
        ("label", "serial"),
        "label",
        lambda token: token.label or token.serial,
        lambda token: f"serial {token.serial}" if token.serial else token.model,
    ),
    _Kind(
        "certificate",
        lambda actor: selectors.certificate_list(actor=actor).filter(PRESENT),
        ("subject", "label", "sha256"),
        "subject",
        lambda certificate: certificate.subject or certificate.label,
        lambda certificate: f"on token {certificate.token.label}",
    ),
    _Kind(
        "provider",
        lambda actor: selectors.provider_list(actor=actor).filter(PRESENT),
        ("name", "path"),
        "name",
        lambda provider: provider.name,
        lambda provider: provider.path or provider.kind,
    ),
    _Kind(
        "job",
        lambda actor: job_list(actor=actor),
        ("name", "workload"),
        "-created_at",
        lambda job: job.name or job.workload,
        lambda job: f"{job.workload}, {job.created_at:%Y-%m-%d %H:%M} UTC",
    ),
)

KINDS = tuple(kind.name for kind in _KINDS)
"""Kinds of things that can be found, in the order in which they are shown."""


def search(*, actor: Actor, text: str) -> list[HitGroup]:
    """Return the groups with a match for every word of `text`, in the order of KINDS.

    Raises InvalidInput `search.text` for fewer than MIN_LENGTH or more than MAX_LENGTH characters.
    """
    wanted = text.strip().replace("\0", "")
    if not MIN_LENGTH <= len(wanted) <= MAX_LENGTH:
        message = f"Search for {MIN_LENGTH} to {MAX_LENGTH} characters."
        raise InvalidInput("search.text", message)
    groups = (_group(kind, actor, wanted.split()) for kind in _KINDS)
    return [group for group in groups if group.results]


def _group(kind: _Kind, actor: Actor, words: list[str]) -> HitGroup:
    rows = kind.rows(actor)
    for word in words:
        rows = rows.filter(
            reduce(Q.__or__, (Q(**{f"{path}__icontains": word}) for path in kind.paths))
        )
    found = list(rows.order_by(kind.order, "pk")[: PER_KIND + 1])
    hits = [
        Hit(kind.name, row.pk, kind.title(row), kind.subtitle(row), getattr(row, "host", None))
        for row in found[:PER_KIND]
    ]
    return HitGroup(kind.name, len(found) > PER_KIND, hits)
