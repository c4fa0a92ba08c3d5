"""Whatever the facts: what is ingested can be read back, in any order of snapshots."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis.extra.django import TestCase

from agents.wire.codec import to_plain
from agents.wire.inventory import Facts
from console.fleet.models import Host
from console.inventory.models import (
    Certificate,
    CryptoUnit,
    LogicalDomain,
    Mechanism,
    Provider,
    Slot,
    Token,
)
from console.inventory.rows import certificate_time
from tests.console.hosts import enrol, ingest
from tests.console.inventory.strategies import facts as any_facts

_CHILDREN = {"slots", "mechanisms", "token", "certificates"}
Things = list[tuple[Any, ...]]


def read_back(host: Host) -> dict[str, Things]:
    """Return what is there of a host: per kind the parents' keys and the columns of the facts."""
    return {
        "domains": _rows(LogicalDomain, host, ()),
        "units": _rows(CryptoUnit, host, ()),
        "providers": _rows(Provider, host, ()),
        "slots": _rows(Slot, host, ("provider__key",)),
        "tokens": _rows(Token, host, ("provider__key", "slot__key")),
        "certificates": _rows(Certificate, host, ("token__provider__key", "token__key")),
        "mechanisms": _rows(Mechanism, host, ("provider__key",)),
    }


def _rows(model: Any, host: Host, parents: tuple[str, ...]) -> Things:
    unknown = {"id", "host", "created_at", "updated_at", "facts_hash", "first_seen_at", "gone_at"}
    unknown |= {"last_seen_at", "mechanism_count", "slot_count", "certificate_count", "domain"}
    names = [f.name for f in model._meta.concrete_fields if f.name not in unknown]
    names = sorted(name for name in names if name not in {"provider", "slot", "token"})
    if model in {Mechanism, Certificate}:
        names.remove("key")
    rows = model.objects.filter(host=host, gone_at=None).values(*parents, *names)
    return _sorted((*(row[p] for p in parents), {n: row[n] for n in names}) for row in rows)


def told(facts: Facts) -> dict[str, Things]:
    """Return the same of the facts."""
    plain = to_plain(facts)
    things: dict[str, Things] = {name: [] for name in read_back(Host())}
    things["domains"] = [(domain,) for domain in plain["domains"]]
    things["units"] = [(unit,) for unit in plain["units"]]
    for provider in plain["providers"]:
        at = provider["key"]
        things["providers"].append((_own(provider),))
        things["mechanisms"] += [(at, mechanism) for mechanism in provider["mechanisms"]]
        for slot in provider["slots"]:
            things["slots"].append((at, _own(slot)))
            _tell_token(things, at, slot)
    return {name: _sorted(rows) for name, rows in things.items()}


def _tell_token(things: dict[str, Things], at: str, slot: dict[str, Any]) -> None:
    token = slot["token"]
    if token is None:
        return
    things["tokens"].append((at, slot["key"], _own(token)))
    for certificate in token["certificates"]:
        times = {n: certificate_time(certificate[n]) for n in ("not_before", "not_after")}
        things["certificates"].append((at, token["key"], certificate | times))


def _own(thing: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in thing.items() if name not in _CHILDREN}


def _sorted(rows: Any) -> Things:
    # PostgreSQL gives the keys of an object back in an order of its own.
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True, default=str))


class RoundTrip(TestCase):
    """Properties of ingest."""

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(any_facts)
    def test_what_is_ingested_can_be_read_back(self, facts: Facts) -> None:
        host = enrol().host
        ingest(host, facts)
        assert read_back(host) == told(facts)

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(any_facts, any_facts)
    def test_a_b_a_gives_a_again(self, first: Facts, second: Facts) -> None:
        host = enrol().host
        for facts in (first, second, first):
            ingest(host, facts)
            assert read_back(host) == told(facts)
