"""Sets up a simulated machine in a directory: its programs, its files, its state."""

import os
import random
import sys
import uuid
from collections.abc import Iterable
from pathlib import Path

import agents
from agents.drivers.simulator.editions import MIB, Edition, Guest, edition_get
from agents.drivers.simulator.entry import PROGRAMS
from agents.drivers.simulator.hostfiles import host_files
from agents.drivers.simulator.ldm.spconfig import saved
from agents.drivers.simulator.services.units import first_services
from agents.drivers.simulator.world import (
    STATE_FILE,
    Domain,
    World,
    locked,
    now,
    world_read,
    world_write,
    write_atomically,
)

FOLDER = "simulator"
FIRST_CONFIG = "initial"
_SHEBANG_LIMIT = 120
_UPTIME_SECONDS = 22 * 3600 + 16 * 60
_LAUNCHER = """\
import sys

sys.path.append({code!r})
from agents.drivers.simulator.entry import main

sys.exit(main({program!r}, {directory!r}))
"""


def simulator_directory(state_dir: Path) -> Path:
    """Return where a simulated machine lies below an agent's state directory."""
    return state_dir / FOLDER


def install(state_dir: Path, edition: str) -> Path:
    """Make the simulated machine where it is not there yet; return its directory.

    One that is there keeps its state; one of another edition is replaced. The programs are written
    anew, for the interpreter or the code may have moved. Raises UnknownEdition.
    """
    wanted = edition_get(edition)
    directory = simulator_directory(state_dir)
    _make_folder(directory / "bin")
    with locked(directory):
        if _installed_edition(directory) != wanted.name:
            _fill(directory, wanted)
        for program in PROGRAMS:
            _write_launcher(directory, program)
    return directory


def reset(state_dir: Path) -> World:
    """Put the machine back to what it was delivered as. Raises FileNotFoundError."""
    directory = simulator_directory(state_dir)
    with locked(directory):
        return _fill(directory, world_read(directory).edition)


def _installed_edition(directory: Path) -> str:
    try:
        return world_read(directory).edition.name
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _fill(directory: Path, edition: Edition) -> World:
    started = now() - _UPTIME_SECONDS
    world = World(
        directory=directory,
        edition=edition,
        domains={domain.name: domain for domain in _domains(edition, started)},
        powered_at=started,
        services=first_services(edition),
    )
    world.configs[FIRST_CONFIG] = saved(world)
    world.current = FIRST_CONFIG
    for path, text in host_files(edition).items():
        file = world.root / path.lstrip("/")
        _make_folder(file.parent)
        write_atomically(file, text, 0o644)
    world_write(world)
    return world


def _make_folder(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def _domains(edition: Edition, started: float) -> Iterable[Domain]:
    strands = [s for core in edition.primary_cores for s in edition.core_set(core)]
    maus = list(edition.primary_cores) if edition.has_units else []
    yield Domain(
        name="primary",
        state="active",
        vcpu=len(strands),
        units=len(maus),
        memory=edition.primary_memory,
        strands=strands,
        maus=maus,
        is_control=True,
        is_service=True,
        cons="SP",
        booted_at=started,
        mac="00:14:4f:ac:57:c4",
        hostid="0x84ac57c4",
        uuid=_uuid(edition, "primary"),
    )
    for number, guest in enumerate(edition.guests, start=1):
        yield _guest(edition, guest, number, started + 240 * number)


def _guest(edition: Edition, guest: Guest, number: int, started: float) -> Domain:
    wanted = len(guest.maus) if guest.wanted_maus is None else guest.wanted_maus
    return Domain(
        name=guest.name,
        state=guest.state,
        vcpu=guest.vcpu or len(guest.strands),
        units=wanted if edition.has_units else 0,
        memory=guest.memory - guest.memory % MIB,
        strands=list(guest.strands),
        maus=list(guest.maus) if edition.has_units else [],
        is_service=guest.is_service,
        has_drd=guest.has_drd,
        cons=guest.cons,
        booted_at=started if guest.state == "active" else 0.0,
        mac=f"00:14:4f:fb:42:{0x50 + number:02x}",
        hostid=f"0x84fb42{0x50 + number:02x}",
        uuid=_uuid(edition, guest.name),
    )


def _uuid(edition: Edition, name: str) -> str:
    """Return a domain's UUID: the same at every installation of an edition."""
    generator = random.Random(f"{edition.name}/{name}")  # noqa: S311 - a name, not a secret
    return str(uuid.UUID(int=generator.getrandbits(128), version=4))


def _write_launcher(directory: Path, program: str) -> None:
    """Write a program that starts fast: no site packages, no environment, an absolute path."""
    code = str(Path(agents.__file__).resolve().parent.parent)
    body = _LAUNCHER.format(code=code, program=program, directory=str(directory))
    interpreter = os.path.realpath(sys.executable)
    is_plain = len(interpreter) < _SHEBANG_LIMIT and " " not in interpreter
    # A long path or one with blanks is no shebang: the shell starts the interpreter instead.
    head = f"#!{interpreter} -ISE\n" if is_plain else _shell_head(interpreter)
    write_atomically(directory / "bin" / program, head + body, 0o700)


def _shell_head(interpreter: str) -> str:
    quoted = "'" + interpreter.replace("'", "'\\''") + "'"
    return f"#!/bin/sh\n'''exec' {quoted} -ISE \"$0\" \"$@\"\n' '''\n"


__all__ = ["STATE_FILE", "install", "reset", "simulator_directory"]
