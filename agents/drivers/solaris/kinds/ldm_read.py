"""Reads a control domain through ldm for the planners: two commands, three with old versions."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from agents.changes.base import ChangeRefused, Reader
from agents.drivers.solaris.kinds.commands import ProgramMissing, can_start, parsed
from agents.drivers.solaris.kinds.ldm_state import LdmState, Version
from agents.drivers.solaris.kinds.ldm_view import state_of
from agents.parsers.base import UnexpectedOutput
from agents.parsers.solaris.ldm import (
    parse_ldm_devices,
    parse_ldm_listing,
    parse_ldm_spconfigs,
    parse_ldm_version,
)
from agents.parsers.solaris.ldm_facts import LdmListing, NoticeKind

T = TypeVar("T")

PROGRAMS = ("/opt/SUNWldm/bin/ldm", "/usr/sbin/ldm")
_AMBIGUOUS = (1, 0)
"""LDoms 1.0, 1.1 and 1.2 all call their parseable output 1.0: only `ldm -V` tells them apart."""
_BY_PROTOCOL: tuple[tuple[Version, Version], ...] = (((1, 7), (3, 0)), ((1, 5), (2, 0)))
"""From which version of the output on which version of ldm: 1.4 is 1.3, 1.6 is 2.x, 1.11 3.x."""
FAILURES = (NoticeKind.FAILED, NoticeKind.NO_MANAGER, NoticeKind.NOT_AUTHORISED)
"""Notices that say that an answer is none."""
_NO_SUCH_OPTION = re.compile(r"(invalid|unknown|illegal|unrecognized) option|usage", re.IGNORECASE)


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
    program, bindings = asked(reader, ["list-bindings", "-p"], bound_domains)
    devices = parsed_either(reader, [program, "list-devices", "-a", "-p"], parse_ldm_devices)
    version = manager_version(reader, program, bindings.version)
    return state_of(program, version, bindings, devices)


def read_spconfig(reader: Reader) -> SpconfigState:
    """Read the names of the saved configurations. Raises ChangeRefused."""
    program, version = asked(reader, ["-V"], _manager)
    return spconfig_of(reader, program, version)


def spconfig_of(reader: Reader, program: str, version: Version) -> SpconfigState:
    """Read the names of the saved configurations of a known ldm. Raises ChangeRefused."""
    argv = [program, spconfig_command(version, "list")]
    found = parsed(reader, argv, parse_ldm_spconfigs)
    return SpconfigState(
        program=program,
        version=version,
        names=found.names,
        current=found.current,
        newest=found.next_poweron or found.current,
    )


def spconfig_command(version: Version, verb: str) -> str:
    """Return `list-spconfig` and the like; LDoms 1.0 and 1.1 call it `-config`."""
    return f"{verb}-config" if version < (1, 2) else f"{verb}-spconfig"


def asked(reader: Reader, words: list[str], parser: Callable[[str], T]) -> tuple[str, T]:
    """Return where ldm lies, and its answer. Raises ChangeRefused."""
    first, second = PROGRAMS
    try:
        return first, parsed_either(reader, [first, *words], parser)
    except ProgramMissing:
        return second, parsed_either(reader, [second, *words], parser)


def parsed_either(reader: Reader, argv: list[str], parser: Callable[[str], T]) -> T:
    """Return an answer in the parseable form, or in text where this ldm knows no `-p` for it."""
    try:
        return parsed(reader, argv, parser)
    except ChangeRefused as error:
        if "-p" not in argv or not _NO_SUCH_OPTION.search(error.refusal.message):
            raise
        return parsed(reader, [word for word in argv if word != "-p"], parser)


def bound_domains(text: str) -> LdmListing:
    """Parse `ldm list-bindings`, and take it for planning only where it is whole.

    A domain without a name or a state, one that lists fewer virtual CPUs than it has, or a refusal
    among the lines is nothing to plan with. Raises UnexpectedOutput.
    """
    found = parse_ldm_listing(text)
    for notice in found.notices:
        if notice.kind in FAILURES:
            raise UnexpectedOutput(notice.line_no, notice.text)
    for domain in found.domains:
        shown = len(domain.vcpus)
        is_cut = shown and not domain.flags.is_delayed and shown != domain.vcpu_count
        if not domain.name or not domain.state or is_cut:
            said = f"domain {domain.name!r}, {domain.state!r}, {shown} of {domain.vcpu_count} CPUs"
            raise UnexpectedOutput(domain.line_no, said)
    return found


def _manager(text: str) -> Version:
    """The manager's version alone: what else `ldm -V` says of the firmware is not relied on."""
    return parse_ldm_version(text).manager


def manager_version(reader: Reader, program: str, protocol: Version | None) -> Version:
    """Return the version of ldm, by what it calls its output where that is enough."""
    if protocol is None or protocol <= _AMBIGUOUS:
        return parsed(reader, [program, "-V"], _manager)
    return version_by_protocol(protocol)


def version_by_protocol(protocol: Version) -> Version:
    """Return at least which version of ldm writes its parseable output so."""
    if protocol <= _AMBIGUOUS:
        return _AMBIGUOUS
    return next((ldm for first, ldm in _BY_PROTOCOL if protocol >= first), (1, 3))
