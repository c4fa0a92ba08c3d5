"""Faults: which call of which program goes wrong, and how. Counted from when the fault was set."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.world import World

KINDS = {
    "error": "nothing is done; the tool's own message and exit code",
    "nothing": "exits 0 having done nothing and said nothing",
    "half": "stops half-way: one unit of several, the file without the kernel; exit 1",
    "lie": "all is done, and the tool exits 1 all the same",
    "hang": "does nothing and does not end",
    "hang_after": "does all and does not end",
    "garbled": "does all; what it writes is cut and mangled",
    "locale": "does all; headings and sentences are German",
    "lock": "the lock is held by somebody else",
    "down": "ldmd does not answer",
    "unauthorised": "authorization failed",
    "second_admin": "does all; then another admin runs `command`",
}
_MESSAGES = {
    ("ldm", "error"): "Resource modification failed",
    ("cryptoadm", "error"): "cryptoadm: failed to update the configuration - Permission denied",
    ("ksslcfg", "error"): "Error: Permission denied.",
    ("svcadm", "error"): "svcadm: Permission denied.",
    ("cryptoadm", "lock"): (
        "cryptoadm: failed to lock the configuration - Resource temporarily unavailable"
    ),
    ("ksslcfg", "lock"): "Error: another process is modifying this instance. Exiting.",
    ("ldm", "lock"): "The LDom Manager is busy with another request; try again later",
    ("ldm", "down"): "Failed to connect to logical domain manager: Connection refused",
    ("ldm", "unauthorised"): "Authorization failed",
    ("cryptoadm", "unauthorised"): (
        "cryptoadm: failed to update the configuration - Permission denied"
    ),
}
_GERMAN = (
    ("User-level providers:", "Provider auf Benutzerebene:"),
    ("user-level providers:", "Provider auf Benutzerebene:"),
    ("Kernel software providers:", "Kernel-Software-Provider:"),
    ("kernel software providers:", "Kernel-Software-Provider:"),
    ("Kernel hardware providers:", "Kernel-Hardware-Provider:"),
    ("kernel hardware providers:", "Kernel-Hardware-Provider:"),
    ("all mechanisms are enabled", "alle Mechanismen sind aktiviert"),
    ("all mechanisms are disabled", "alle Mechanismen sind deaktiviert"),
    ("except", "ausgenommen"),
    ("is enabled", "ist aktiviert"),
    ("is disabled", "ist deaktiviert"),
    ("Status: enabled", "Status: aktiviert"),
    ("Status: disabled", "Status: deaktiviert"),
    ("System-wide Meta Slot Configuration", "Systemweite Metaslot-Konfiguration"),
    ("The physical processor has", "Der physische Prozessor hat"),
    ("virtual processors", "virtuelle Prozessoren"),
    ("applications", "Anwendungen"),
    ("NAME ", "NAME "),
    ("STATE", "STATUS"),
    ("active ", "aktiv  "),
)


class InvalidFault(ValueError):
    """The fault cannot be set; the text says why."""


@dataclass(slots=True, kw_only=True)
class Fault:
    """One fault. `nth`: the first matching call that it strikes; `times`: how many, 0: all."""

    kind: str
    program: str
    subcommand: str = ""
    """The first word of the call; empty: any."""
    contains: str = ""
    """A text that stands in the command line; empty: any."""
    nth: int = 1
    times: int = 1
    message: str = ""
    exit_code: int = 1
    stream: str = "stderr"
    seconds: float = 3600.0
    """How long it hangs."""
    command: str = ""
    """What the second admin types: `ldm set-crypto 0 ldg1`."""
    seen: int = 0
    """Matching calls so far."""

    def matches(self, call: Call) -> bool:
        """Return whether this call is one of those that count."""
        if self.program != call.program:
            return False
        if self.subcommand and call.arguments[:1] != [self.subcommand]:
            return False
        return self.contains in " ".join(call.arguments)

    def strikes(self) -> bool:
        """Count one matching call; return whether the fault strikes it."""
        self.seen += 1
        return self.seen >= self.nth and (not self.times or self.seen < self.nth + self.times)


def fault_from_plain(plain: Mapping[str, Any]) -> Fault:
    """Return a fault read from a scenario file. Raises InvalidFault."""
    try:
        fault = Fault(**plain)
    except TypeError as error:
        raise InvalidFault(f"Not a fault: {error}.") from error
    if fault.kind not in KINDS:
        raise InvalidFault(f"kind {fault.kind!r} is not one of: {', '.join(KINDS)}.")
    if fault.nth < 1 or fault.times < 0:
        raise InvalidFault("nth counts from 1, and times is 0 (always) or more.")
    if fault.stream not in ("stdout", "stderr"):
        raise InvalidFault("stream is stdout or stderr.")
    if (fault.kind == "second_admin") != bool(fault.command):
        raise InvalidFault("A second_admin needs a command, and nothing else takes one.")
    return fault


def fault_add(world: World, fault: Fault) -> None:
    """Set a fault."""
    world.faults.append(asdict(fault))


def fault_take(call: Call) -> Fault | None:
    """Count this call for every fault; return the first one that strikes it."""
    struck: Fault | None = None
    for index, plain in enumerate(call.world.faults):
        fault = Fault(**plain)
        if fault.matches(call):
            hits = fault.strikes()
            call.world.faults[index] = asdict(fault)
            if hits and struck is None:
                struck = fault
    return struck


def carried_out(call: Call, fault: Fault, run: Callable[[Call], int]) -> int:
    """Let the fault strike a call; return its exit code. Hanging is the caller's."""
    kind = fault.kind
    if kind in ("nothing", "hang"):
        return 0
    if kind in ("error", "lock", "down", "unauthorised"):
        _say(call, fault)
        return fault.exit_code
    if kind == "half":
        call.is_half = True
        run(call)
        _say(call, fault)
        return fault.exit_code
    code = run(call)
    if kind == "lie":
        _say(call, fault)
        return fault.exit_code
    if kind == "garbled":
        call.written = [(stream, _garbled(text)) for stream, text in call.written]
    elif kind == "locale":
        call.written = [(stream, _german(text)) for stream, text in call.written]
    return code


def hang(fault: Fault) -> None:
    """Do not end for as long as the fault says."""
    time.sleep(fault.seconds)


def _say(call: Call, fault: Fault) -> None:
    kind = "error" if fault.kind in ("half", "lie") else fault.kind
    text = fault.message or _MESSAGES.get((call.program, kind), f"{call.program}: internal error.")
    call.written.append((fault.stream, f"{text}\n"))


def _garbled(text: str) -> str:
    """Return text as a broken terminal server passes it on: cut, and with signs that never were."""
    body = text.rstrip("\n")
    cut = body[: max(1, len(body) * 2 // 3)]
    return f"{cut.replace('=', chr(0x7F)).replace('e', chr(0x00E9))}\x1b[K\n"


def _german(text: str) -> str:
    for english, german in _GERMAN:
        text = text.replace(english, german)
    return text
