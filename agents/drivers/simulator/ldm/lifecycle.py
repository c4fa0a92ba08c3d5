"""bind, unbind, start, stop and the commands of a delayed reconfiguration."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.ldm import notices
from agents.drivers.simulator.ldm.changes import bind_vcpus
from agents.drivers.simulator.ldm.delayed import reboot
from agents.drivers.simulator.ldm.refusal import Refused, domain_get, only_domain
from agents.drivers.simulator.ldm.units import bind_units
from agents.drivers.simulator.world import now


def bind(call: Call, words: list[str]) -> None:
    """`ldm bind-domain ldom`: all that its constraints ask for, or nothing."""
    domain = only_domain(call, words)
    if domain.is_bound:
        raise Refused(f"LDom {domain.name} is already bound")
    units = domain.units
    domain.strands, domain.maus = [], []
    try:
        bind_vcpus(call, domain, domain.vcpu)
        domain.state = "bound"
        bind_units(call, domain, units if call.world.edition.has_units else 0)
    except Refused:
        domain.state, domain.strands, domain.maus, domain.units = "inactive", [], [], units
        raise


def unbind(call: Call, words: list[str]) -> None:
    """`ldm unbind-domain ldom`."""
    domain = only_domain(call, words)
    if domain.state != "bound":
        raise Refused(
            f"LDom {domain.name} is not bound"
            if domain.state == "inactive"
            else f"LDom {domain.name} is active; stop it first"
        )
    domain.state, domain.strands, domain.maus = "inactive", [], []


def start(call: Call, words: list[str]) -> None:
    """`ldm start-domain ldom`."""
    domain = only_domain(call, words)
    if domain.state == "inactive":
        raise Refused(f"LDom {domain.name} is not bound; bind it first")
    if domain.is_active:
        raise Refused(f"LDom {domain.name} is already active")
    domain.state, domain.booted_at = "active", now()
    call.say(f"LDom {domain.name} started")


def stop(call: Call, words: list[str]) -> None:
    """`ldm stop-domain [-f] ldom`. Waits for the guest's shutdown, which here takes no time."""
    domain = only_domain(call, words, "f")
    if domain.is_control:
        raise Refused(f"LDom {domain.name} is the control domain and cannot be stopped")
    if not domain.is_active:
        raise Refused(f"LDom {domain.name} is not active")
    if domain.pending is not None:
        reboot(call.world, domain)
    domain.state = "bound"
    call.say(f"LDom {domain.name} stopped")


def start_reconf(call: Call, words: list[str]) -> None:
    """`ldm start-reconf ldom` (2.0 and later)."""
    domain = only_domain(call, words)
    if not domain.is_control or not domain.is_active:
        raise Refused(f"Delayed reconfiguration of LDom {domain.name} is not permitted")
    if domain.pending is not None:
        notices.in_process(call, domain)
        return
    domain.pending = {}
    notices.initiating(call, domain)


def cancel_reconf(call: Call, words: list[str]) -> None:
    """`ldm cancel-reconf ldom`, `ldm remove-reconf ldom`: what waits is dropped."""
    domain = only_domain(call, words)
    if domain.pending is None:
        raise Refused(f"LDom {domain.name} is not in the process of a delayed reconfiguration")
    domain.pending = None


def cancel_operation(call: Call, words: list[str]) -> None:
    """`ldm cancel-operation reconf ldom`; there never is a migration or memdr to cancel."""
    if len(words) != 2 or words[0] not in ("migration", "reconf", "memdr"):
        raise Refused("Invalid number of arguments; use --help option to see usage")
    if words[0] == "reconf":
        cancel_reconf(call, words[1:])
        return
    domain = domain_get(call, words[1])
    raise Refused(f"No {words[0]} operation of LDom {domain.name} is in progress")
