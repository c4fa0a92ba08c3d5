"""Reads a control domain through ldm for the planners: two commands, three with old versions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from agents.changes.base import Reader
from agents.drivers.solaris import parts
from agents.drivers.solaris.kinds.commands import ProgramMissing, can_start, parsed
from agents.drivers.solaris.kinds.ldm_rows import (
    Bindings,
    Devices,
    parse_bindings,
    parse_devices,
    parse_spconfigs,
    parse_version,
)
from agents.drivers.solaris.kinds.ldm_state import LdmState, Unit, Version

T = TypeVar("T")

PROGRAMS = ("/opt/SUNWldm/bin/ldm", "/usr/sbin/ldm")
_AMBIGUOUS = (1, 0)
"""LDoms 1.0, 1.1 and 1.2 all call their parseable output 1.0: only `ldm -V` tells them apart."""
_BY_PROTOCOL: tuple[tuple[Version, Version], ...] = (((1, 7), (3, 0)), ((1, 5), (2, 0)))
"""From which version of the output on which version of ldm: 1.4 is 1.3, 1.6 is 2.x, 1.11 3.x."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpconfigState:
    """The configurations on the service processor. `newest`: what the next power-on loads."""

    program: str
    version: Version
    names: tuple[str, ...]
    current: str
    newest: str


def why_not(reader: Reader) -> str:
    """Return why there is no ldm to work with, empty where there is."""
    reasons = [can_start(reader, [program, "-V"]) for program in PROGRAMS]
    return "" if "" in reasons else f"This is no control domain: {reasons[0]}"


def read_units(reader: Reader) -> LdmState:
    """Read domains, their strands and all units. Raises ChangeRefused."""
    program, bindings = _asked(reader, ["list-bindings", "-p"], parse_bindings)
    devices = parsed(reader, [program, "list-devices", "-a", "-p"], parse_devices)
    held = {strand for domain in bindings.domains.values() for strand in domain.strands}
    return LdmState(
        program=program,
        version=_version(reader, program, bindings.protocol),
        domains=bindings.domains,
        units=tuple(_units(bindings, devices)),
        free_strands=frozenset(devices.strands - held),
    )


def read_spconfig(reader: Reader) -> SpconfigState:
    """Read the names of the saved configurations. Raises ChangeRefused."""
    program, version = _asked(reader, ["-V"], parse_version)
    found = parsed(reader, [program, spconfig_command(version, "list")], parse_spconfigs)
    return SpconfigState(
        program=program,
        version=version,
        names=found.names,
        current=found.current,
        newest=found.next_poweron,
    )


def spconfig_command(version: Version, verb: str) -> str:
    """Return `list-spconfig` and the like; LDoms 1.0 and 1.1 call it `-config`."""
    return f"{verb}-config" if version < (1, 2) else f"{verb}-spconfig"


def _asked(reader: Reader, words: list[str], parser: Callable[[str], T]) -> tuple[str, T]:
    """Return where ldm lies, and its answer."""
    first, second = PROGRAMS
    try:
        return first, parsed(reader, [first, *words], parser)
    except ProgramMissing:
        return second, parsed(reader, [second, *words], parser)


def _version(reader: Reader, program: str, protocol: Version) -> Version:
    if protocol <= _AMBIGUOUS:
        return parsed(reader, [program, "-V"], parse_version)
    return next((ldm for first, ldm in _BY_PROTOCOL if protocol >= first), (1, 3))


def _units(bindings: Bindings, devices: Devices) -> list[Unit]:
    """All units by their strands: those that list-devices names, and any that is only bound."""
    cpusets = sorted({*devices.units, *bindings.owners})
    return [
        Unit(
            key=parts.unit_key(cpuset),
            core=devices.cores.get(cpuset[0], cpuset[0] // len(cpuset)),
            cpuset=cpuset,
            owner=bindings.owners.get(cpuset, ""),
        )
        for cpuset in cpusets
    ]
