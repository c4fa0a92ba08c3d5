"""What ldm tells of a machine, for the inventory: the parseable forms, text where they are not."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from agents.changes.base import ChangeRefused
from agents.drivers.solaris import saved
from agents.drivers.solaris.kinds import ldm_read
from agents.drivers.solaris.kinds.ldm_read import SpconfigState
from agents.drivers.solaris.kinds.ldm_state import LdmState
from agents.drivers.solaris.kinds.ldm_view import state_of
from agents.drivers.solaris.look import Look
from agents.executors.process import CommandNotStarted
from agents.parsers.base import UnexpectedOutput
from agents.parsers.solaris.ldm import (
    parse_ldm_devices,
    parse_ldm_listing,
    parse_ldm_version,
)
from agents.parsers.solaris.ldm_facts import LdmDevices, LdmDomain, LdmListing

T = TypeVar("T", LdmListing, LdmDevices)


@dataclass(frozen=True, slots=True, kw_only=True)
class LdmFound:
    """A machine as its control domain sees it.

    `wanted`: units that each domain's constraints ask for. `is_unsaved`: whether domains changed
    since the last save; None: nobody can tell.
    """

    state: LdmState
    version_text: str
    listed: dict[str, LdmDomain]
    wanted: dict[str, int]
    spconfig: SpconfigState | None
    is_unsaved: bool | None


def look_through_ldm(look: Look, machine: str, state_dir: Path | None) -> LdmFound | None:
    """Return what ldm tells; None where there is no ldm or no answer of it, which is said."""
    program, version_said = _program(look)
    if not program:
        return None
    detail = _either(look, [program, "list", "-l", "-p"], parse_ldm_listing)
    bindings = _either(look, [program, "list-bindings", "-p"], parse_ldm_listing) or detail
    if bindings is None:
        return None
    for notice in bindings.notices:
        if notice.kind in ldm_read.FAILURES:
            look.unreadable([program, "list-bindings"], f"ldm says: {notice.text[:400]}")
    devices = _either(look, [program, "list-devices", "-a", "-p"], parse_ldm_devices)
    constraints = _either(look, [program, "list-constraints", "-p"], parse_ldm_listing)
    said = look.understood([program, "-V"], version_said, parse_ldm_version)
    version = said.manager if said else ldm_read.version_by_protocol(bindings.version or (0, 0))
    spconfig = _spconfig(look, program, version)
    asked = constraints or bindings
    return LdmFound(
        state=state_of(program, version, bindings, devices or LdmDevices()),
        version_text=said.text if said else "",
        listed={domain.name: _merged(domain, detail) for domain in bindings.domains},
        wanted={domain.name: domain.unit_count or 0 for domain in asked.domains},
        spconfig=spconfig,
        is_unsaved=_is_unsaved(spconfig, asked, machine, state_dir),
    )


def _program(look: Look) -> tuple[str, str]:
    """Return where ldm lies and what it says of its version; empty where it does not."""
    reasons = []
    for program in ldm_read.PROGRAMS:
        try:
            return program, look.tools.run([program, "-V"]).stdout
        except CommandNotStarted as error:
            reasons.append(f"{program} could not be started: {error.reason}.")
    look.blind(
        f"This is no control domain: {reasons[0]} Other domains and their units do not show."
    )
    return "", ""


def _either(look: Look, argv: list[str], parser: Callable[[str], T]) -> T | None:
    """Return the parseable form; the text form where that one is not known or less understood."""
    found = _quietly(look, argv, parser)
    if found is not None and not found.unread:
        return found
    plain = [word for word in argv if word != "-p"]
    text = _quietly(look, plain, parser)
    if text is not None and (found is None or len(text.unread) < len(found.unread)):
        argv = plain
    # Once more, to say what could not be read.
    return look.read(argv, parser)


def _quietly(look: Look, argv: list[str], parser: Callable[[str], T]) -> T | None:
    try:
        result = look.tools.run(argv)
        return parser(result.stdout) if result.is_ok else None
    except (CommandNotStarted, UnexpectedOutput):
        return None


def _spconfig(look: Look, program: str, version: tuple[int, int]) -> SpconfigState | None:
    try:
        return ldm_read.spconfig_of(look.tools, program, version)
    except ChangeRefused as error:
        argv = [program, ldm_read.spconfig_command(version, "list")]
        look.unreadable(argv, error.refusal.message)
        return None


def _merged(domain: LdmDomain, detail: LdmListing | None) -> LdmDomain:
    """Only `list -l` tells the guest's own state: take that domain where it is there."""
    longer = detail.domains if detail else ()
    return next((one for one in longer if one.name == domain.name), domain)


def _is_unsaved(
    spconfig: SpconfigState | None, asked: LdmListing, machine: str, state_dir: Path | None
) -> bool | None:
    if spconfig is None:
        return None
    looks = saved.looks_of(
        [(d.name, d.vcpu_count or 0, d.memory_bytes, d.unit_count) for d in asked.domains]
    )
    current = f"{machine}/{spconfig.current}"
    return saved.is_unsaved(state_dir, list(spconfig.names), current, looks)
