"""What an inventory found, as lines for a terminal."""

from collections.abc import Iterable, Iterator

from agents.wire.inventory import Facts, ProviderFacts, SlotFacts


def summary_lines(facts: Facts) -> Iterator[str]:
    """Yield lines: the host, units, providers with their tokens, findings, blind spots."""
    host = facts.host
    source = "" if host.source == "live" else f" [{host.source}]"
    yield f"{host.hostname}: {host.os_name} {host.os_version}, {host.architecture}{source}"
    yield f"  {host.cpu_model or 'unknown CPU'}, {host.cpu_count} processors"
    yield from _section(
        "Units", (f"{unit.name} ({unit.kind}): {unit.state}" for unit in facts.units)
    )
    yield from _section("Providers", (_provider(provider) for provider in facts.providers))
    yield from _section(
        "Tokens",
        (
            _token(provider, slot)
            for provider in facts.providers
            for slot in provider.slots
            if slot.token is not None
        ),
    )
    yield from _section(
        "Workloads",
        (
            f"{workload.name}: {'ready' if workload.is_eligible else workload.reason}"
            for workload in facts.workloads
        ),
    )
    yield from _section(
        "Findings", (f"{finding.severity}: {finding.message}" for finding in facts.findings)
    )
    yield from _section("Not visible for this user", host.blind_spots)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield f"{title} ({len(found)})"
        yield from (f"  {line}" for line in found)


def _provider(provider: ProviderFacts) -> str:
    state = provider.state if not provider.error else f"{provider.state}: {provider.error}"
    return f"{provider.name} ({provider.kind}): {len(provider.mechanisms)} mechanisms, {state}"


def _token(provider: ProviderFacts, slot: SlotFacts) -> str:
    token = slot.token
    if token is None:
        return ""
    state = f"user PIN {token.user_pin_state}" if token.is_initialised else "not initialised"
    return f"{token.label or '(no label)'} [{token.serial}] in {provider.name}: {state}"
