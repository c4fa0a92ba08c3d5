"""A small host for the change engine: units that a stateful tool sets, one file, faults to order.

A unit is two files that the tool writes one after the other, so that it can be half-done.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.changes.tools import Tools
from agents.drivers.base import Applicability, Driver, Inventory, ScanContext
from agents.wire.changes import ChangeRequest, FileEdit, Phase, Plan, StepPlan
from agents.wire.inventory import Attribute, Facts, Gauge, HostFacts

KIND = "small.set"
BASE: Mapping[str, Attribute] = {"unit/a": "2", "unit/b": "0", "unit/c": "0", "file": "old\n"}
GOAL: Mapping[str, Attribute] = {"unit/a": "1", "unit/b": "1", "unit/c": "0", "file": "new\n"}

TOOL = """#!/bin/sh
# tool set <unit> <value>: writes both halves of a unit; fault.<unit>.<value> is what goes wrong.
cd "$(dirname "$0")" || exit 9
unit=$2 value=$3 fault=
echo "setting $unit to $value"
if [ -f "fault.$unit.$value" ]; then read -r fault < "fault.$unit.$value"; fi
case $fault in
refuse) echo "$unit: device busy" >&2; exit 1 ;;
lie) exit 0 ;;
hang) exec sleep 600 ;;
esac
echo "$value" > "$unit.new" && mv "$unit.new" "$unit.low"
case $fault in
half) echo "$unit: interrupted" >&2; exit 1 ;;
stuck) exec sleep 600 ;;
slow) sleep 0.05 ;;
esac
echo "$value" > "$unit.new" && mv "$unit.new" "$unit.high"
echo "$unit is $value"
case $fault in grumble) exit 3 ;; esac
"""


class SmallHost:
    """The host's directory: its truth, and faults to order."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir(parents=True)
        self.tool = place / "tool"
        self.tool.write_text(TOOL)
        self.tool.chmod(0o755)
        self.reset()

    def reset(self) -> None:
        """Put everything back to where it began; faults stay."""
        for name in "abc":
            for half in ("low", "high"):
                (self.place / f"{name}.{half}").write_text(f"{BASE[f'unit/{name}']}\n")
        (self.place / "small.conf").write_text("old\n")

    def fault(self, unit: str, value: str, fault: str) -> None:
        """Order what the tool does when that unit is to get that value."""
        (self.place / f"fault.{unit}.{value}").write_text(f"{fault}\n")

    def parts(self) -> dict[str, Attribute]:
        """Return what the host really shows."""
        return read_parts(Tools(), self.place)

    def driver(self, *, timeout_seconds: int = 20, waits: bool = False) -> "SmallDriver":
        """Return a driver of this host; `waits`: the change ends with waiting for a reboot."""
        return SmallDriver(SmallKind(self.place, timeout_seconds, waits=waits))

    def remove(self) -> None:
        """Remove the host."""
        shutil.rmtree(self.place)


def read_parts(reader: Reader, place: Path) -> dict[str, Attribute]:
    """Return each unit (`2`, or `1|2` half-done) and the file's text."""
    parts: dict[str, Attribute] = {}
    for name in "abc":
        low, high = ((reader.read_text(f"{place}/{name}.{half}")) for half in ("low", "high"))
        if low is None or high is None:
            raise ChangeRefused("small.unreadable", f"Unit {name} cannot be read.")
        parts[f"unit/{name}"] = low.strip() if low == high else f"{low.strip()}|{high.strip()}"
    parts["file"] = reader.read_text(f"{place}/small.conf")
    return parts


class SmallKind(ChangeKind[dict[str, Attribute]]):
    """Sets units and the file to what `parameters` name: units first, by name, then the file."""

    name: ClassVar[str] = KIND

    def __init__(self, place: Path, timeout_seconds: int, *, waits: bool) -> None:
        self._place = place
        self._timeout = timeout_seconds
        self._waits = waits

    def applies(self, reader: Reader) -> str:
        return ""

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[dict[str, Attribute]]:
        parts = read_parts(reader, self._place)
        return Seen(parts, parts)

    def plan(self, parameters: Mapping[str, Any], seen: Seen[dict[str, Attribute]]) -> Plan:
        wanted = {**seen.parts, **parameters}
        steps = [self._step(p, seen.parts[p], v) for p, v in wanted.items() if seen.parts[p] != v]
        waits_for = ["host"] if self._waits else []
        return Plan(
            request=ChangeRequest(kind=KIND, parameters=dict(parameters)),
            sentence="Set what is asked for.",
            parts=dict(seen.parts),
            phases=[Phase(title="Set", steps=steps, waits_for=waits_for)] if steps else [],
            ends=wanted,
            is_noop=not steps,
        )

    def _step(self, part: str, before: Attribute, after: Attribute) -> StepPlan:
        sides: dict[str, Any] = {"before": {part: before}, "after": {part: after}}
        if part == "file":
            edit = FileEdit(path=f"{self._place}/small.conf", before=str(before), after=str(after))
            return StepPlan(title="Write the file", edit=edit, **sides)
        tool, unit = f"{self._place}/tool", part.partition("/")[2]
        return StepPlan(
            title=f"Set {unit} to {after}",
            argv=[tool, "set", unit, str(after)],
            undo_argv=[tool, "set", unit, str(before)],
            timeout_seconds=self._timeout,
            **sides,
        )


class SmallDriver(Driver):
    """Knows the small host and its one kind."""

    name: ClassVar[str] = "small"

    def __init__(self, kind: SmallKind) -> None:
        self._kind = kind

    def probe(self) -> Applicability:
        return Applicability(applies=True)

    def capabilities(self) -> list[str]:
        return []

    def inventory(self, scan: ScanContext) -> Inventory:
        host = HostFacts(hostname="small", platform="linux")
        return Inventory(facts=Facts(host=host))

    def gauges(self) -> list[Gauge]:
        return []

    def change_kinds(self) -> Sequence[ChangeKind[Any]]:
        return (self._kind,)
