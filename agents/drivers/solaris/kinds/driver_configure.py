"""`driver.configure`: settings in n2cp.conf, the driver of the T2's and T3's cipher units."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.drivers.solaris import parts, validation
from agents.wire.changes import (
    ChangeRequest,
    Consequence,
    ConsequenceKind,
    FileEdit,
    Phase,
    Plan,
    Risk,
    StepPlan,
)

N2CP_CONF = "/platform/sun4v/kernel/drv/n2cp.conf"
SETTING = "n2cp-sync-threads"
MAX_THREADS = 64
"""A T5440 spins with 8 in the one report that there is; more than a socket's strands is absurd."""
_LINE = re.compile(rf"^[ \t]*{SETTING}[ \t]*=[ \t]*(-?\d+)[ \t]*;[ \t]*(?:\n|$)", re.MULTILINE)
_NAME = re.compile(rf"^[^#\n]*{SETTING}", re.MULTILINE)


class DriverConfigure(ChangeKind[str]):
    """Sets n2cp-sync-threads. How and when the driver takes it up is not verified."""

    name: ClassVar[str] = "driver.configure"

    def applies(self, reader: Reader) -> str:
        if reader.read_text(N2CP_CONF) is None:
            return f"There is no {N2CP_CONF}: this host has no n2cp driver."
        return ""

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[str]:
        text = reader.read_text(N2CP_CONF)
        if text is None:
            raise ChangeRefused("driver.unknown", f"There is no {N2CP_CONF} here.", "", "n2cp")
        return Seen(text, {parts.SYNC_THREADS: sync_threads(text)})

    def plan(self, parameters: Mapping[str, Any], seen: Seen[str]) -> Plan:
        wanted = _wanted(parameters)
        now = sync_threads(seen.state)
        step = StepPlan(
            title=f"Set {SETTING} ({_shown(now)} → {_shown(wanted)})",
            edit=FileEdit(path=N2CP_CONF, before=seen.state, after=_edited(seen.state, wanted)),
            before={parts.SYNC_THREADS: now},
            after={parts.SYNC_THREADS: wanted},
        )
        is_noop = now == wanted
        return Plan(
            request=ChangeRequest(kind=self.name, parameters=dict(parameters)),
            sentence=f"Nothing to do: {SETTING} is {_shown(now)}." if is_noop else f"{step.title}.",
            parts={parts.SYNC_THREADS: now},
            phases=[] if is_noop else [Phase(title=step.title, steps=[step])],
            ends={parts.SYNC_THREADS: wanted},
            consequences=[] if is_noop else [_unverified()],
            risk=Risk.LOW.value,
            is_noop=is_noop,
            rollback=None if is_noop else _request(now),
            rollback_reason="There is nothing to undo." if is_noop else "",
        )


def sync_threads(text: str) -> int | None:
    """Return the setting in n2cp.conf's text, None where it is not set.

    Raises ChangeRefused for a text with the setting twice, or in a form that is not known.
    """
    lines = _LINE.findall(text)
    if len(lines) > 1 or len(_NAME.findall(text)) != len(lines):
        raise ChangeRefused(
            "driver.file_unknown",
            f"{N2CP_CONF} sets {SETTING} more than once, or not as `{SETTING}=8;` on one line.",
            "Correct the file by hand first.",
            "n2cp",
        )
    return int(lines[0]) if lines else None


def _wanted(parameters: Mapping[str, Any]) -> int | None:
    validation.only_keys(parameters, ("driver", "settings"))
    if parameters.get("driver") != "n2cp":
        raise validation.invalid("driver", "must be n2cp, the only driver with a known setting")
    settings = validation.mapping(parameters, "settings")
    validation.only_keys(settings, (SETTING,), "settings.")
    if SETTING not in settings:
        raise validation.invalid(f"settings.{SETTING}", "is missing")
    value = settings[SETTING]
    if value is None:
        return None
    return validation.whole_number(value, f"settings.{SETTING}", low=1, high=MAX_THREADS)


def _edited(text: str, wanted: int | None) -> str:
    line = "" if wanted is None else f"{SETTING}={wanted};\n"
    if _LINE.search(text):
        return _LINE.sub(line, text, count=1)
    return (
        text if not line else f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{line}"
    )


def _request(value: int | None) -> ChangeRequest:
    parameters = {"driver": "n2cp", "settings": {SETTING: value}}
    return ChangeRequest(kind=DriverConfigure.name, parameters=parameters)


def _shown(value: int | None) -> str:
    return "not set" if value is None else str(value)


def _unverified() -> Consequence:
    return Consequence(
        kind=ConsequenceKind.UNVERIFIED.value,
        subject="n2cp",
        text="How the driver takes this up is not verified: at its next load, which may need a "
        "reboot. More spinning threads cost CPU time.",
    )
