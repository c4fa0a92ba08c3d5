"""Golden messages of each release: what was once sent is understood for good."""

import dataclasses
import hashlib
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from agents.wire import WIRE_VERSION, changes, messages
from agents.wire.codec import decode, encode, facts_digest, from_plain, to_plain
from agents.wire.inventory import Facts
from tests.wire import cast

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*/*.json"))
RESULTS = sorted(GOLDEN.glob("*/results/*.json"))
"""What the results of `change.plan` and `change.apply` hold."""
KINDS = {
    name: kind
    for name, kind in inspect.getmembers(messages, inspect.isclass)
    if dataclasses.is_dataclass(kind) and kind.__module__ == messages.__name__
}


def ids(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def covers(new: Any, old: Any) -> bool:
    """Return whether `new` says all that `old` says; it may say more."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(
            key in new and covers(new[key], value) for key, value in old.items()
        )
    if isinstance(old, list):
        return isinstance(new, list) and len(new) == len(old) and all(map(covers, new, old))
    return bool(new == old)


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_a_golden_message_is_understood_and_loses_nothing(path: Path) -> None:
    old = json.loads(path.read_bytes())
    message = decode(path.read_bytes(), KINDS[path.stem])
    assert covers(to_plain(message), old)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_message_of_this_version_has_a_golden_one(name: str) -> None:
    path = GOLDEN / WIRE_VERSION / f"{name}.json"
    assert json.loads(path.read_bytes()) == json.loads(encode(cast.messages()[name]))


@pytest.mark.parametrize("path", RESULTS, ids=ids)
def test_a_golden_result_of_a_change_is_understood_and_loses_nothing(path: Path) -> None:
    old = json.loads(path.read_bytes())
    assert covers(to_plain(from_plain(old, getattr(changes, path.stem))), old)


@pytest.mark.parametrize("name", sorted(cast.results()))
def test_every_result_of_a_change_has_a_golden_one(name: str) -> None:
    path = GOLDEN / WIRE_VERSION / "results" / f"{name}.json"
    assert json.loads(path.read_bytes()) == to_plain(cast.results()[name])


def test_every_kind_of_report_is_among_the_golden_ones() -> None:
    plain = json.loads((GOLDEN / WIRE_VERSION / "ReportsRequest.json").read_bytes())
    kinds = [report["kind"] for report in plain["reports"]]
    assert kinds == ["started", "output", "progress", "sample", "finished"]


def test_the_golden_facts_fill_every_field() -> None:
    """A field left at its default would not be noticed when it is renamed."""

    def empty(value: Any, path: str) -> list[str]:
        if isinstance(value, dict):
            return [line for key, item in value.items() for line in empty(item, f"{path}.{key}")]
        if isinstance(value, list):
            return [f"{path}[]"] if not value else empty(value[0], f"{path}[0]")
        return []

    assert empty(to_plain(cast.facts()), "facts") == []
    assert empty(to_plain(cast.results()["ApplyResult"]), "result") == []


@pytest.mark.parametrize(
    "version", sorted(path.parent.name for path in GOLDEN.glob("*/facts.sha256"))
)
def test_a_digest_is_that_of_the_facts_as_they_came(version: str) -> None:
    """So a console need not know every field that an agent of another version fills."""
    plain = json.loads((GOLDEN / version / "SnapshotRequest.json").read_bytes())
    canonical = json.dumps(plain["facts"], sort_keys=True, separators=(",", ":"))
    digest = (GOLDEN / version / "facts.sha256").read_text().strip()
    assert hashlib.sha256(canonical.encode()).hexdigest() == digest
    if version == WIRE_VERSION:
        assert facts_digest(from_plain(plain["facts"], Facts)) == digest
