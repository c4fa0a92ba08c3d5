"""Delayed reconfiguration: when it starts, what it collects, and what the reboot makes of it."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.ldm import notices
from agents.drivers.simulator.world import Domain, World, now


def is_delayed(call: Call, domain: Domain) -> bool:
    """Return whether a change of a running domain's units starts a delayed reconfiguration."""
    mode = call.world.edition.mau_mode
    if mode == "delayed":
        return True
    if mode == "control":
        return domain.is_control
    # 1.3 starts it by itself for a control domain that does not take it dynamically.
    return domain.is_control and not domain.has_drd and call.world.edition.ldm < (2, 0)


def pend(call: Call, domain: Domain, **wanted: int) -> None:
    """Collect a change for the reboot; start the delayed reconfiguration where none stands."""
    if domain.pending is None:
        notices.initiating(call, domain)
        domain.pending = {}
    else:
        notices.in_process(call, domain)
    domain.pending = {**domain.pending, **wanted}


def reboot(world: World, domain: Domain) -> None:
    """Boot a running domain anew: what was pending takes effect."""
    wanted, domain.pending = domain.pending or {}, None
    domain.memory = wanted.get("memory", domain.memory)
    if "units" in wanted and wanted["units"] < domain.units:
        _give_units(world, domain, wanted["units"])
    if "vcpu" in wanted:
        _give_vcpus(world, domain, wanted["vcpu"])
    if "units" in wanted:
        _give_units(world, domain, wanted["units"])
    domain.booted_at = now()


def _give_units(world: World, domain: Domain, number: int) -> None:
    held = [unit for unit in domain.maus if world.can_hold(domain, unit)][:number]
    free = [
        unit
        for unit in world.edition.unit_ids()
        if not world.owner_of_unit(unit) and world.can_hold(domain, unit)
    ]
    domain.maus = held + free[: number - len(held)]
    domain.units = number


def _give_vcpus(world: World, domain: Domain, number: int) -> None:
    strands = domain.strands[:number]
    domain.strands = strands
    free = [s for s in range(world.edition.strands) if not world.owner_of_strand(s)]
    domain.strands = strands + free[: number - len(strands)]
    domain.maus = [unit for unit in domain.maus if world.can_hold(domain, unit)]
    domain.vcpu = number
