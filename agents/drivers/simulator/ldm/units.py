"""set-crypto, add-crypto and remove-crypto (set-mau …): cores own units, domains borrow them."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.ldm.delayed import is_delayed, pend
from agents.drivers.simulator.ldm.refusal import Refused, number_and_domain
from agents.drivers.simulator.world import Domain

_NO_UNITS = {
    "unsupported": ("Crypto units are not supported on this platform",),
    "none_free": ("Not enough free crypto units", "Resource modification failed"),
    "unknown": ("Unknown command; use --help option to see usage",),
}


def set_units(call: Call, words: list[str]) -> None:
    """`ldm set-crypto [-f] number ldom`."""
    number, domain, _ = number_and_domain(call, words, "f")
    _change(call, domain, number)


def add_units(call: Call, words: list[str]) -> None:
    """`ldm add-crypto number ldom`."""
    number, domain, _ = number_and_domain(call, words)
    _change(call, domain, domain.wants()["units"] + number)


def remove_units(call: Call, words: list[str]) -> None:
    """`ldm remove-crypto [-f] number ldom`."""
    number, domain, _ = number_and_domain(call, words, "f")
    has = domain.wants()["units"]
    if number > has:
        raise Refused(
            f"The {domain.name} domain has {has} crypto unit(s); cannot remove {number}",
            "Resource modification failed",
        )
    _change(call, domain, has - number)


def _change(call: Call, domain: Domain, number: int) -> None:
    if not call.world.edition.has_units:
        raise Refused(*_NO_UNITS[call.variant("ldm.t4_units")])
    if domain.pending is not None:
        _check_reachable(call, domain, number, domain.pending.get("vcpu", domain.vcpu))
        pend(call, domain, units=number)
    elif domain.state == "inactive":
        domain.units = number
    elif not domain.is_active:
        bind_units(call, domain, number)
    elif number != domain.units and is_delayed(call, domain):
        _check_reachable(call, domain, number, domain.vcpu)
        pend(call, domain, units=number)
    elif number != domain.units:
        _check_dynamic(call, domain)
        bind_units(call, domain, _half_way(call, domain, number))


def _half_way(call: Call, domain: Domain, number: int) -> int:
    """Return where a change stops that a fault breaks off: one unit on its way."""
    if not call.is_half or abs(number - domain.units) < 1:
        return number
    return domain.units + (1 if number > domain.units else -1)


def _check_dynamic(call: Call, domain: Domain) -> None:
    mode = call.world.edition.mau_mode
    if mode == "control" or (mode == "dynamic" and not domain.has_drd):
        raise Refused(
            f"The {domain.name} domain does not support the dynamic reconfiguration of",
            "cryptographic units; stop the domain first",
            "Resource modification failed",
        )


def _check_reachable(call: Call, domain: Domain, number: int, vcpu: int) -> None:
    """Refuse more units than the cores of the domain and of nobody else can give."""
    reachable = [unit for unit in call.world.edition.unit_ids() if _could_hold(call, domain, unit)]
    if number > max(len(reachable), 0) or number > vcpu:
        raise _too_few(domain, number, len(reachable))


def _could_hold(call: Call, domain: Domain, unit: int) -> bool:
    owner = call.world.owner_of_unit(unit)
    return owner in ("", domain.name) and call.world.can_hold(domain, unit)


def _too_few(domain: Domain, number: int, reachable: int) -> Refused:
    return Refused(
        f"Only {reachable} crypto unit(s) can be bound to the {domain.name} domain: a crypto",
        "unit is bound to a domain that has virtual CPUs on the unit's core",
        f"Unable to set {number} crypto unit(s)",
        "Resource modification failed",
    )


def bind_units(call: Call, domain: Domain, number: int) -> None:
    """Give a bound domain that many units. Raises Refused where its cores do not have them."""
    held = list(domain.maus)
    if call.variant("ldm.unit_pick") == "first":
        held.reverse()
    kept = held[:number]
    reachable = [unit for unit in call.world.edition.unit_ids() if _could_hold(call, domain, unit)]
    free = [unit for unit in reachable if unit not in held]
    wanted = kept + free[: max(0, number - len(kept))]
    if len(wanted) < number:
        raise _too_few(domain, number, len(reachable))
    domain.maus = wanted
    domain.units = number
