"""Figures as ldm writes them: sizes, uptimes, loads, sets of CPUs, flags."""

from agents.drivers.simulator.editions import GIB, MIB
from agents.drivers.simulator.world import Domain, now


def size(number: int) -> str:
    """Return bytes as `8G`, `3872M` or `512K`."""
    for factor, letter in ((GIB, "G"), (MIB, "M"), (1 << 10, "K")):
        if number % factor == 0 and number >= factor:
            return f"{number // factor}{letter}"
    return str(number)


def uptime_seconds(domain: Domain) -> int:
    """Return for how long a domain has been running."""
    return max(0, int(now() - domain.booted_at))


def uptime(domain: Domain) -> str:
    """Return `22h 16m`, `7d 19h 43m`, `5m`."""
    minutes = uptime_seconds(domain) // 60
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    words = [f"{days}d"] if days else []
    words += [f"{hours}h"] if hours or days else []
    return " ".join([*words, f"{minutes}m"])


def load(domain: Domain, strand: int | None = None) -> float:
    """Return the utilisation in percent of a strand, or of the domain: small, and it moves."""
    strands = domain.strands if strand is None else [strand]
    minute = int(now() // 60)
    figures = [((s * 7919 + minute * 104729) % 13) / 10 for s in strands]
    return round(sum(figures) / max(len(figures), 1), 1)


def cpuset(strands: list[int]) -> str:
    """Return `(0, 1, 2, 3)`."""
    return f"({', '.join(map(str, strands))})"


def flags(domain: Domain) -> str:
    """Return the six letters of FLAGS."""
    if not domain.is_active:
        return "------"
    third = "d" if domain.pending is not None else "-"
    return f"-n{third}{'c' if domain.is_control else '-'}{_service(domain)}-"


def flag_words(domain: Domain) -> str:
    """Return the flags as `list -l -p` has them."""
    words = ["normal"] if domain.is_active else []
    words += ["delayed"] if domain.pending is not None else []
    words += ["control"] if domain.is_control else []
    words += ["vio-service"] if _service(domain) == "v" else []
    return ",".join(words)


def _service(domain: Domain) -> str:
    return "v" if domain.is_control or domain.is_service else "-"
