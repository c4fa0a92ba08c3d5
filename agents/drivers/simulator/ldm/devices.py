"""list-devices: CPUs, crypto units, memory and buses; with -a also what is bound."""

from agents.drivers.simulator.call import Call, take_flags
from agents.drivers.simulator.editions import MIB
from agents.drivers.simulator.ldm import figures, rows, sections
from agents.drivers.simulator.ldm.refusal import Refused

_KINDS = {"cpu": "cpu", "mau": "crypto", "crypto": "crypto", "memory": "memory", "io": "io"}
_TOTAL_PER_CORE = 8 << 30


def list_devices(call: Call, words: list[str]) -> None:
    """`ldm list-devices [-a] [-p] [-S] [cpu] [crypto|mau] [memory] [io]`."""
    try:
        flags, names = take_flags(words, "apS")
    except ValueError as error:
        raise Refused(f"Invalid option -{error}") from error
    unknown = [name for name in names if name not in _KINDS]
    if unknown:
        raise Refused(f"Invalid device type {unknown[0]}")
    kinds = {_KINDS[name] for name in names} or {"cpu", "crypto", "memory", "io"}
    has_all = "a" in flags
    make = _PARSEABLE if "p" in flags else _TEXT
    found = [section(call, has_all) for kind, section in make if kind in kinds]
    if "p" in flags:
        lines = [line for section in found for line in section]
        call.say(f"VERSION {call.world.edition.ldm_protocol}", *lines)
        return
    call.say(*sections.joined(call, [section for section in found if section]))


def _free(call: Call, strand: int) -> int:
    return 0 if call.world.owner_of_strand(strand) else 100


def _core_free(call: Call, core: int) -> int:
    strands = call.world.edition.core_set(core)
    return sum(_free(call, strand) for strand in strands) // len(strands)


def _power(call: Call, strand: int) -> str:
    if _free(call, strand):
        return "---"
    return "NO" if call.world.edition.ldm < (1, 3) else "no"


def _core_numbers(call: Call, has_all: bool) -> list[int]:
    edition = call.world.edition
    if edition.ldm < (2, 0):
        return []
    return [c for c in range(edition.chips * edition.cores) if has_all or _core_free(call, c)]


def _strands(call: Call, has_all: bool) -> list[int]:
    return [s for s in range(call.world.edition.strands) if has_all or _free(call, s)]


def _units(call: Call, has_all: bool) -> list[int]:
    world = call.world
    return [u for u in world.edition.unit_ids() if has_all or not world.owner_of_unit(u)]


def _cores_text(call: Call, has_all: bool) -> list[str]:
    lines = []
    for core in _core_numbers(call, has_all):
        cpuset = figures.cpuset(call.world.edition.core_set(core))
        lines.append(f"    {core:<7} {_core_free(call, core):<7} {cpuset}")
    return ["CORE", "    ID      %FREE   CPUSET", *lines] if lines else []


def _vcpus_text(call: Call, has_all: bool) -> list[str]:
    is_old = call.world.edition.ldm < (2, 0)
    head = "    PID  %FREE     PM" if is_old else "    PID     %FREE   PM"
    lines = [f"    {s:<7} {_free(call, s):<7} {_power(call, s)}" for s in _strands(call, has_all)]
    return ["VCPU", head, *lines]


def _maus_text(call: Call, has_all: bool) -> list[str]:
    has_ids = call.world.edition.ldm >= (2, 0)
    head = "    ID      CPUSET" if has_ids else "    CPUSET"
    lines = []
    for unit in _units(call, has_all):
        lead = f"    {unit:<7} " if has_ids else "    "
        cpuset = figures.cpuset(call.world.edition.core_set(unit))
        owner = call.world.owner_of_unit(unit)
        padding = " " * max(1, 40 - len(cpuset)) if owner else ""
        lines += rows.wrapped(call, lead, call.world.edition.core_set(unit), f"{padding}{owner}")
    if not lines:
        return []
    bound = " " * 34 + "BOUND" if has_all else ""
    return [rows.section_name(call), f"{head}{bound}", *lines]


def _stretches(call: Call, has_all: bool) -> list[tuple[int, int, str]]:
    """Return (physical address, size, owner) of memory: firmware, domains, and what is left."""
    edition = call.world.edition
    total = edition.chips * edition.cores * _TOTAL_PER_CORE
    found = [
        (0, MIB // 2, "_sys_"),
        (MIB // 2, 3 * MIB // 2, "_sys_"),
        (2 * MIB, 126 * MIB, "_sys_"),
    ]
    place = 128 * MIB
    for domain in call.world.domains.values():
        if domain.is_bound:
            found.append((place, domain.memory, domain.name))
            place += domain.memory
    found.append((place, total - place, ""))
    return [stretch for stretch in found if has_all or not stretch[2]]


def _memory_text(call: Call, has_all: bool) -> list[str]:
    lines = []
    for place, number, owner in _stretches(call, has_all):
        lines.append(f"    {place:<#20x} {figures.size(number):<15} {owner}".rstrip())
    bound = "            BOUND" if has_all else ""
    return ["MEMORY", f"    PA                   SIZE{bound}", *lines]


def _io_text(call: Call, has_all: bool) -> list[str]:
    if not has_all:
        return []
    lines = [f"    {device:<16} {alias:<16} yes" for device, alias in call.world.edition.buses]
    return ["IO", "    DEVICE           PSEUDONYM        BOUND   OPTIONS", *lines]


def _cores_parseable(call: Call, has_all: bool) -> list[str]:
    lines = []
    for core in _core_numbers(call, has_all):
        strands = ",".join(map(str, call.world.edition.core_set(core)))
        lines.append(f"|cid={core}|free={_core_free(call, core)}|cpuset={strands}")
    return ["CORE", *lines] if lines else []


def _vcpus_parseable(call: Call, has_all: bool) -> list[str]:
    has_power = call.world.edition.ldm >= (1, 2)
    lines = []
    for strand in _strands(call, has_all):
        power = f"|pm={_power(call, strand).lower().replace('---', 'no')}" if has_power else ""
        lines.append(f"|pid={strand}|free={_free(call, strand)}{power}")
    return ["VCPU", *lines]


def _maus_parseable(call: Call, has_all: bool) -> list[str]:
    lines = []
    for unit in _units(call, has_all):
        owner = call.world.owner_of_unit(unit)
        is_absent = not owner and call.variant("ldm.mau_bound") == "absent"
        bound = "" if is_absent or not has_all else f"|bound={owner}"
        lines.append(f"{rows.mau_record(call, unit)}{bound}")
    return [rows.section_name(call), *lines] if lines else []


def _memory_parseable(call: Call, has_all: bool) -> list[str]:
    lines = []
    for place, number, owner in _stretches(call, has_all):
        bound = f"|bound={owner}" if has_all else ""
        lines.append(f"|pa={place:#x}|size={number}{bound}")
    return ["MEMORY", *lines]


def _io_parseable(call: Call, has_all: bool) -> list[str]:
    if not has_all:
        return []
    return ["IO", *(f"|dev={device}|alias={alias}" for device, alias in call.world.edition.buses)]


_TEXT = (
    ("cpu", _cores_text),
    ("cpu", _vcpus_text),
    ("crypto", _maus_text),
    ("memory", _memory_text),
    ("io", _io_text),
)
_PARSEABLE = (
    ("cpu", _cores_parseable),
    ("cpu", _vcpus_parseable),
    ("crypto", _maus_parseable),
    ("memory", _memory_parseable),
    ("io", _io_parseable),
)
