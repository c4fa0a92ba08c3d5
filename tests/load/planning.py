"""How long the agent plans on the largest machine there could be, reading ldm's output included."""

import time
from collections.abc import Sequence

from agents.changes.plans import sealed
from agents.drivers.solaris.kinds.unit_assign import UnitAssign
from agents.executors.process import CommandResult
from tests.load.report import Row, median_interval

UNITS, DOMAINS, STRANDS = 256, 64, 8
RUNS = 31
LIMIT_MS = 200.0


class RecordedLdm:
    """Answers ldm's commands with texts made beforehand; it is not what is measured."""

    def __init__(self, units: int = UNITS, domains: int = DOMAINS) -> None:
        cores = units // domains
        bindings, devices = ["VERSION 1.11"], ["VERSION 1.11", "VCPU"]
        for number in range(domains):
            bindings += _domain(number, range(number * cores, (number + 1) * cores))
        devices += [f"|pid={s}|free=0|pm=no" for s in range(units * STRANDS)]
        devices.append("MAU")
        devices += [f"|id={u}|cpuset={_cpuset(u)}|bound={_owner(u, cores)}" for u in range(units)]
        self._texts = {
            "list-bindings": "\n".join(bindings) + "\n",
            "list-devices": "\n".join(devices) + "\n",
            "-V": "Logical Domains Manager (v 3.4.0.0)\n",
        }

    def run(self, argv: Sequence[str], *, timeout_seconds: float = 30.0) -> CommandResult:
        """Return the text of the subcommand."""
        return CommandResult(
            argv=tuple(argv),
            returncode=0,
            stdout=self._texts[argv[1]],
            stderr="",
            wall_seconds=0.0,
            user_seconds=0.0,
            system_seconds=0.0,
        )

    def read_text(self, path: str) -> str | None:
        """There are no files."""
        return None


def _name(number: int) -> str:
    return "primary" if number == 0 else f"ldg{number}"


def _cpuset(core: int) -> str:
    return ",".join(str(core * STRANDS + strand) for strand in range(STRANDS))


def _owner(unit: int, cores: int) -> str:
    """Every second unit of a domain is free."""
    return "" if unit % 2 else _name(unit // cores)


def _domain(number: int, cores: range) -> list[str]:
    flags = "normal,control,vio-service" if number == 0 else "normal"
    strands = [core * STRANDS + strand for core in cores for strand in range(STRANDS)]
    lines = [
        f"DOMAIN|name={_name(number)}|state=active|flags={flags}|cons={5000 + number}"
        f"|ncpu={len(strands)}|mem=8589934592|util=1.0|uptime=86400|norm_util=1.0",
        "VCPU",
    ]
    lines += [f"|vid={i}|pid={s}|util=1.0%|strand=100|cid={s // 8}" for i, s in enumerate(strands)]
    lines.append("MAU")
    return lines + [f"|id={core}|cpuset={_cpuset(core)}" for core in cores if core % 2 == 0]


def measure() -> list[Row]:
    """Read and plan with every domain asked for, some giving and some taking."""
    kind, reader = UnitAssign(), RecordedLdm()
    counts = {_name(number): 1 if number % 2 else 4 for number in range(DOMAINS)}
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        plan = sealed(kind.plan({"counts": counts}, kind.read(reader, {})))
        times.append(1000 * (time.perf_counter() - started))
    found = median_interval(times)
    return [
        Row(
            name=f"planning {UNITS} units × {DOMAINS} domains ({len(plan.phases[0].steps)} steps)",
            measured=f"{found.median:.0f} ms ({found.low:.0f} – {found.high:.0f})",
            promise=f"≤ {LIMIT_MS:.0f} ms",
            is_met=found.high <= LIMIT_MS or (False if found.low > LIMIT_MS else None),
            how=f"{RUNS} times reading ldm's recorded output, parsing, planning and sealing",
        )
    ]
