"""`/proc/cpuinfo` of x86, Arm and IBM Z.

Sources: x86 cpu/proc.c, arm64 cpuinfo.c and s390 processor.c of the kernel.
"""

import re
from dataclasses import dataclass

from agents.parsers.base import UnexpectedOutput

_FEATURE_KEYS = {"flags": "x86", "Features": "arm", "features": "s390x"}
_S390_PROCESSOR = re.compile(r"^processor (\d+)\s*: .*\bmachine = (\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuInfo:
    """What the kernel says of the processors.

    `features` are those that every processor has, `partial` those that only some have; both sorted.
    `facilities` are the s390x facility numbers (z/Architecture, STFLE), empty on older kernels.
    """

    family: str
    """`x86`, `arm`, `s390x`, or empty where no line of features tells."""
    cpu_count: int
    model: str = ""
    implementer: int | None = None
    part: int | None = None
    machine: str = ""
    """s390x machine type, e.g. `3931`."""
    features: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    facilities: tuple[int, ...] = ()


def parse_cpuinfo(text: str) -> CpuInfo:
    """Parse it. x86 and Arm repeat everything per processor, s390x says it once.

    Lines that are no `key : value` are passed over; raises UnexpectedOutput where nothing else is.
    """
    values: dict[str, list[str]] = {}
    machine = ""
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        if colon:
            values.setdefault(key.strip(), []).append(value.strip())
        if match := _S390_PROCESSOR.match(line):
            machine = machine or match[2]
    if not values:
        raise UnexpectedOutput(1, text.split("\n", 1)[0])
    family, sets = _features(values)
    common = set.intersection(*sets) if sets else set()
    union = set.union(*sets) if sets else set()
    return CpuInfo(
        family=family,
        cpu_count=_cpu_count(values),
        model=_first(values, "model name", "Model", "cpu model", "cpu"),
        implementer=_hex(_first(values, "CPU implementer")),
        part=_hex(_first(values, "CPU part")),
        machine=machine or _first(values, "machine"),
        features=tuple(sorted(common)),
        partial=tuple(sorted(union - common)),
        facilities=_facilities(values),
    )


def _features(values: dict[str, list[str]]) -> tuple[str, list[set[str]]]:
    for key, family in _FEATURE_KEYS.items():
        if key in values:
            return family, [set(line.split()) for line in values[key]]
    return "", []


def _cpu_count(values: dict[str, list[str]]) -> int:
    announced = _first(values, "# processors")
    if announced.isascii() and announced.isdigit() and len(announced) < 7:
        return int(announced)
    return len(values.get("processor", []))


def _facilities(values: dict[str, list[str]]) -> tuple[int, ...]:
    words = _first(values, "facilities").split()
    numbers = {int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 6}
    return tuple(sorted(numbers))


def _first(values: dict[str, list[str]], *keys: str) -> str:
    for key in keys:
        if values.get(key):
            return values[key][0]
    return ""


def _hex(text: str) -> int | None:
    try:
        return int(text, 16) if text and len(text) < 12 else None
    except ValueError:
        return None
