"""What a stand-in program runs: one call under the machine's lock, with the faults that are set."""

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.faults import carried_out, fault_take, hang
from agents.drivers.simulator.world import World, locked, world_read, world_write

PACKAGE = "agents.drivers.simulator"
PROGRAMS = {
    "ldm": "ldm.command",
    "cryptoadm": "cryptoadm.command",
    "ksslcfg": "services.ksslcfg",
    "kssladm": "services.kssladm",
    "svcs": "services.svcs",
    "svcprop": "services.svcprop",
    "svcadm": "services.svcadm",
    "kstat": "system.kstat",
    "psrinfo": "system.psrinfo",
    "isainfo": "system.isainfo",
    "pktool": "system.pktool",
    "openssl": "system.openssl",
    "uname": "system.uname",
    "prtconf": "system.prtconf",
    "zonename": "system.zonename",
}
"""Program → module with `run(call) -> exit code`, imported when it is called and not before."""


def main(program: str, directory: str) -> int:
    """Run one call of a stand-in and return its exit code."""
    place = Path(directory)
    with locked(place):
        world = world_read(place)
        call = Call(world, program, sys.argv[1:])
        fault = fault_take(call)
        code = run_call(call) if fault is None else carried_out(call, fault, run_call)
        if fault is not None and fault.command:
            run_line(world, fault.command)
        world_write(world)
    if fault is not None and fault.kind.startswith("hang"):
        hang(fault)
    _write_out(call)
    return code


def run_call(call: Call) -> int:
    """Let the program do its work, without faults."""
    module = importlib.import_module(f"{PACKAGE}.{PROGRAMS[call.program]}")
    run: Callable[[Call], int] = module.run
    return run(call)


def run_line(world: World, line: str) -> Call:
    """Run a command line as another admin types it. Raises ValueError for one that is none."""
    import shlex

    program, *arguments = shlex.split(line) or [""]
    name = Path(program).name
    if name not in PROGRAMS:
        raise ValueError(f"{name!r} is no program of the simulated host.")
    call = Call(world, name, arguments)
    code = run_call(call)
    call.written.append(("exit", str(code)))
    return call


def _write_out(call: Call) -> None:
    for stream, text in call.written:
        descriptor = 1 if stream == "stdout" else 2
        try:
            os.write(descriptor, text.encode("utf-8", "surrogateescape"))
        except BrokenPipeError:
            return
