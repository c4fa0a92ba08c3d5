"""uname: the control domain's Solaris."""

from agents.drivers.simulator.call import Call

_ORDER = "snrvmpi"


def run(call: Call) -> int:
    """`uname [-aimnprsvX]`; return the exit code."""
    edition = call.world.edition
    values = {
        "s": "SunOS",
        "n": hostname(call),
        "r": edition.release,
        "v": edition.kernel,
        "m": "sun4v",
        "p": "sparc",
        "i": edition.platform,
    }
    flags = "".join(word[1:] for word in call.arguments if word.startswith("-"))
    wanted = _ORDER if "a" in flags else flags or "s"
    if any(letter not in values for letter in wanted):
        call.complain("usage:  uname [-snrvmapiX]", "        uname [-S system_name]")
        return 1
    call.say(" ".join(values[letter] for letter in _ORDER if letter in wanted))
    return 0


def hostname(call: Call) -> str:
    """Return the simulated host's name; it says what it is."""
    return f"{call.world.edition.name}-sim"
