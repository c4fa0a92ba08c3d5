"""What the simulated machine's programs do with crypto: the model behind kstat's counters.

No figure here was measured: it is only what makes counters move, faster, slower or not at all.
"""

from dataclasses import dataclass

from agents.drivers.simulator.world import World, now


@dataclass(frozen=True, slots=True)
class Load:
    """How fast counters move, as a multiple of kstat's own rates. `full`: full queues."""

    says: str
    hardware: float = 1.0
    software: float = 1.0
    full: float = 1.0

    def factor(self, what: str) -> float:
        """Return the multiple for `hardware`, `software`, `full` or (all else) 1."""
        known = {"hardware": self.hardware, "software": self.software, "full": self.full}
        return known.get(what, 1.0)


LOADS = {
    "busy": Load("units work, software a little (as delivered)"),
    "idle": Load("nobody does crypto", hardware=0.0, software=0.0, full=0.0),
    "software": Load("all is done in software, units do nothing", 0.0, 200.0, 0.0),
    "overload": Load("units get more than they can do, queues are full", 40.0, 5.0, 60_000.0),
}
DEFAULT = "busy"


class UnknownLoad(ValueError):
    """There is no such load; the text names those that there are."""


def load_now(world: World) -> str:
    """Return the load at this moment."""
    return str(world.loads[-1]["load"]) if world.loads else DEFAULT


def load_set(world: World, name: str) -> None:
    """Change the load from now on; counters go on from where they are. Raises UnknownLoad."""
    if name not in LOADS:
        raise UnknownLoad(f"There is no load {name!r}; there are {', '.join(LOADS)}.")
    world.loads.append({"at": now(), "load": name})


def moved(world: World, what: str) -> float:
    """Return for how many seconds, weighted by the load, counters moved since the last boot."""
    since, total = world.control.booted_at, 0.0
    name, at = DEFAULT, since
    for change in [*world.loads, {"at": now(), "load": ""}]:
        until = max(float(change["at"]), at)
        total += (until - at) * LOADS[name].factor(what)
        name, at = str(change["load"]), until
    return total
