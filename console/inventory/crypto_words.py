"""Sentences about how much of a host's crypto work its hardware does."""

from datetime import datetime
from typing import Any

ONE_READING = (
    "The counters were read once so far; the second reading comes with the next scan, "
    "and two make a rate."
)
BEGAN_ANEW = (
    "The counters began anew between the two readings (a reboot, or units that came or went); "
    "the next scan gives a rate."
)
NO_COUNTERS = "This host tells no counters of crypto hardware."
NOT_READ = "No counters of this host have arrived yet: they come with the agent's next scan."
_INSTRUCTIONS = (
    " Its crypto hardware is instructions of the CPU, which count nothing: programs and software "
    "providers use them without asking. A job measures what they are worth."
)
FULL_SHARE = 0.01
"""From which share of operations on full queues are worth a warning."""
_SIMULATED = " These are figures of a simulated host."


def sentence(found: dict[str, Any], owner: str) -> str:
    """Return the answer in words; `found` is what crypto_use_of found, `owner` has the units."""
    if found["answer"] == "unknown":
        return str(found["why_unknown"])
    when = _when(found["seconds"], found["until"])
    said = _SENTENCES[found["answer"]](found, f"The crypto units of {owner}", when)
    return said + (_SIMULATED if found["is_simulated"] else "")


def warnings(units: list[dict[str, Any]]) -> list[str]:
    """Return what else the counters say of units: full queues, failures, units off line."""
    found = []
    for provider in dict.fromkeys(unit["provider"] for unit in units):
        of_it = [unit for unit in units if unit["provider"] == provider]
        full, done = _total(of_it, "queue_full_per_second"), _total(of_it, "per_second")
        if full > FULL_SHARE * done:
            found.append(
                f"Queues of {provider} were full {number(full)} times per second: requests waited, "
                "or went to software."
            )
        if failed := _total(of_it, "failures_per_second"):
            found.append(f"{provider} failed {number(failed)} times per second.")
    off = [unit["unit"] for unit in units if unit["is_online"] is False]
    return found + ([f"Not online by their driver: {', '.join(off)}."] if off else [])


def _total(rows: list[dict[str, Any]], name: str) -> float:
    return float(sum(row[name] or 0.0 for row in rows))


def no_counters(kinds: set[str], *, is_read: bool) -> str:
    """Return why hardware of these kinds cannot be asked; `is_read`: counters were looked for."""
    if kinds and kinds <= {"cpu_instructions", "hardware_rng", "tpm"}:
        return NO_COUNTERS + (_INSTRUCTIONS if "cpu_instructions" in kinds else "")
    return NO_COUNTERS if is_read else NOT_READ


def stale(until: datetime) -> str:
    """Return that the last reading is too old to speak of now."""
    return (
        f"The counters were last read at {until:%Y-%m-%d %H:%M} UTC, too long ago to speak of now."
    )


def _yes(found: dict[str, Any], whose: str, when: str) -> str:
    rate = number(found["hardware_per_second"])
    said = f"{whose} did {rate} {_counted(found)} per second {when}{_by_whom(found['units'])}"
    beside = found["software_per_second"] or 0.0
    return f"{said}; software did {number(beside)} beside." if beside else f"{said}."


def _partly(found: dict[str, Any], whose: str, when: str) -> str:
    rate, beside = number(found["hardware_per_second"]), number(found["software_per_second"])
    return (
        f"{whose} did {rate} {_counted(found)} per second {when}, and software did {beside}"
        f"{_mostly(found['software'])}: most of the work is not accelerated."
    )


def _no(found: dict[str, Any], whose: str, when: str) -> str:
    rate = number(found["software_per_second"])
    return (
        f"{whose} did nothing {when}; software did {rate} per second{_mostly(found['software'])}."
    )


def _idle(found: dict[str, Any], whose: str, when: str) -> str:
    also = ", and nothing was counted in software either" if found["software"] else ""
    return f"{whose} were idle {when}{also}."


_SENTENCES = {"yes": _yes, "partly": _partly, "no": _no, "idle": _idle}


def _by_whom(units: list[dict[str, Any]]) -> str:
    """`, all by n2cp/0; ncp/0 was idle`."""
    rates: dict[str, float] = {}
    for unit in units:
        if unit["is_acceleration"]:
            rates[unit["provider"]] = rates.get(unit["provider"], 0.0) + (unit["per_second"] or 0.0)
    busy = sorted((name for name, rate in rates.items() if rate), key=lambda name: -rates[name])
    idle = sorted(name for name, rate in rates.items() if not rate)
    if len(busy) == 1:
        said = f", all by {busy[0]}"
    else:
        said = ", " + ", ".join(f"{number(rates[name])} by {name}" for name in busy[:4])
    if not idle or len(idle) > 4:
        return said + (f"; {len(idle)} others were idle" if idle else "")
    return f"{said}; {' and '.join(idle)} {'was' if len(idle) == 1 else 'were'} idle"


def _mostly(rows: list[dict[str, Any]]) -> str:
    most = max(rows, key=lambda row: row["per_second"] or 0.0, default=None)
    if most is None or not most["per_second"]:
        return ""
    whole = most["share"] is not None and most["share"] > 0.999
    return f" ({'all' if whole else 'most'} by {most['provider']})"


def _counted(found: dict[str, Any]) -> str:
    """What is counted, where all units count alike; else the general word."""
    kinds = {u["counts"] for u in found["units"] if u["is_acceleration"] and u["per_second"]}
    return kinds.pop() if len(kinds) == 1 else "operations"


def _when(seconds: float, until: datetime) -> str:
    minutes = round(seconds / 60)
    long = f"{round(seconds)} seconds" if seconds < 120 else f"{minutes} minutes"
    return f"in the {long} to {until:%H:%M} UTC"


def number(value: float) -> str:
    """Return a rate as people read it: thousands apart, one decimal below ten."""
    if value and value < 0.1:
        return "fewer than 0.1"
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")
