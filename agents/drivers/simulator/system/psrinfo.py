"""psrinfo: the virtual CPUs of the control domain."""

from agents.drivers.simulator.call import Call


def run(call: Call) -> int:
    """`psrinfo [-p] [-v]`; return the exit code."""
    flags = "".join(word[1:] for word in call.arguments if word.startswith("-"))
    domain, edition = call.world.control, call.world.edition
    if "p" not in flags:
        since = "on-line   since 11/30/2009 10:11:12"
        call.say(*(f"{number}\t{since}" for number in range(domain.vcpu)))
        return 0
    # A control domain sees one virtual processor chip for each chip that it has strands of.
    per_chip = edition.cores * edition.threads
    chips: dict[int, list[int]] = {}
    for number, strand in enumerate(sorted(domain.strands)):
        chips.setdefault(strand // per_chip, []).append(number)
    if "v" not in flags:
        call.say(str(len(chips)))
        return 0
    for chip, numbers in chips.items():
        _chip(call, chip, numbers)
    return 0


def _chip(call: Call, chip: int, numbers: list[int]) -> None:
    edition = call.world.edition
    strands = sorted(call.world.control.strands)
    model = f"{edition.chip} (chipid {chip}, clock {edition.clock_mhz} MHz)"
    cores: dict[int, list[int]] = {}
    for number in numbers:
        cores.setdefault(strands[number] // edition.threads, []).append(number)
    count = f"{len(numbers)} virtual processors ({_ranges(numbers)})"
    if call.variant("psrinfo.cores") == "no":
        call.say(f"The physical processor has {count}", f"  {model}")
        return
    call.say(f"The physical processor has {len(cores)} cores and {count}")
    for own in cores.values():
        call.say(f"  The core has {len(own)} virtual processors ({_ranges(own)})")
    call.say(f"    {model}")


def _ranges(numbers: list[int]) -> str:
    """Return `0-7 16-23`."""
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and number == stretches[-1][1] + 1:
            stretches[-1][1] = number
        else:
            stretches.append([number, number])
    return " ".join(f"{low}-{high}" if high > low else str(low) for low, high in stretches)
