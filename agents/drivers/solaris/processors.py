"""Processors and the operating system, as psrinfo, isainfo and uname tell them."""

import re
from dataclasses import dataclass

from agents.drivers.solaris.look import Look
from agents.parsers.solaris.processors import (
    InstructionSets,
    Processors,
    Uname,
    parse_isainfo,
    parse_psrinfo,
    parse_uname,
)
from agents.wire.inventory import Attribute

_MEMORY = re.compile(r"^Memory size: (\d{1,12}) Megabytes", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the host is, in what this domain sees of it. `words`: its instruction sets' words."""

    node: str = ""
    system: str = ""
    release: str = ""
    kernel: str = ""
    architecture: str = ""
    model: str = ""
    platform: str = "solaris"
    chip: str = ""
    clock_mhz: int | None = None
    sockets: int | None = None
    cores: int | None = None
    strands: int = 0
    words: tuple[str, ...] = ()


def look_at_processors(look: Look) -> Machine:
    """Return what uname, psrinfo and isainfo tell; what they do not stays empty."""
    named = look.read(["/usr/bin/uname", "-a"], parse_uname) or Uname()
    found = look.read(["/usr/sbin/psrinfo", "-pv"], parse_psrinfo) or Processors()
    sets = look.read(["/usr/bin/isainfo", "-v"], parse_isainfo) or InstructionSets(sets=())
    first = next((socket for socket in found.sockets if socket.model), None)
    cores = [socket.core_count or len(socket.cores) for socket in found.sockets]
    return Machine(
        node=named.node,
        system=named.system,
        release=named.release,
        kernel=named.version,
        architecture=named.processor,
        model=named.platform,
        platform=_platform(look),
        chip=first.model if first else "",
        clock_mhz=first.clock_mhz if first else None,
        sockets=len(found.sockets) or None,
        cores=sum(cores) if cores and all(cores) else None,
        strands=sum(len(socket.strands) for socket in found.sockets),
        words=tuple(dict.fromkeys(word for one in sets.sets for word in one.words)),
    )


def _platform(look: Look) -> str:
    """illumos' uname tells itself with -o; Solaris' knows no such option."""
    return "illumos" if look.said(["/usr/bin/uname", "-o"]).lower() == "illumos" else "solaris"


def processor_settings(machine: Machine) -> dict[str, Attribute]:
    """Return sockets, cores and strands that this domain has; what is not told is left out."""
    found: dict[str, Attribute] = {
        "platform": machine.model or None,
        "cpu.sockets": machine.sockets,
        "cpu.cores": machine.cores,
        "cpu.strands": machine.strands or None,
        "cpu.clock_mhz": machine.clock_mhz,
    }
    return {name: value for name, value in found.items() if value is not None}


def memory_bytes(look: Look) -> int:
    """Return the memory of this domain as prtconf tells it, 0 where it does not."""
    said = _MEMORY.search(look.said(["/usr/sbin/prtconf"])[:4000])
    return int(said[1]) << 20 if said else 0
