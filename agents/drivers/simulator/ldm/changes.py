"""set-vcpu, add-vcpu, remove-vcpu and set-memory."""

import re

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.editions import GIB, MIB
from agents.drivers.simulator.ldm.delayed import pend
from agents.drivers.simulator.ldm.refusal import Refused, domain_get, number_and_domain
from agents.drivers.simulator.world import Domain

_ALIGNMENT = 256 * MIB
_SIZE = re.compile(r"(\d+)([KMGkmg]?)")
_FACTORS = {"": 1, "k": 1 << 10, "m": MIB, "g": GIB}


def set_vcpu(call: Call, words: list[str]) -> None:
    """`ldm set-vcpu number ldom`."""
    number, domain, _ = number_and_domain(call, words, "c")
    _change(call, domain, number)


def add_vcpu(call: Call, words: list[str]) -> None:
    """`ldm add-vcpu number ldom`."""
    number, domain, _ = number_and_domain(call, words, "c")
    _change(call, domain, domain.wants()["vcpu"] + number)


def remove_vcpu(call: Call, words: list[str]) -> None:
    """`ldm remove-vcpu number ldom`."""
    number, domain, _ = number_and_domain(call, words, "fc")
    _change(call, domain, domain.wants()["vcpu"] - number)


def _change(call: Call, domain: Domain, number: int) -> None:
    if number < 1:
        raise Refused(f"The {domain.name} domain must keep at least 1 virtual CPU")
    if domain.pending is not None:
        pend(call, domain, vcpu=number)
    elif domain.state == "inactive":
        domain.vcpu = number
    else:
        is_held = domain.is_active and bool(domain.maus) and call.world.edition.ldm < (1, 2)
        if is_held and call.variant("ldm.vcpu_with_units") == "refused":
            raise Refused(
                f"The virtual CPUs of LDom {domain.name} cannot be changed dynamically",
                "while it has cryptographic units",
            )
        bind_vcpus(call, domain, number)


def bind_vcpus(call: Call, domain: Domain, number: int) -> None:
    """Give a bound domain that many virtual CPUs. Raises Refused."""
    world = call.world
    kept = domain.strands[:number]  # the CPUs that came last go first
    own_cores = {strand // world.edition.threads for strand in kept}
    free = [s for s in range(world.edition.strands) if not world.owner_of_strand(s)]
    # CPUs of the cores that the domain is on already come first.
    free.sort(key=lambda strand: (strand // world.edition.threads not in own_cores, strand))
    wanted = kept + free[: max(0, number - len(kept))]
    if len(wanted) < number:
        raise Refused(
            f"Only {len(free)} free virtual CPU(s); {number - len(kept)} more are needed",
            "Resource modification failed",
        )
    stranded = [u for u in domain.maus if set(world.edition.core_set(u)).isdisjoint(wanted)]
    if stranded:
        raise Refused(
            f"The removal of virtual CPUs would leave {len(stranded)} crypto unit(s) of the",
            f"{domain.name} domain without a virtual CPU on their core; remove the crypto",
            "units first",
            "Resource modification failed",
        )
    domain.strands, domain.vcpu = wanted, number


def set_memory(call: Call, words: list[str]) -> None:
    """`ldm set-memory size ldom`."""
    if len(words) != 2 or (found := _SIZE.fullmatch(words[0])) is None:
        raise Refused("Invalid number of arguments; use --help option to see usage")
    size = int(found[1]) * _FACTORS[found[2].lower()]
    domain = domain_get(call, words[1])
    difference = domain.wants()["memory"] - size
    if difference > 0 and difference % _ALIGNMENT:
        better = size + difference % _ALIGNMENT
        raise Refused(
            f"A ldm set-mem {words[0]} command would remove {difference // MIB}MB, which is not a",
            f"multiple of 256MB. Instead, run ldm set-mem {better // MIB}M {domain.name}",
            "to ensure a 256MB alignment.",
        )
    if domain.pending is not None or (domain.is_active and call.world.edition.ldm < (2, 0)):
        pend(call, domain, memory=size)
    else:
        domain.memory = size
