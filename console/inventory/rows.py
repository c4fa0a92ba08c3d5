"""Facts → rows: which rows a host's facts amount to, with ids that never change. Pure."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from console.core.clean import MAX_INDEXED_TEXT, clean_text
from console.inventory.models import (
    Certificate,
    CryptoUnit,
    InventoryRow,
    LogicalDomain,
    Mechanism,
    Provider,
    Slot,
    Token,
)

Plain = dict[str, Any]

_NESTED = frozenset({"slots", "mechanisms", "token", "certificates"})
_INDEXED = ("name", "kind", "state", "serial", "sha256", "user_pin_state")


@dataclass(frozen=True, slots=True)
class ObservedRow:
    """One row as the facts want it: `values` are all columns that facts fill, foreign keys too."""

    model: type[InventoryRow]
    id: UUID
    values: Plain
    facts_hash: str


def rows_of(host_id: UUID, facts: Plain) -> list[ObservedRow]:
    """Return all rows of `facts` (cleaned, as `agents.wire.codec.to_plain` shapes them).

    Parents come before children. A thing's id derives from the host, its kind and its key within
    its parent; where an agent gives one key twice, the second is a row of its own, never lost.
    """
    collector = _Collector(host_id)
    domains = {d["key"]: collector.add(LogicalDomain, (d["key"],), d) for d in facts["domains"]}
    for unit in facts["units"]:
        domain_id = domains.get(unit["domain_key"])
        collector.add(CryptoUnit, (unit["key"],), unit, domain_id=domain_id)
    for provider in facts["providers"]:
        _add_provider(collector, provider)
    return collector.rows


def row_id(host_id: UUID, model: type[InventoryRow], *path: object) -> UUID:
    """Return the id of the thing at `path` (its parents' keys and its own) on a host."""
    label = json.dumps([model._meta.model_name, *path], ensure_ascii=True)
    return uuid5(host_id, label)


class _Collector:
    """Gathers rows; tells things with the same key apart by their order."""

    def __init__(self, host_id: UUID) -> None:
        self.host_id = host_id
        self.rows: list[ObservedRow] = []
        self._seen: set[UUID] = set()

    def add(
        self, model: type[InventoryRow], path: tuple[object, ...], facts: Plain, **columns: Any
    ) -> UUID:
        """Add the row at `path` and return its id. `columns` override or extend the facts."""
        number, wanted = 1, row_id(self.host_id, model, *path)
        while wanted in self._seen:
            number += 1
            wanted = row_id(self.host_id, model, *path, number)
        self._seen.add(wanted)
        values = {"key": str(path[-1])} | {k: v for k, v in facts.items() if k not in _NESTED}
        values |= columns
        for name in _INDEXED:
            if isinstance(values.get(name), str):
                values[name] = clean_text(values[name], MAX_INDEXED_TEXT)
        self.rows.append(ObservedRow(model, wanted, values, _hash(values)))
        return wanted


def _add_provider(collector: _Collector, provider: Plain) -> None:
    key = provider["key"]
    counts = {
        "mechanism_count": len(provider["mechanisms"]),
        "slot_count": len(provider["slots"]),
    }
    provider_id = collector.add(Provider, (key,), provider, **counts)
    for slot in provider["slots"]:
        slot_id = collector.add(Slot, (key, slot["key"]), slot, provider_id=provider_id)
        if slot["token"] is not None:
            _add_token(collector, key, slot["token"], provider_id=provider_id, slot_id=slot_id)
    for mechanism in provider["mechanisms"]:
        path = (key, mechanism["slot_key"], mechanism["number"], mechanism["name"])
        columns = {"key": mechanism_key(mechanism), "provider_id": provider_id}
        collector.add(Mechanism, path, mechanism, **columns)


def _add_token(collector: _Collector, provider_key: str, token: Plain, **parents: UUID) -> None:
    count = len(token["certificates"])
    path = (provider_key, token["key"])
    token_id = collector.add(Token, path, token, certificate_count=count, **parents)
    for certificate in token["certificates"]:
        parts = (certificate["label"], certificate["object_id"], certificate["sha256"])
        columns = {
            "token_id": token_id,
            "not_before": certificate_time(certificate["not_before"]),
            "not_after": certificate_time(certificate["not_after"]),
        }
        collector.add(Certificate, (*path, *parts), certificate, **columns)


def mechanism_key(mechanism: Plain) -> str:
    """Return what tells a mechanism from the others of its provider."""
    number = mechanism["number"]
    own = mechanism["name"] if number is None else f"{mechanism['name']} ({number:#x})"
    return f"{own} on {mechanism['slot_key']}" if mechanism["slot_key"] else own


def certificate_time(text: str) -> datetime | None:
    """Return an ISO 8601 time as aware UTC; None for an empty or impossible one."""
    try:
        value = datetime.fromisoformat(text)
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _hash(values: Plain) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def counts_of(facts: Plain) -> dict[str, int]:
    """Return how many things of each kind `facts` hold."""
    slots = [slot for provider in facts["providers"] for slot in provider["slots"]]
    tokens = list(_tokens(slots))
    return {
        "units": len(facts["units"]),
        "domains": len(facts["domains"]),
        "providers": len(facts["providers"]),
        "mechanisms": sum(len(provider["mechanisms"]) for provider in facts["providers"]),
        "slots": len(slots),
        "tokens": len(tokens),
        "certificates": sum(len(token["certificates"]) for token in tokens),
        "findings": len(facts["findings"]),
    }


def _tokens(slots: list[Plain]) -> Iterator[Plain]:
    return (slot["token"] for slot in slots if slot["token"] is not None)
