"""Facts of a large host: 12 providers with 50 mechanisms each."""

from agents.wire.inventory import (
    Facts,
    HostFacts,
    MechanismFacts,
    ProviderFacts,
    SlotFacts,
    TokenFacts,
    UnitFacts,
)

PROVIDERS = 12
MECHANISMS = 600


def large_facts(*, changed: bool = False) -> Facts:
    """Return 12 providers with 600 mechanisms; `changed` alters one mechanism and one token."""
    each = MECHANISMS // PROVIDERS
    return Facts(
        host=HostFacts(hostname="bench-host", platform="linux", cpu_count=8),
        units=[_unit(number) for number in range(16)],
        providers=[_provider(number, each, changed) for number in range(PROVIDERS)],
    )


def _unit(number: int) -> UnitFacts:
    return UnitFacts(key=f"05.{number:04x}", kind="ap_queue", name=f"queue 05.{number:04x}")


def _provider(number: int, mechanisms: int, changed: bool) -> ProviderFacts:
    is_it = changed and number == 0
    return ProviderFacts(
        key=f"/usr/lib/module{number}.so",
        kind="pkcs11_library",
        name=f"module {number}",
        path=f"/usr/lib/module{number}.so",
        slots=[_slot(number, is_it)],
        mechanisms=[
            MechanismFacts(
                name=f"CKM_BENCH_{index}",
                number=0x80000000 + index,
                min_key_size=16,
                max_key_size=64 if is_it and index == 0 else 32,
                key_size_unit="bytes",
                operations=["encrypt", "decrypt"],
            )
            for index in range(mechanisms)
        ],
    )


def _slot(number: int, is_changed: bool) -> SlotFacts:
    token = TokenFacts(
        key=f"token{number}",
        label=f"token {number}",
        serial=f"{number:016x}",
        max_sessions=100 if is_changed else 0,
    )
    return SlotFacts(key=f"slot{number}", slot_id=number, token=token)
