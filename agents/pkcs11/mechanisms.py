"""Mechanisms of a module's slots: said once where all slots agree, by slot where they differ."""

from dataclasses import dataclass

from agents.pkcs11 import flags
from agents.pkcs11.names import key_size_unit, mechanism_name, return_value_name
from agents.pkcs11.records import Record
from agents.wire.inventory import Attribute, MechanismFacts

_Entry = tuple[int, int | None, int | None, int, int | None]
"""Number, least and greatest key size, flags, and the answer where the module gave no info."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotMechanisms:
    """The records of one slot's mechanisms."""

    key: str
    entries: list[Record]


def mechanism_facts(slots: list[SlotMechanisms]) -> list[MechanismFacts]:
    """Return all mechanisms, sorted by number.

    One that every slot offers with the same sizes and flags comes once, with an empty `slot_key`;
    any other comes once for each slot that offers it.
    """
    by_slot = {slot.key: [_entry(record) for record in slot.entries] for slot in slots}
    everywhere = set.intersection(*map(set, by_slot.values())) if by_slot else set()
    facts = [_facts(entry, "") for entry in everywhere]
    for key, entries in by_slot.items():
        facts += [_facts(entry, key) for entry in set(entries) - everywhere]
    return sorted(facts, key=lambda one: (one.number or 0, one.name, one.slot_key))


def _entry(record: Record) -> _Entry:
    return (
        record["number"],
        record.get("min"),
        record.get("max"),
        record.get("flags", 0),
        record.get("rv"),
    )


def _facts(entry: _Entry, slot_key: str) -> MechanismFacts:
    number, least, greatest, bits, rv = entry
    attributes: dict[str, Attribute] = flags.mechanism_attributes(bits)
    if rv is not None:
        attributes["error"] = f"C_GetMechanismInfo answered {return_value_name(rv)}"
    return MechanismFacts(
        name=mechanism_name(number),
        number=number if 0 <= number < 1 << 63 else None,
        slot_key=slot_key,
        min_key_size=None if least is None else flags.figure(least),
        max_key_size=None if greatest is None else flags.figure(greatest),
        key_size_unit=key_size_unit(number),
        operations=flags.mechanism_operations(bits),
        is_hardware=flags.mechanism_is_hardware(bits),
        attributes=attributes,
    )
