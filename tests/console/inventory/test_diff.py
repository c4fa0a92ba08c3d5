"""The difference of two snapshots."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings

from agents.wire.codec import to_plain
from agents.wire.inventory import Facts, MechanismFacts
from console.inventory.diff import Change, facts_diff
from tests.console.hosts import library, some_facts, token
from tests.console.inventory.strategies import facts as any_facts


def diff(before: Facts, after: Facts) -> list[Change]:
    return facts_diff(to_plain(before), to_plain(after))


def test_a_changed_field_is_told_with_before_and_after() -> None:
    slot = replace(library().slots[0], token=token(user_pin_state="locked"))
    after = some_facts(providers=[library(slots=[slot])])
    (change,) = diff(some_facts(), after)
    assert (change.section, change.name, change.change) == ("tokens", "signing", "changed")
    assert [(f.path, f.before, f.after) for f in change.fields] == [
        ("user_pin_state", "ok", "locked")
    ]


def test_a_new_mechanism_is_added_and_its_provider_unchanged() -> None:
    more = [*library().mechanisms, MechanismFacts(name="CKM_SHA256", number=0x250)]
    changes = diff(some_facts(), some_facts(providers=[library(mechanisms=more)]))
    assert [(c.section, c.name, c.change) for c in changes] == [
        ("mechanisms", "CKM_SHA256", "added")
    ]


def test_what_is_removed_takes_its_children_along() -> None:
    changes = diff(some_facts(), some_facts(providers=[]))
    assert {c.change for c in changes} == {"removed"}
    assert {c.section for c in changes} == {
        "providers",
        "slots",
        "tokens",
        "certificates",
        "mechanisms",
    }


def test_settings_are_told_one_by_one() -> None:
    after = some_facts(settings={"fips.kernel": True, "openssl.version": "3.0.22"})
    (change,) = diff(some_facts(), after)
    assert (change.section, change.key) == ("settings", "fips.kernel")
    assert (change.fields[0].before, change.fields[0].after) == (False, True)


def test_attributes_are_compared_inside() -> None:
    def with_attributes(**attributes: Any) -> Facts:
        return some_facts(providers=[library(attributes=attributes)])

    (change,) = diff(with_attributes(a=1, b=2), with_attributes(a=1, b=3, c=4))
    assert [(f.path, f.before, f.after) for f in change.fields] == [
        ("attributes.b", 2, 3),
        ("attributes.c", None, 4),
    ]


def test_true_is_not_one() -> None:
    (change,) = diff(some_facts(settings={"x": 1}), some_facts(settings={"x": True}))
    assert change.fields[0].after is True


@settings(max_examples=100, deadline=None)
@given(any_facts)
def test_facts_do_not_differ_from_themselves(facts: Facts) -> None:
    assert diff(facts, facts) == []


@settings(max_examples=100, deadline=None)
@given(any_facts, any_facts)
def test_the_other_way_round_swaps_added_and_removed(before: Facts, after: Facts) -> None:
    swapped = {"added": "removed", "removed": "added", "changed": "changed"}
    there = {(c.section, c.key, c.change) for c in diff(before, after)}
    back = {(c.section, c.key, swapped[c.change]) for c in diff(after, before)}
    assert there == back


@settings(max_examples=100, deadline=None)
@given(any_facts, any_facts)
def test_facts_differ_exactly_when_the_diff_is_not_empty(before: Facts, after: Facts) -> None:
    assert bool(diff(before, after)) == (_without_order(before) != _without_order(after))


def _without_order(facts: Facts) -> Any:
    """Return facts as the diff sees them: things are told apart by key, not by place."""
    return _ordered(to_plain(facts))


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((name, repr(_ordered(item))) for name, item in value.items())
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return sorted(repr(_ordered(item)) for item in value)
    return value
