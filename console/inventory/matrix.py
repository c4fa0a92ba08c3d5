"""The assignment matrix of one host: which domain has which crypto units, and could have.

Read from the newest inventory's rows, in a number of queries that does not depend on its size.
"""

from collections import Counter
from typing import Any

from agents.wire.inventory import UnitKind
from console.accounts.actors import Actor
from console.changes.enums import TERMINAL
from console.changes.kinds.registry import kind_title
from console.changes.requests import host_check
from console.changes.selectors import change_list
from console.fleet.models import Host
from console.inventory.models import PRESENT, CryptoUnit, LogicalDomain
from console.inventory.selectors import domain_list, unit_list

COUNTED_KINDS = frozenset({"mau", "cwq"})
"""Units that are given to a domain by number (`ldm set-crypto 2 ldg1`), not by address."""

_MEDIATED = "vfio_ap_mdev"
"""Domains that AP queues are given to, and nothing else: mediated devices, each of one guest."""

NO_UNITS = "This host shows no crypto units that could be assigned."
_MATRIX_KINDS = ("unit.assign", "reconf.cancel", "spconfig.save")


def matrix_of(*, actor: Actor, host: Host) -> dict[str, Any]:
    """Return domains, assignable units and who could have which, in three queries.

    Mode `addressed`: one unit at least is given away by its key, as a virtual function or an AP
    queue. `assigning` says whether the host takes changes of them at all.
    """
    units = list(_present(unit_list(actor=actor), host).order_by("name", "key"))
    domains = list(_present(domain_list(actor=actor), host).order_by("name", "key"))
    assignable = [unit for unit in units if unit.is_assignable]
    assigned = Counter(unit.domain_key for unit in assignable if unit.domain_key)
    rows = [_unit(unit, domains) for unit in assignable]
    could = Counter(key for row in rows for key in row["can_serve"])
    refusal = host_check(host, "unit.assign")
    return {
        "host": host,
        "mode": _mode(assignable),
        "assigning": {"is_accepted": not refusal, "reason": refusal},
        "reason": "" if assignable else _why_none(units),
        "domains": [_domain(domain, host, assigned, could[domain.key]) for domain in domains],
        "units": rows,
        "free": sum(not unit.domain_key for unit in assignable),
        "open_changes": _open_changes(actor, host),
        "snapshot_digest": host.snapshot_digest,
        "taken_at": host.inventory_at,
    }


def _present(rows: Any, host: Host) -> Any:
    return rows.filter(PRESENT, host=host).select_related(None)


def _mode(assignable: list[CryptoUnit]) -> str:
    if not assignable:
        return "none"
    return "counted" if all(unit.kind in COUNTED_KINDS for unit in assignable) else "addressed"


def _why_none(units: list[CryptoUnit]) -> str:
    """The platform's own reason: since the T4, units became instructions in the core."""
    return next((unit.reason for unit in units if unit.reason), NO_UNITS)


def _domain(
    domain: LogicalDomain, host: Host, assigned: Counter[str], could_have: int
) -> dict[str, Any]:
    facts = domain.attributes
    count = assigned[domain.key]
    is_control = bool(facts.get("is_control"))
    words = (("control", is_control), ("service", bool(facts.get("is_service"))))
    return {
        "id": domain.pk,
        "key": domain.key,
        "name": domain.name,
        "state": domain.state,
        "flags": [word for word, holds in words if holds],
        "vcpu": facts.get("vcpu"),
        "cores": [str(core) for core in facts.get("cores") or []],
        "unit_count": count,
        "units_wanted": host.parts.get(f"unit.wanted/{domain.key}", count),
        "max_units": facts.get("max_units", could_have),
        "is_control": is_control,
        "reconfiguration": facts.get("reconfiguration") or "none",
    }


def _could_have(unit: CryptoUnit, domains: list[LogicalDomain]) -> list[str]:
    """Return the domains of a kind that such units are given to, where the agent did not say."""
    is_queue = unit.kind == UnitKind.AP_QUEUE
    return [domain.key for domain in domains if (domain.kind == _MEDIATED) == is_queue]


def _unit(unit: CryptoUnit, domains: list[LogicalDomain]) -> dict[str, Any]:
    facts = unit.attributes
    core = facts.get("core")
    return {
        "id": unit.pk,
        "key": unit.key,
        "name": unit.name,
        "kind": unit.kind,
        "state": unit.state,
        "cpuset": [str(strand) for strand in facts.get("cpuset") or []],
        "core": None if core is None else str(core),
        "domain_key": unit.domain_key,
        "can_serve": facts["can_serve"] if "can_serve" in facts else _could_have(unit, domains),
    }


def _open_changes(actor: Actor, host: Host) -> list[dict[str, Any]]:
    rows = change_list(actor=actor).filter(host=host, kind__in=_MATRIX_KINDS)
    return [
        {
            "id": change.pk,
            "kind": change.kind,
            "state": change.state,
            "sentence": change.plan.sentence if change.plan else kind_title(change.kind),
            "created_at": change.created_at,
        }
        for change in rows.exclude(state__in=TERMINAL).order_by("created_at", "id")
    ]
