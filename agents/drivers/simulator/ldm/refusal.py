"""How ldm says no, and how it finds the domain and the number that it is given."""

from agents.drivers.simulator.call import Call, take_flags
from agents.drivers.simulator.world import Domain


class Refused(Exception):
    """ldm does not do it. `lines` go to stderr; `code` 0: the usual exit code."""

    def __init__(self, *lines: str, code: int = 0) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
        self.code = code


def domain_get(call: Call, name: str) -> Domain:
    """Return a domain by name. Raises Refused."""
    domain = call.world.domains.get(name)
    if domain is None:
        raise Refused(f"LDom {name} not found" if name else "No LDom specified")
    return domain


def number_and_domain(call: Call, words: list[str], flags: str = "") -> tuple[int, Domain, bool]:
    """Return (number, domain, forced) of `[-f] <number> <ldom>`. Raises Refused."""
    try:
        given, rest = take_flags(words, flags)
    except ValueError as error:
        raise Refused(f"Invalid option -{error}") from error
    if len(rest) != 2:
        raise Refused("Invalid number of arguments; use --help option to see usage")
    number, name = rest
    if not number.isdigit():
        raise Refused(f"Invalid number {number!r}: a non-negative integer is required")
    return int(number), domain_get(call, name), "f" in given


def only_domain(call: Call, words: list[str], flags: str = "") -> Domain:
    """Return the domain of `[-f] <ldom>`. Raises Refused."""
    try:
        _, rest = take_flags(words, flags)
    except ValueError as error:
        raise Refused(f"Invalid option -{error}") from error
    if len(rest) != 1:
        raise Refused("Invalid number of arguments; use --help option to see usage")
    return domain_get(call, rest[0])
