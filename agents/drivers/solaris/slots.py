"""Slots, tokens and mechanisms of `cryptoadm list -mv`, in the words of the PKCS#11 probe."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.parsers.solaris.cryptoadm_facts import (
    CryptoMechanism,
    CryptoProvider,
    CryptoSlot,
    CryptoToken,
)
from agents.pkcs11 import flags
from agents.pkcs11.identity import Keys, slot_key, token_key
from agents.pkcs11.names import key_size_unit, mechanism_number
from agents.wire.inventory import MechanismFacts, SlotFacts, TokenFacts

_OPERATIONS = {"generate_key": "generate"}
_NO_OPERATIONS = frozenset(("hw", "ec"))
_CKF = "CKF_"


@dataclass(frozen=True, slots=True)
class Listed:
    """A mechanism as it is listed, and the one slot that has it so; empty: all slots alike."""

    mechanism: CryptoMechanism
    slot_key: str = ""

    @classmethod
    def named(cls, name: str) -> "Listed":
        """Return a mechanism of which only the name is known."""
        return cls(CryptoMechanism(name))

    def facts(self) -> MechanismFacts:
        """Return its facts; offer and policy are for its provider to say."""
        listed = self.mechanism
        number = mechanism_number(listed.name)
        words = [op for op in listed.operations if op not in _NO_OPERATIONS]
        return MechanismFacts(
            name=listed.name,
            number=number,
            slot_key=self.slot_key,
            min_key_size=listed.min_key,
            max_key_size=listed.max_key,
            key_size_unit="" if number is None else key_size_unit(number),
            operations=[_OPERATIONS.get(word, word) for word in words],
            is_hardware="hw" in listed.operations,
        )


def listed_mechanisms(provider: CryptoProvider, slot_keys: Sequence[str]) -> list[Listed]:
    """Return a provider's mechanisms: once where all its slots agree, by slot where they differ.

    `slot_keys` are the keys of its slots, in their order.
    """
    by_slot = [set(slot.mechanisms) for slot in provider.slots if slot.mechanisms]
    if not by_slot:
        return [Listed(mechanism) for mechanism in provider.mechanisms or ()]
    everywhere = set.intersection(*by_slot)
    found = [Listed(mechanism) for mechanism in everywhere]
    for slot, key in zip(provider.slots, slot_keys, strict=True):
        found += [Listed(one, key) for one in set(slot.mechanisms) - everywhere]
    return found


def slot_facts(library: str, slots: Iterable[CryptoSlot]) -> list[SlotFacts]:
    """Return a library's slots with their tokens, in the order in which cryptoadm lists them."""
    keys = Keys()
    return [_slot(library, number, slot, keys) for number, slot in enumerate(slots, start=1)]


def _slot(library: str, place: int, slot: CryptoSlot, keys: Keys) -> SlotFacts:
    number = place if slot.number is None else slot.number
    key = keys.take(_wanted_key(library, number, slot))
    extra = dict(slot.extra)
    return SlotFacts(
        key=key,
        slot_id=number,
        description=slot.description,
        manufacturer=slot.manufacturer,
        is_hardware=f"{_CKF}HW_SLOT" in slot.flags,
        is_removable=f"{_CKF}REMOVABLE_DEVICE" in slot.flags,
        hardware_version=extra.get("hardware version", ""),
        firmware_version=extra.get("firmware version", ""),
        token=_token(key, slot.token) if slot.token else None,
    )


def _wanted_key(library: str, number: int, slot: CryptoSlot) -> str:
    token = slot.token
    if token is not None and (token.serial or token.label):
        return token_key(library, token.serial, token.label)
    return slot_key(library, slot.description, number)


def _token(key: str, token: CryptoToken) -> TokenFacts:
    words = {flag.removeprefix(_CKF) for flag in token.flags}
    bits = sum(bit for bit, word in flags.TOKEN_FLAGS.items() if word in words)
    unknown = sorted(words - set(flags.TOKEN_FLAGS.values()))
    extra = dict(token.extra)
    return TokenFacts(
        key=key,
        label=token.label,
        serial=token.serial,
        model=token.model,
        manufacturer=token.manufacturer,
        flags=[*flags.token_flags(bits), *unknown],
        is_initialised=bool(bits & flags.TOKEN_INITIALIZED),
        user_pin_state=flags.user_pin_state(bits),
        so_pin_state=flags.so_pin_state(bits),
        min_pin_length=token.pin_min,
        max_pin_length=token.pin_max,
        hardware_version=extra.get("hardware version", ""),
        firmware_version=extra.get("firmware version", ""),
    )
