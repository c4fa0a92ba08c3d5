"""A simulated machine for tests: its programs as processes, its state from outside."""

import shlex
import subprocess
from pathlib import Path
from typing import Any

from agents.drivers.simulator import control
from agents.drivers.simulator.faults import fault_add, fault_from_plain
from agents.drivers.simulator.install import install
from agents.drivers.simulator.loads import load_set
from agents.drivers.simulator.variants import variant_check
from agents.drivers.simulator.world import World, world_read


class Simulated:
    """One machine in a directory of its own."""

    def __init__(self, state_dir: Path, edition: str) -> None:
        self.state_dir = state_dir
        self.directory = install(state_dir, edition)

    def run(self, line: str) -> "subprocess.CompletedProcess[str]":
        """Run a command line there; `$` is no shell's business."""
        program, *words = shlex.split(line)
        argv = [str(self.directory / "bin" / program), *words]
        return subprocess.run(argv, capture_output=True, text=True, timeout=30, env={})

    def out(self, line: str) -> str:
        """Return what a command that has to succeed writes to stdout."""
        done = self.run(line)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def lines(self, line: str) -> list[str]:
        """Return the same line by line."""
        return self.out(line).splitlines()

    @property
    def world(self) -> World:
        """The state as it is now."""
        return world_read(self.directory)

    def units(self) -> dict[str, list[int]]:
        """Return domain → units."""
        return {domain.name: sorted(domain.maus) for domain in self.world.domains.values()}

    def fault(self, kind: str, program: str, subcommand: str = "", **more: Any) -> None:
        """Set a fault."""
        names = {"kind": kind, "program": program, "subcommand": subcommand}
        with control.changing(self.directory) as world:
            fault_add(world, fault_from_plain({**names, **more}))

    def no_faults(self) -> None:
        """Take all faults away."""
        with control.changing(self.directory) as world:
            world.faults.clear()

    def turn(self, name: str, value: str) -> None:
        """Set a variant."""
        variant_check(name, value)
        with control.changing(self.directory) as world:
            world.variants[name] = value

    def load(self, name: str) -> None:
        """Let its programs do more, less or no crypto from now on."""
        with control.changing(self.directory) as world:
            load_set(world, name)

    def reboot(self, domain: str) -> None:
        """Reboot a domain."""
        with control.changing(self.directory) as world:
            control.domain_reboot(world, domain)

    def power_cycle(self) -> None:
        """Switch off and on."""
        with control.changing(self.directory) as world:
            control.power_cycle(world)

    def file(self, path: str) -> Path:
        """Return where a file of the simulated host is."""
        return self.directory / "root" / path.lstrip("/")
