"""What a plan of `unit.assign` says to a person: its sentence, consequences, warnings and risk."""

from agents.drivers.solaris.kinds.ldm_state import ACTIVE, LdmState, UnitMode
from agents.drivers.solaris.kinds.unit_phases import Move, stalled_guests, wait_text
from agents.wire.changes import Consequence, ConsequenceKind, Risk

_WAITING = (UnitMode.DELAYED, UnitMode.STARTED_DELAYED)


def sentence(units: list[Move], vcpus: list[Move]) -> str:
    """Return the plan in a line: `Move 1 crypto unit from primary to ldg1.`"""
    if not units and not vcpus:
        return "Nothing to do: every domain has what is asked for."
    givers = [m for m in units if m.after < m.before]
    takers = [m for m in units if m.after > m.before]
    if len(givers) == len(takers) == 1 and not vcpus:
        giver, taker = givers[0], takers[0]
        number = giver.before - giver.after
        if number == taker.after - taker.before:
            return f"Move {_units(number)} from {giver.domain.name} to {taker.domain.name}."
    words = [f"{m.domain.name} {m.before} → {m.after}" for m in units]
    clauses = [f"Crypto units: {', '.join(words)}."] if words else []
    words = [f"{m.domain.name} {m.before} → {m.after}" for m in vcpus]
    clauses += [f"Virtual CPUs: {', '.join(words)}."] if words else []
    return " ".join(clauses)


def consequences(state: LdmState, units: list[Move], vcpus: list[Move]) -> list[Consequence]:
    """Return what the plan does besides: reboots, what they stall, restarts, what is not saved."""
    found: list[Consequence] = []
    stalled: dict[str, str] = {}
    for move in units:
        name = move.domain.name
        if move.mode in _WAITING:
            text = wait_text(state, move.domain)
            found.append(Consequence(kind=ConsequenceKind.REBOOT.value, subject=name, text=text))
            stalled |= dict.fromkeys(stalled_guests(state.domains, move.domain), name)
        elif move.mode is UnitMode.STOPPED:
            found.append(_restart(name))
    found += [_stall(guest, name) for guest, name in stalled.items()]
    if units or vcpus:
        found.append(_unsaved())
    return found


def _restart(name: str) -> Consequence:
    return Consequence(
        kind=ConsequenceKind.DOMAIN_RESTART.value,
        subject=name,
        text=f"{name} is stopped and started again: all that runs in it ends.",
    )


def _stall(guest: str, rebooted: str) -> Consequence:
    return Consequence(
        kind=ConsequenceKind.OUTAGE.value,
        subject=guest,
        text=f"Virtual disks and networks of {guest} wait while {rebooted} reboots.",
    )


def _unsaved() -> Consequence:
    return Consequence(
        kind=ConsequenceKind.UNSAVED.value,
        subject="host",
        text="ldm keeps it in memory only: a power cycle brings back the last saved configuration. "
        "Save it with spconfig.save.",
    )


def warnings(state: LdmState, units: list[Move], vcpus: list[Move]) -> list[str]:
    """Return advice and doubts that the plan does not act on."""
    notes = []
    running = [m.domain.name for m in units if m.mode is UnitMode.DIRECT and _runs(m)]
    if running:
        notes.append(
            f"A running domain takes it only with its drd service up and Solaris 10 1/13, Solaris "
            f"11 or later ({', '.join(running)}). Otherwise ldm fails, nothing is kept, and the "
            "domain has to be named in `offline`."
        )
    if state.version < (1, 2) and vcpus:
        notes.append(
            "Whether this ldm changes virtual CPUs of a running domain that holds crypto units is "
            "not verified; if it refuses, all is undone."
        )
    guests = [m.domain.name for m in units if m.after > 0 and not m.domain.is_control]
    if guests:
        notes.append(f"Before a migration set the units of {', '.join(guests)} to 0.")
    return notes


def risk(units: list[Move], vcpus: list[Move]) -> str:
    """High with a reboot of the control domain, medium where a guest goes down, low otherwise."""
    if any(m.mode in _WAITING and m.domain.is_control for m in units):
        return Risk.HIGH.value
    if any(m.mode is not UnitMode.DIRECT for m in units):
        return Risk.MEDIUM.value
    return Risk.MEDIUM.value if any(m.after < m.before for m in vcpus) else Risk.LOW.value


def _runs(move: Move) -> bool:
    return move.domain.state == ACTIVE


def _units(number: int) -> str:
    return f"{number} crypto unit{'s'[: number != 1]}"
